// Owns an archive's bytes in storage, whose size limit for objects is smaller than an archive: stores a stream in parts, and reads any
// range of it. Does not know the content.
import { createHash } from "node:crypto";
import { ApiError, tooLarge } from "../_shared/requests/errors.ts";
import {
  discardObjects,
  getObject,
  newObjectKey,
  type ObjectKey,
  putObject,
} from "../_shared/storage/storage.ts";

/** Maximum size of an archive, in bytes. */
export const maxArchiveBytes = 1024 * 1024 * 1024;
/** One part is held in memory while it is read. */
const partBytes = 8 * 1024 * 1024;

export interface StoredArchive {
  /** The parts are objects under this id. */
  archive: string;
  parts: number;
  size: number;
}

/** sql/54_team_imports.sql finds the parts by the same name. */
const partKey = (archive: string, part: number): ObjectKey =>
  newObjectKey(archive, `00000000-0000-7000-8000-${part.toString(16).padStart(12, "0")}`);

/** Counts and hashes the bytes of a stream. @throws ApiError PAYLOAD_TOO_LARGE */
export async function* measureChunks(
  chunks: AsyncIterable<Uint8Array>,
  meter: ArchiveMeter,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    meter.size += chunk.length;
    if (meter.size > maxArchiveBytes) throw tooLarge(maxArchiveBytes);
    meter.hash.update(chunk);
    if (chunk.length > 0) yield chunk;
  }
}

export class ArchiveMeter {
  size = 0;
  readonly hash = createHash("sha256");
}

/**
 * Stores an archive from a stream. If anything fails, its parts are deleted.
 * @throws any error of the stream; ApiError UNAVAILABLE
 */
export async function storeArchive(
  archive: string,
  bytes: AsyncGenerator<Uint8Array>,
): Promise<StoredArchive> {
  let problem: unknown;
  const next = async () => {
    try {
      return (await bytes.next()).value;
    } catch (error) {
      problem = error;
      throw error;
    }
  };
  let size = 0;
  let parts = 0;
  try {
    let pending: Uint8Array | undefined = (await next()) ?? undefined;
    while (pending) {
      let room = partBytes;
      const part = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            if (!pending || room === 0) return controller.close();
            const piece: Uint8Array = pending.subarray(0, room);
            pending =
              piece.length < pending.length ? pending.subarray(piece.length) : ((await next()) ?? undefined);
            room -= piece.length;
            size += piece.length;
            controller.enqueue(piece);
          },
        },
        { highWaterMark: 0 },
      );
      await putObject(partKey(archive, parts++), part, "application/octet-stream");
    }
  } catch (error) {
    await discardArchive({ archive, parts, size });
    // fetch wraps the error of its body.
    throw problem ?? error;
  } finally {
    await bytes.return(undefined);
  }
  return { archive, parts, size };
}

const keysOf = ({ archive, parts }: StoredArchive): ObjectKey[] =>
  Array.from({ length: parts }, (_, part) => partKey(archive, part));

/** Deletes the archive of a failed import, as discardObjects(). */
export const discardArchive = async (stored: StoredArchive): Promise<void> => discardObjects(keysOf(stored));

/** Random access to a stored archive. Holds one part in memory. */
export class ArchiveBytes {
  readonly size: number;
  readonly #stored: StoredArchive;
  #held: { part: number; bytes: Uint8Array } | undefined;

  constructor(stored: StoredArchive) {
    this.#stored = stored;
    this.size = stored.size;
  }

  /** Streams the bytes of a range. @throws ApiError NOT_FOUND when a part is missing, UNAVAILABLE */
  async *read(from: number, to: number): AsyncGenerator<Uint8Array> {
    for (let at = from; at < to; ) {
      const part = Math.floor(at / partBytes);
      const start = part * partBytes;
      const bytes = await this.#part(part);
      const piece = bytes.subarray(at - start, to - start);
      if (piece.length === 0) throw new ApiError("NOT_FOUND");
      yield piece;
      at += piece.length;
    }
  }

  /** Reads a small range at once. */
  async whole(from: number, to: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(to - from);
    let at = 0;
    for await (const piece of this.read(from, to)) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }

  async #part(part: number): Promise<Uint8Array> {
    if (this.#held?.part !== part) {
      this.#held = undefined;
      this.#held = { part, bytes: await this.#load(part) };
    }
    return this.#held.bytes;
  }

  async #load(part: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(Math.max(0, Math.min(partBytes, this.size - part * partBytes)));
    let at = 0;
    try {
      const { body } = await getObject(partKey(this.#stored.archive, part));
      for await (const piece of body) {
        if (at + piece.length > bytes.length) throw new ApiError("NOT_FOUND");
        bytes.set(piece, at);
        at += piece.length;
      }
    } catch (cause) {
      throw cause instanceof ApiError ? cause : new ApiError("UNAVAILABLE", undefined, { cause });
    }
    return bytes.subarray(0, at);
  }
}
