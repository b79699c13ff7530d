// Owns putting names and copies on the disk: syncing a file does not include its name, which a power failure may then take away.
import { closeSync, fsyncSync, openSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Windows opens no folder as a file. */
const isPossible = process.platform !== "win32";

export async function syncFolder(path: string): Promise<void> {
  if (!isPossible) return;
  const folder = await open(path);
  await folder.sync().finally(() => folder.close());
}

export function syncFolderNow(path: string): void {
  if (!isPossible) return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Puts everything in a folder on the disk. */
export async function syncTree(path: string): Promise<void> {
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    const found = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await syncFolder(found);
    else await syncFile(found);
  }
  await syncFolder(path);
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  await file.datasync().finally(() => file.close());
}
