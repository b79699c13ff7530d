// Owns the checks of the machine before anything starts: free ports, free disk space.
import { statfsSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Fatal } from "./fatal.ts";

const LEAST_FREE_MB = 200;

/**
 * @param patienceMs how long to wait for programs that are still exiting.
 * @throws Fatal that names the first port that another program listens on.
 */
export async function requireFreePorts(ports: number[], patienceMs = 0): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (const port of ports) {
    let free = await isFree(port);
    while (!free && Date.now() < deadline) {
      await sleep(100);
      free = await isFree(port);
    }
    if (free) continue;
    throw new Fatal(
      `Port ${port} is taken by another program: stop that program, or set PARLEY_PORT_OFFSET to a number that moves every port.`,
    );
  }
}

/** @throws Fatal when the disk that holds `dir` is almost full. */
export function requireRoom(dir: string): void {
  const { bavail, bsize } = statfsSync(dir);
  if (bavail * bsize >= LEAST_FREE_MB * 1024 * 1024) return;
  throw new Fatal(`The disk that holds ${dir} is full: free at least ${LEAST_FREE_MB} MB and start again.`);
}

/** True when nothing listens on this machine's port. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
