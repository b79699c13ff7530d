// Owns the bytes of the Postgres wire protocol 3.0: splits a client's stream into frames, and builds messages. Knows
// nothing of connections, turns or the engine. Source:
// https://www.postgresql.org/docs/current/protocol-message-formats.html

export interface Frame {
  /** The message's type, one ASCII letter; "" for the untyped packets that open a connection. */
  type: string;
  /** The complete message, including type and length. */
  bytes: Buffer;
}

/** An error that a client receives. */
export class SqlError extends Error {
  readonly sqlState: string;
  constructor(sqlState: string, message: string) {
    super(message);
    this.sqlState = sqlState;
  }
}

/** Thrown for a client that violates the protocol, or requests what it may not have. Ends that client's connection. */
export class ProtocolError extends SqlError {}

export const maxFrameBytes = 64 * 1024 * 1024;
const maxStartupBytes = 10_000;
const frontendTypes = new Set("QPBEDCSHFXdcfp");

/** Splits a stream into frames. Throws a ProtocolError for a frame that is too large, too short or of unknown type. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #size = 0;
  #isStartup: boolean;

  /** @param isStartup the stream starts with packets that have no type letter */
  constructor(isStartup: boolean) {
    this.#isStartup = isStartup;
  }

  /** Bytes received and not yet consumed. */
  get buffered(): number {
    return this.#size;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
  }

  /** From here on every message has a type letter. */
  startupIsOver(): void {
    this.#isStartup = false;
  }

  /** The next complete frame; null until more bytes arrive. */
  next(): Frame | null {
    const headerBytes = this.#isStartup ? 4 : 5;
    if (this.#size < headerBytes) return null;
    const head = this.#joined(headerBytes);
    const length = head.readUInt32BE(headerBytes - 4);
    const total = length + headerBytes - 4;
    const type = this.#isStartup ? "" : String.fromCharCode(head[0] ?? 0);
    if (!this.#isStartup && !frontendTypes.has(type)) {
      throw new ProtocolError("08P01", "a message of an unknown type was received");
    }
    if (length < (this.#isStartup ? 8 : 4)) {
      throw new ProtocolError("08P01", "a message is shorter than its own header");
    }
    const limit = this.#isStartup ? maxStartupBytes : maxFrameBytes;
    if (total > limit) {
      throw new ProtocolError(
        "54000",
        `a message of ${total} bytes is too large: at most ${limit} are taken`,
      );
    }
    if (this.#size < total) return null;
    const start = this.#joined(total);
    if (start.length > total) this.#chunks[0] = start.subarray(total);
    else this.#chunks.shift();
    this.#size -= total;
    return { type, bytes: start.subarray(0, total) };
  }

  /** The first chunk, extended to at least `bytes`; joins no more chunks than necessary. */
  #joined(bytes: number): Buffer {
    let count = 0;
    let have = 0;
    while (have < bytes) have += this.#chunks[count++]?.length ?? bytes;
    if (count > 1) this.#chunks.splice(0, count, Buffer.concat(this.#chunks.slice(0, count), have));
    return this.#chunks[0] ?? Buffer.alloc(0);
  }
}

/** A typed message around `body`; each text in it ends with a zero byte. */
export function message(type: string, ...body: (Uint8Array | string)[]): Buffer {
  const parts = body.map((part) => (typeof part === "string" ? Buffer.from(`${part}\0`) : part));
  const head = Buffer.alloc(5);
  head.write(type, 0, "latin1");
  head.writeUInt32BE(
    parts.reduce((sum, part) => sum + part.length, 4),
    1,
  );
  return Buffer.concat([head, ...parts]);
}

export function int32(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) buffer.writeInt32BE(value, index * 4);
  return buffer;
}

export const query = (sql: string): Buffer => message("Q", sql);
export const sync = message("S");
export const flush = message("H");
export const copyFail = (why: string): Buffer => message("f", why);
export const readyForQuery = message("Z", Buffer.from("I"));

export function errorResponse(severity: "ERROR" | "FATAL", sqlState: string, text: string): Buffer {
  return message("E", `S${severity}`, `V${severity}`, `C${sqlState}`, `M${text}`, Buffer.from([0]));
}

/** The fields of an ErrorResponse by their letters: M message, C SQLSTATE, R routine. */
export function errorFields(bytes: Uint8Array): Record<string, string> {
  const parts = Buffer.from(bytes).toString("utf8", 5).split("\0").filter(Boolean);
  return Object.fromEntries(parts.map((part) => [part.charAt(0), part.slice(1)]));
}

/** The C string at `offset`, and the offset of the next field. */
export function cString(bytes: Buffer, offset: number): { text: string; next: number } {
  const end = bytes.indexOf(0, offset);
  if (end < 0) throw new ProtocolError("08P01", "a string in a message has no end");
  return { text: bytes.toString("utf8", offset, end), next: end + 1 };
}

/** Joins parts into one array of exactly these bytes. A view of a larger buffer would be copied whole on its way to another thread. */
export function exactly(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
