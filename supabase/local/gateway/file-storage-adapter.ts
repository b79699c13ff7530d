// Owns the bytes of stored objects on disk: one file per object, named by the hash of its key, so no user-chosen name
// reaches the file system. Must not know who may read: allow-list.ts and signed tokens decide.
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { App } from "@supabase/lite";
import { syncFolder } from "../sync-folder.ts";
import { type ByteRange, byteRangeOf, type RangeHeaders } from "./byte-ranges.ts";
import { objectFile } from "./object-file.ts";
import { takeTurn } from "./turns.ts";

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
/** What a request asks for that lite does not pass on. */
interface Asked {
  range: RangeHeaders;
  /** True when it may replace an object that has a record. */
  replaces: boolean;
}
interface Running {
  asked: Asked;
  served: Served;
  /** Ends the turns that the request has taken. */
  ends: (() => void)[];
}
const requests = new AsyncLocalStorage<Running>();

const everything: RangeHeaders = { range: null, ifRange: null };

/** Runs a request for an object. A name that it gives is its own until it ends, when the object has its record. */
export async function servedFromDisk<T>(
  work: () => Promise<T>,
  { range = everything, replaces = false }: Partial<Asked> = {},
): Promise<Served & { result: T }> {
  const running: Running = { asked: { range, replaces }, served: {}, ends: [] };
  try {
    const result = await requests.run(running, work);
    return { result, ...running.served };
  } finally {
    for (const end of running.ends) end();
  }
}

function noteDiskError(error: unknown): void {
  const served = requests.getStore()?.served;
  if (served && error instanceof Error && "code" in error) served.code = String(error.code);
}

/** True when Storage has a record of an object, which names its bytes. */
type IsRecorded = (bucket: string, key: string) => Promise<boolean>;

export class FileStorageAdapter implements Adapter {
  readonly driver = "file";
  readonly #dir: string;
  readonly #isRecorded: IsRecorded;

  constructor(dir: string, isRecorded: IsRecorded) {
    this.#dir = dir;
    this.#isRecorded = isRecorded;
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
    const { asked, served } = requests.getStore() ?? {};
    const { size, eTag, lastModified = new Date() } = metadata;
    const range = byteRangeOf(asked?.range ?? everything, { size, eTag, lastModified });
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
    return objectFile(this.#dir, bucket, key);
  }

  /**
   * Readers see the old object or the complete new one. After a crash or on a full disk the old one remains. Bytes without a record, which a
   * killed process left, are replaced.
   * @throws Error with the code EEXIST when the object has a record that the request may not replace
   */
  async #replace(path: string, header: Header, body: Body): Promise<void> {
    const temporary = `${path}.${randomUUID()}${unfinished}`;
    try {
      await makeFolder(dirname(path));
      const file = await open(temporary, "wx", 0o600);
      try {
        await file.write(encodeHeader(header));
        await writeBody(file, body);
        await file.sync();
      } finally {
        await file.close();
      }
      await this.#name(temporary, path, header);
    } catch (error) {
      noteDiskError(error);
      await rm(temporary, { force: true }).catch(() => {});
      throw error;
    }
  }

  /**
   * Gives a complete file its final name, in turn: lite looks for a record before the upload and writes it afterwards, so that two uploads
   * of one object may both have found none. Of these the first to end stays.
   */
  async #name(temporary: string, path: string, { bucket, key }: Header): Promise<void> {
    const running = requests.getStore();
    const end = await takeTurn(path);
    try {
      if (!running?.asked.replaces && (await this.#isRecorded(bucket, key)))
        throw Object.assign(new Error("the object has a record"), { code: "EEXIST" });
      await rename(temporary, path);
      await syncFolder(dirname(path));
    } finally {
      if (running) running.ends.push(end);
      else end();
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

/** Node's recursive mkdir reports a full disk as a missing folder; the plain one gives the reason. */
async function makeFolder(path: string): Promise<void> {
  const mode = 0o700;
  const first = await mkdir(path, { recursive: true, mode }).catch(() => mkdir(path, { mode }));
  for (let made = path; first && made.length >= first.length; made = dirname(made))
    await syncFolder(dirname(made));
}

/**
 * Reads the body to its end, also once the disk is full: the connection of a request that is not read is closed, and the client's next request
 * on it fails.
 */
async function writeBody(file: FileHandle, body: Body): Promise<void> {
  if (body instanceof Uint8Array) {
    await file.writeFile(body);
    return;
  }
  let failure: unknown;
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (failure) continue;
    failure = await file.writeFile(part.value).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (failure) await file.truncate().catch(() => {});
  }
  if (failure) throw failure;
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
