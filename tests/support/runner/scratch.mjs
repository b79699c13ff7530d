// Owns the folder of a run's temporary files, in memory where there is plenty: on a disk, copying and deleting the small files of databases
// takes half of the kernel's share of the processor time. Plain Node: it runs before anything is installed.
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const PREFIX = "parley-run-";
const LEAST_FREE_BYTES = 4 * 1024 ** 3;
const disk = tmpdir();

/** Where temporary files may be. */
export const roots = [MEMORY, disk];

/** Where temporary files should be: in memory if the machine has plenty, else on the disk. */
export function roomyRoot() {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(freemem(), bavail * bsize) < LEAST_FREE_BYTES ? disk : MEMORY;
  } catch {
    return disk;
  }
}

/**
 * Makes the folder of this process's temporary files, and of those of what it starts from now on.
 * @returns {{ folder: string, remove: () => void }}
 */
export function makeScratch() {
  removeLeftovers();
  const folder = mkdtempSync(join(roomyRoot(), `${PREFIX}${process.pid}-`));
  // As the system's own: programs of other users write into it, such as a server that refuses to run as root.
  chmodSync(folder, 0o1777);
  // What outlasts a run, such as databases to copy, stays where the next run finds it.
  process.env.LASTING_TMPDIR ??= disk;
  process.env.TMPDIR = folder;
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Deletes the folders of killed runs. */
function removeLeftovers() {
  if (!existsSync("/proc/self")) return;
  for (const root of roots.filter((root) => existsSync(root))) {
    for (const name of readdirSync(root)) {
      const pid = name.startsWith(PREFIX) && /^(\d+)-/.exec(name.slice(PREFIX.length))?.[1];
      if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(root, name), { recursive: true, force: true });
    }
  }
}
