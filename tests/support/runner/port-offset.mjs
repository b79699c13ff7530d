// Owns the ports of tests: the offset of a stack, and single ports. Plain Node: it runs before anything is installed.
import { createServer } from "node:net";
import { isFree } from "../../../supabase/local/free-port.mjs";

// Above Linux's ephemeral ports (32768 to 60999), one of which could be taken before the stack binds it.
const FIRST = 6_700;
const LAST = 11_100;
/** More than the distance between a stack's first and last port, its web server's aside. */
const STEP = 50;
/** Beyond all ports of a stack. Held open for as long as this process lives, so that no other process takes the same offset. */
const GUARD = 54_349;
/** Between the ports of test stacks and Linux's ephemeral ones. */
const FIRST_SINGLE = 16_000;
const LAST_SINGLE = 32_000;

/**
 * Reserves an offset for this process at which all the ports are free.
 * @param {number[]} basePorts
 * @returns {Promise<number>}
 */
export async function reserveOffset(basePorts) {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const offset = FIRST + STEP * Math.floor(Math.random() * ((LAST - FIRST) / STEP + 1));
    const guard = await listenAt(GUARD + offset);
    if (!guard) continue;
    const free = await Promise.all(basePorts.map((port) => isFree(port + offset)));
    if (free.every(Boolean)) {
      guard.unref();
      return offset;
    }
    guard.close();
  }
  throw new Error("No free range of ports was found.");
}

/**
 * Reserves a port for a process that binds it later. Its neighbour is held open for as long as this process lives, so that no other test
 * process takes the same one; a port that the system picks could be given to anybody before it is bound.
 * @returns {Promise<number>}
 */
export async function reservePort() {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = FIRST_SINGLE + 2 * Math.floor(Math.random() * ((LAST_SINGLE - FIRST_SINGLE) / 2));
    const guard = await listenAt(port + 1);
    if (!guard) continue;
    if (await isFree(port)) {
      guard.unref();
      return port;
    }
    guard.close();
  }
  throw new Error("No free port was found.");
}

/** @param {number} port @returns {Promise<import("node:net").Server | undefined>} */
function listenAt(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
