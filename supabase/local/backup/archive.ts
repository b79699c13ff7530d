// Owns the reading and writing of a backup file, as streams with checksums. Does not know databases.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, statSync } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { codeOf } from "../error-code.ts";
import { Fatal } from "../fatal.ts";
import { syncFolder } from "../sync-folder.ts";
import { MANIFEST_ENTRY, Manifest } from "./manifest.ts";
import { readTar, TAR_END, type TarEntry, tarHeader, tarPadding } from "./tar.ts";
import { partialPath } from "./unfinished.ts";

export class ArchiveWriter {
  readonly #path: string;
  readonly #unfinished: string;
  readonly #gzip = createGzip({ level: 3 });
  readonly #written: Promise<void>;
  readonly #checksums: Record<string, string> = {};

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#unfinished = partialPath(path);
    this.#written = pipeline(this.#gzip, file.createWriteStream({ flush: true })).catch((error: unknown) => {
      throw explainFailure(path, error);
    });
    this.#written.catch(() => {});
  }

  /** Opens a file that only its owner can read, in a folder that it creates if need be. It is renamed to its final name once it is complete. */
  static async open(path: string): Promise<ArchiveWriter> {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return new ArchiveWriter(path, await open(partialPath(path), "w", 0o600));
    } catch (error) {
      throw explainFailure(path, error);
    }
  }

  async add(name: string, content: Buffer | string): Promise<void> {
    const bytes = Buffer.from(content);
    await this.#entry(name, bytes.length, [bytes]);
  }

  async addFile(name: string, path: string): Promise<void> {
    await this.#entry(name, statSync(path).size, createReadStream(path));
  }

  /** @param manifest the last entry's content, without the checksums. */
  async finish(manifest: Omit<Manifest, "checksums">): Promise<void> {
    await this.add(MANIFEST_ENTRY, JSON.stringify({ ...manifest, checksums: { ...this.#checksums } }));
    await this.#write(TAR_END);
    this.#gzip.end();
    await this.#written;
    await rename(this.#unfinished, this.#path);
    await syncFolder(dirname(this.#path));
  }

  async abandon(): Promise<void> {
    this.#gzip.destroy();
    await this.#written.catch(() => {});
    await rm(this.#unfinished, { force: true });
  }

  async #entry(name: string, size: number, content: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
    const hash = createHash("sha256");
    await this.#write(tarHeader(name, size));
    let written = 0;
    for await (const piece of content) {
      hash.update(piece);
      written += piece.length;
      await this.#write(piece);
    }
    if (written !== size) throw new Error(`${name} changed while it was written`);
    await this.#write(tarPadding(size));
    this.#checksums[name] = hash.digest("hex");
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.#gzip.write(bytes)) return;
    // A file that cannot be written never drains. Its error may reach the compressor first, which does not know the file.
    const drained = once(this.#gzip, "drain").catch(() => this.#written);
    await Promise.race([drained, this.#written]);
  }
}

export async function* readEntries(path: string): AsyncGenerator<TarEntry> {
  const gunzip = createGunzip();
  const reading = pipeline(createReadStream(path), gunzip);
  reading.catch(() => {});
  try {
    yield* readTar(gunzip);
  } finally {
    gunzip.destroy();
  }
}

/** The backup may be on another disk than the installation, and in a folder of another user. */
function explainFailure(path: string, error: unknown): unknown {
  switch (codeOf(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return new Fatal(
        `The disk that holds ${path} is full: free space there, or name a file on another disk. Nothing was backed up.`,
      );
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new Fatal(
        `${path} cannot be written: give this user the right to write its folder, or name a file in another one. Nothing was backed up.`,
      );
    default:
      return error;
  }
}

/**
 * Reads the whole file and verifies every checksum before anything uses it.
 * @param keep returns the stream to write an entry's content to; it is ended after the entry.
 * @throws Fatal when the file is damaged, truncated or not a backup.
 */
export async function verifyArchive(
  path: string,
  keep: (name: string) => Writable | undefined,
): Promise<Manifest> {
  try {
    return await verify(path, keep);
  } catch (error) {
    // An error of the file system does not mean that the backup is damaged.
    if (error instanceof Fatal || (error instanceof Error && "syscall" in error)) throw error;
    throw damageOf(path, error instanceof Error ? error.message : String(error));
  }
}

async function verify(path: string, keep: (name: string) => Writable | undefined): Promise<Manifest> {
  const found: Record<string, string> = {};
  let manifest: Manifest | undefined;
  for await (const { name, content } of readEntries(path)) {
    if (name === MANIFEST_ENTRY) {
      manifest = Manifest.parse(JSON.parse(await readText(content)));
      continue;
    }
    const hash = createHash("sha256");
    const file = keep(name);
    for await (const piece of content) {
      hash.update(piece);
      if (file && !file.write(piece)) await once(file, "drain");
    }
    file?.end();
    found[name] = hash.digest("hex");
  }
  if (!manifest) throw damageOf(path, "its end is missing");
  const { checksums } = manifest;
  const names = new Set([...Object.keys(found), ...Object.keys(checksums)]);
  const wrong = [...names].find((name) => found[name] !== checksums[name]);
  if (wrong) throw damageOf(path, `${wrong} is not as it was written`);
  return manifest;
}

async function readText(content: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

function damageOf(path: string, how: string): Fatal {
  return new Fatal(
    `${path} is not a whole backup of Parley (${how}). Take another one; nothing was restored.`,
  );
}
