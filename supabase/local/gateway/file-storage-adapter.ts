// Owns the bytes of stored objects on disk: one file per object, named by the hash of its key, so no user-chosen name
// reaches the file system. Must not know who may read: allow-list.ts and signed tokens decide.
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { App } from "@supabase/lite";
import { syncFolder } from "../sync-folder.ts";
import { type ByteRange, byteRangeOf, type RangeHeaders } from "./byte-ranges.ts";

type Adapter = NonNullable<App["_storageAdapter"]>;
type Metadata = Awaited<ReturnType<Adapter["headObject"]>>;
type Stored = Awaited<ReturnType<Adapter["getObject"]>>;
type Body = Parameters<Adapter["uploadObject"]>[3];

/** Metadata, stored as the first line of the object's file so that one rename replaces both. */
interface Header {
  bucket: string;
  key: string;
  contentType: string;
  cacheControl: string;
}

const HEADER_BYTES = 8192;
/** End of the name of an object that is being written. */
const unfinished = ".tmp";

/** Facts about a request that lite neither passes on nor reports. */
interface Served {
  /** Code of the file system's error, such as "ENOSPC" or "ENOENT". lite itself only answers "Internal server error". */
  code?: string;
  /** The bytes that were read, for a range request, and the object's size. */
  part?: { range: ByteRange | "unsatisfiable"; size: number };
}
const requests = new AsyncLocalStorage<{ asked: RangeHeaders; served: Served }>();

const everything: RangeHeaders = { range: null, ifRange: null };

/** Runs a request for a range of an object's bytes, or for all of them. */
export async function servedFromDisk<T>(
  work: () => Promise<T>,
  asked = everything,
): Promise<Served & { result: T }> {
  const served: Served = {};
  const result = await requests.run({ asked, served }, work);
  return { result, ...served };
}

function noteDiskError(error: unknown): void {
  const served = requests.getStore()?.served;
  if (served && error instanceof Error && "code" in error) served.code = String(error.code);
}

export class FileStorageAdapter implements Adapter {
  readonly driver = "file";
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async uploadObject(
    bucket: string,
    key: string,
    _version: string | undefined,
    body: Body,
    contentType: string,
    cacheControl: string,
  ): Promise<Metadata> {
    const path = this.#path(bucket, key);
    await this.#replace(path, { bucket, key, contentType, cacheControl }, body);
    return this.headObject(bucket, key);
  }

