// Owns the copy of the embedded database that is taken before an upgrade and deleted when the upgrade has succeeded.
// Does not restore it: docs/operate.md explains how.
import { existsSync } from "node:fs";
import { readdir, readFile, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fatal } from "./fatal.ts";
import { copyFolder } from "./postgres/copy-folder.ts";
import { syncFolder, syncTree } from "./sync-folder.ts";

/** Disk space that the upgrade itself may need in addition to the copy. */
const SPARE_BYTES = 200 * 1024 * 1024;

export class SafetyCopy {
  readonly #database: string;
  /** Folder of the copy. */
  readonly path: string;

  /** @param database the folder of the embedded database. */
  constructor(database: string) {
    this.#database = database;
    this.path = `${database}-before-upgrade`;
  }

  /**
   * Copies the database, unless an interrupted upgrade has left a copy from before it began.
   * @param url the owner's login.
   * @param version the last migration that the database has run.
   * @throws Fatal when the disk has no room for it.
   */
  async take(url: string, version: string): Promise<void> {
    const record = `${this.path}.version`;
    const kept = existsSync(this.path) ? await readFile(record, "utf8").catch(() => version) : version;
    if (kept !== version) return;
    await this.#requireRoom();
    // An existing copy of the same version is stale: its upgrade changed nothing, and the database may have been used since.
    const stale = `${this.path}.stale`;
    await rm(stale, { recursive: true, force: true });
    if (existsSync(this.path)) await rename(this.path, stale);
    await copyFolder(url, this.#database, this.path);
    // The upgrade changes the database next; a power failure must leave one of the two whole.
    await syncTree(this.path);
    await syncFolder(dirname(this.path));
    await writeFile(record, version);
    await rm(stale, { recursive: true, force: true });
  }

  async remove(): Promise<void> {
    for (const path of [this.path, `${this.path}.version`, `${this.path}.stale`]) {
      await rm(path, { recursive: true, force: true });
    }
  }

  async #requireRoom(): Promise<void> {
    const { bavail, bsize } = await statfs(dirname(this.#database));
    const needed = (await sizeOf(this.#database)) + SPARE_BYTES;
    if (bavail * bsize >= needed) return;
    throw new Fatal(
      `The upgrade needs a copy of the database and the disk that holds ${this.#database} has no room for it: free ${Math.ceil(needed / 1024 / 1024)} MB and start again.`,
    );
  }
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // Files are added and deleted while the database serves.
    bytes += entry.isDirectory() ? await sizeOf(path) : ((await stat(path).catch(() => null))?.size ?? 0);
  }
  return bytes;
}
