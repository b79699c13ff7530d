// Owns the parsing of the engine's responses as they stream: message boundaries, transaction status, errors. Must not
// change a byte.

import type { Status } from "./engine-messages.ts";

const letter = { ready: 0x5a, copyIn: 0x47, error: 0x45, complete: 0x43 } as const;
const watched = new Set<number | undefined>(Object.values(letter));
const statuses: Record<string, Status> = { I: "I", T: "T", E: "E" };

/** Parses a stream of backend messages, however it is split into chunks. */
export class OutputScanner {
  status: Status = "I";
  /** True when a response has told of the end of a transaction; the reader resets it. */
  hasConfirmed = false;
  /** True while COPY FROM STDIN runs and waits for data. */
  copyIn = false;
  /** The last ErrorResponse, complete; the reader resets it. */
  error: Uint8Array | null = null;
  /** Tags of finished commands; the reader resets them. */
  readonly tags: string[] = [];
  /** An incomplete message. */
  #rest: Buffer = Buffer.alloc(0);
  /** Bytes that remain of a message that is skipped. */
  #skip = 0;

  scan(chunk: Uint8Array): void {
    const skipped = Math.min(this.#skip, chunk.length);
    this.#skip -= skipped;
    const fresh = Buffer.from(chunk.buffer, chunk.byteOffset + skipped, chunk.length - skipped);
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, fresh]) : fresh;
    let at = 0;
    while (bytes.length - at >= 5) {
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      if (watched.has(bytes[at])) {
        if (end > bytes.length) break;
        this.#note(bytes[at], bytes.subarray(at, end));
      }
      at = end;
    }
    if (at > bytes.length) this.#skip = at - bytes.length;
    this.#rest = bytes.subarray(at);
  }

  #note(type: number | undefined, message: Buffer): void {
    this.copyIn = type === letter.copyIn;
    if (type === letter.ready) this.status = statuses[message.toString("latin1", 5)] ?? "-";
    if (type === letter.ready && this.status === "I") this.hasConfirmed = true;
    if (type === letter.error) this.error = message;
    if (type !== letter.complete) return;
    const tag = message.toString("latin1", 5, message.length - 1);
    if (tag === "COMMIT") this.hasConfirmed = true;
    this.tags.push(tag);
  }
}

/** The first column of a response's first row, as text. */
export function firstCell(answer: Buffer): string | null {
  for (let at = 0; at < answer.length; at += answer.readUInt32BE(at + 1) + 1) {
    if (answer[at] !== 0x44) continue;
    const length = answer.readInt32BE(at + 7);
    return length < 0 ? null : answer.toString("utf8", at + 11, at + 11 + length);
  }
  return null;
}