  async getObject(bucket: string, key: string): Promise<Stored> {
    const metadata = await this.headObject(bucket, key);
    const { asked = everything, served } = requests.getStore() ?? {};
    const { size, eTag, lastModified = new Date() } = metadata;
    const range = byteRangeOf(asked, { size, eTag, lastModified });
    if (served && range) served.part = { range, size };
    const { start, end } =
      range === "unsatisfiable" ? { start: 0, end: -1 } : (range ?? { start: 0, end: size - 1 });
    const part = { start: HEADER_BYTES + start, end: HEADER_BYTES + end };
    const bytes =
      end < start ? new Blob().stream() : Readable.toWeb(createReadStream(this.#path(bucket, key), part));
    return {
      httpStatusCode: 200,
      metadata: { ...metadata, contentLength: end - start + 1 },
      // Node's and the DOM's ReadableStream are one class at run time, with two names in the types.
      body: bytes as Stored["body"],
    };
  }

  async headObject(bucket: string, key: string): Promise<Metadata> {
    const path = this.#path(bucket, key);
    const [info, header] = await Promise.all([stat(path), readHeader(path)]).catch((error: unknown) => {
      noteDiskError(error);
      throw error;
    });
    const size = info.size - HEADER_BYTES;
    return {
      cacheControl: header.cacheControl,
      contentLength: size,
      size,
      mimetype: header.contentType,
      lastModified: info.mtime,
      eTag: `"${createHash("sha256").update(`${info.ino}:${info.mtimeMs}:${size}`).digest("hex").slice(0, 32)}"`,
    };
  }

  async deleteObject(bucket: string, key: string): Promise<void> {
    await rm(this.#path(bucket, key), { force: true });
  }

  async deleteObjects(bucket: string, keys: string[]): Promise<void> {
    for (const key of keys) await this.deleteObject(bucket, key);
  }

  async copyObject(
    bucket: string,
    key: string,
    _version: string | undefined,
    toBucket: string,
    toKey: string,
  ): Promise<Pick<Metadata, "httpStatusCode" | "eTag" | "lastModified">> {
    const from = this.#path(bucket, key);
    const header = await readHeader(from);
    const bytes = Readable.toWeb(createReadStream(from, { start: HEADER_BYTES })) as Body;
    await this.#replace(this.#path(toBucket, toKey), { ...header, bucket: toBucket, key: toKey }, bytes);
    const { eTag, lastModified } = await this.headObject(toBucket, toKey);
    return { httpStatusCode: 200, eTag, lastModified };
  }

  async privateAssetUrl(bucket: string, key: string): Promise<string> {
    return `file://${this.#path(bucket, key)}`;
  }

  #path(bucket: string, key: string): string {
    const name = createHash("sha256").update(`${bucket}\0${key}`).digest("hex");
    return join(this.#dir, name.slice(0, 2), name);
  }

  /**
   * Readers see the old object or the complete new one. After a crash or on a full disk the old one remains. Of two that are stored at once
   * where none was, the first to end stays: a signed URL uploads one object, which may be registered while the other still arrives.
   */
  async #replace(path: string, header: Header, body: Body): Promise<void> {
    const temporary = `${path}.${randomUUID()}${unfinished}`;
    try {
      const isNew = !(await stat(path).catch(() => undefined));
      await makeFolder(dirname(path));
      const file = await open(temporary, "wx", 0o600);
      try {
        await file.write(encodeHeader(header));
        await writeBody(file, body);
        await file.sync();
      } finally {
        await file.close();
      }
      if (isNew) await nameOnce(temporary, path);
      else await rename(temporary, path);
      await syncFolder(dirname(path));
    } catch (error) {
      noteDiskError(error);
      await rm(temporary, { force: true }).catch(() => {});
      throw error;
    }
  }
}

/** Deletes the uploads that a killed process did not finish. To be called before the first one begins. */
export async function removeUnfinished(dir: string): Promise<void> {
  const folders = await readdir(dir).catch(() => []);
  for (const folder of folders) {
    const names = await readdir(join(dir, folder)).catch(() => []);
    for (const name of names)
      if (name.endsWith(unfinished)) await rm(join(dir, folder, name), { force: true });
  }
}

/** What some file systems without hard links answer. */
const withoutLinks = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** Gives a file its final name. @throws EEXIST when another file has it */
async function nameOnce(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
    await rm(temporary, { force: true });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!withoutLinks.has(code)) throw error;
    if (await stat(path).catch(() => undefined))
      throw Object.assign(new Error("the name is taken"), { code: "EEXIST" });
    await rename(temporary, path);
  }
}

/** Node's recursive mkdir reports a full disk as a missing folder; the plain one gives the reason. */
async function makeFolder(path: string): Promise<void> {
  const mode = 0o700;
  const first = await mkdir(path, { recursive: true, mode }).catch(() => mkdir(path, { mode }));
  for (let made = path; first && made.length >= first.length; made = dirname(made))
    await syncFolder(dirname(made));
}

async function writeBody(file: FileHandle, body: Body): Promise<void> {
  if (body instanceof Uint8Array) {
    await file.writeFile(body);
    return;
  }
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    await file.writeFile(value);
  }
}

function encodeHeader(header: Header): Buffer {
  const block = Buffer.alloc(HEADER_BYTES, " ");
  const written = block.write(`${JSON.stringify(header)}\n`, 0, "utf8");
  if (written >= HEADER_BYTES) throw new Error("The object's key or content type is too long");
  return block;
}

/** @throws SyntaxError when the file is not a stored object's */
export async function readHeader(path: string): Promise<Header> {
  const file = await open(path, "r");
  try {
    const block = Buffer.alloc(HEADER_BYTES);
    const { bytesRead } = await file.read(block, 0, HEADER_BYTES, 0);
    const header: Header = JSON.parse(block.toString("utf8", 0, bytesRead));
    return header;
  } finally {
    await file.close();
  }
}
