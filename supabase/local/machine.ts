// Owns the checks of the machine before anything starts: free ports, free disk space.
import { statfsSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Fatal } from "./fatal.ts";
import { isFree, sayTaken } from "./free-port.mjs";

const LEAST_FREE_MB = 200;
/** Longer than the minute for which a closed connection keeps its port. */
const CONNECTION_ENDS_MS = 70_000;

/**
 * Waits for a port that only a connection occupies: Linux gives outgoing connections ports from 32768 on, ours among them.
 * @param patienceMs how long to wait for programs that are still exiting.
 * @param onConnection receives each port that a connection occupies.
 * @throws Fatal that names the first port that another program uses.
 */
export async function requireFreePorts(
  ports: number[],
  patienceMs = 0,
  onConnection: (port: number) => void = () => {},
): Promise<void> {
  const began = Date.now();
  for (const port of ports) {
    let isReported = false;
    while (!(await isFree(port))) {
      const isConnection = !(await isListening(port));
      if (Date.now() - began >= (isConnection ? CONNECTION_ENDS_MS : patienceMs)) {
        throw new Fatal(sayTaken(port));
      }
      if (isConnection && !isReported) onConnection(port);
      isReported ||= isConnection;
      await sleep(100);
    }
  }
}

/** @throws Fatal when the disk that holds `dir` is almost full. */
export function requireRoom(dir: string): void {
  const { bavail, bsize } = statfsSync(dir);
  if (bavail * bsize >= LEAST_FREE_MB * 1024 * 1024) return;
  throw new Fatal(`The disk that holds ${dir} is full: free at least ${LEAST_FREE_MB} MB and start again.`);
}

/** True when a program accepts connections at the port; false when only a connection occupies it. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(port, "127.0.0.1");
    probe.once("error", () => resolve(false));
    probe.once("connect", () => {
      // The kernel may give the probe the very port that it asks for, and TCP then connects it to itself.
      const isItself = probe.localPort === port;
      // Reset, so that it does not occupy the port for another minute.
      if (isItself) probe.resetAndDestroy();
      else probe.destroy();
      resolve(!isItself);
    });
  });
}
