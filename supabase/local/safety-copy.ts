// Owns the copy of the embedded database that is taken before an upgrade and deleted when the upgrade has succeeded.
// Does not restore it: docs/operate.md explains how.
import { existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { explainFileError, Fatal } from "./fatal.ts";
import { copyFolder, requireRoomForCopy } from "./postgres/copy-folder.ts";
import { syncFolder, syncTree } from "./sync-folder.ts";

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
   * @throws Fatal when the disk has no room for it, or cannot be written.
   */
  async take(url: string, version: string): Promise<void> {
    try {
      await this.#take(url, version);
    } catch (error) {
      const words = explainFileError(error, dirname(this.#database));
      throw words ? new Fatal(words) : error;
    }
  }

  async #take(url: string, version: string): Promise<void> {
    const record = `${this.path}.version`;
    const kept = existsSync(this.path) ? await readFile(record, "utf8").catch(() => version) : version;
    if (kept !== version) return;
    await requireRoomForCopy(this.#database, "The upgrade");
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
}
