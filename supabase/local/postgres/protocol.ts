// Owns the bytes of the Postgres wire protocol 3.0: splits a client's stream into frames, and builds messages. Knows
// nothing of connections, turns or the engine. Source:
// https://www.postgresql.org/docs/current/protocol-message-formats.html

export interface Frame {
  /** The message's type, one ASCII letter; "" for the untyped packets that open a connection. */
  type: string;
  /** The complete message, including type and length. */
  bytes: Buffer;
}

/** A client that violates the protocol, or requests what it may not have. Ends that client's connection. */
export class ProtocolError extends Error {
  readonly sqlState: string;
  constructor(sqlState: string, message: string) {
    super(message);
    this.sqlState = sqlState;
  }
}

export const maxFrameBytes = 64 * 1024 * 1024;
const maxStartupBytes = 10_000;
const frontendTypes = new Set("QPBEDCSHFXdcfp");

/** Splits a stream into frames. Throws a ProtocolError for a frame that is too large, too short or of unknown type. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #size = 0;
  #startup = true;

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
    this.#startup = false;
  }

  /** The next complete frame; null until more bytes arrive. */
  next(): Frame | null {
    const headerBytes = this.#startup ? 4 : 5;
    if (this.#size < headerBytes) return null;
    const head = this.#joined(headerBytes);
    const length = head.readUInt32BE(headerBytes - 4);
    const total = length + headerBytes - 4;
    const type = this.#startup ? "" : String.fromCharCode(head[0] ?? 0);
    if (!this.#startup && !frontendTypes.has(type)) {
      throw new ProtocolError("08P01", "a message of an unknown type was received");
    }
    if (length < (this.#startup ? 8 : 4)) {
      throw new ProtocolError("08P01", "a message is shorter than its own header");
    }
    const limit = this.#startup ? maxStartupBytes : maxFrameBytes;
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

/** A typed message around `body`. */
export function message(type: string, ...body: (Buffer | string)[]): Buffer {
  const parts = body.map((part) => (typeof part === "string" ? Buffer.from(`${part}\0`) : part));
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  const head = Buffer.alloc(5);
  head.write(type, 0, "latin1");
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, ...parts]);
}

export function int32(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => {
    buffer.writeInt32BE(value, index * 4);
  });
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

/** The fields of an ErrorResponse by their letters: M message, C SQLSTATE, S severity. */
export function errorFields(bytes: Uint8Array): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const part of Buffer.from(bytes).subarray(5).toString("utf8").split("\0")) {
    if (part) fields[part.charAt(0)] = part.slice(1);
  }
  return fields;
}

/** The C string at `offset`, and the offset of the next field. */
export function cString(bytes: Buffer, offset: number): { text: string; next: number } {
  const end = bytes.indexOf(0, offset);
  if (end < 0) throw new ProtocolError("08P01", "a string in a message has no end");
  return { text: bytes.toString("utf8", offset, end), next: end + 1 };
}

/** Parses a StartupMessage's `name\0value\0…\0` list. */
export function startupSettings(bytes: Buffer): Map<string, string> {
  const settings = new Map<string, string>();
  let at = 8;
  while (at < bytes.length && bytes[at] !== 0) {
    const name = cString(bytes, at);
    const value = cString(bytes, name.next);
    settings.set(name.text, value.text);
    at = value.next;
  }
  return settings;
}
