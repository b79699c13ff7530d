// Owns whether a port of this machine is free. Plain JavaScript on Node alone: set-up.mjs asks before anything is installed.
import { createServer } from "node:net";

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
