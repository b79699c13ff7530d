// Owns whether a port of this machine can be used. Plain JavaScript on Node alone: set-up.mjs asks before anything is installed.
import { createServer } from "node:net";

// Those from 1024 of https://fetch.spec.whatwg.org/#port-blocking: browsers open no page there, and fetch refuses them too.
const BLOCKED = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
]);

/** True when browsers refuse to open the port, whoever listens there. */
export const isBlocked = (port) => BLOCKED.has(port);

export const sayBlocked = (port) =>
  `Port ${port} is one that browsers refuse to open: set PARLEY_PORT_OFFSET to another number.`;

/** True when a program can listen on the port. */
export function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

export const sayTaken = (port) =>
  `Port ${port} is taken by another program: stop that program, or set PARLEY_PORT_OFFSET to a number that moves every port.`;
