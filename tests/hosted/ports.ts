// Owns the ports of the stand-in platform's processes.
import type { ChildProcess } from "node:child_process";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** @throws when the process ends before it listens */
export async function untilListens(port: number, child: ChildProcess): Promise<void> {
  while (!(await answers(port))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${child.spawnfile} ended with ${child.exitCode ?? child.signalCode}`);
    await sleep(20);
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
