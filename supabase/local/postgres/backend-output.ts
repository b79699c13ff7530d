// Owns the parsing of the engine's responses as they stream: message boundaries, transaction status, errors. Must not
// change a byte.

import type { Status } from "./engine-messages.ts";

/** Parses a stream of backend messages, however it is split into chunks. */
export class OutputScanner {
  status: Status = "-";
  copyIn = false;
  forgotStatements = false;
  changedSettings = false;
  preparedInSql = false;
  /** Number of Parse messages executed before each ReadyForQuery. After an error, the remaining ones are skipped. */
  parsed = [0];
  /** The first ErrorResponse, complete. */
  error: Uint8Array | null = null;
  #head = new Uint8Array(5);
  #headSize = 0;
  #left = 0;
  #type = 0;
  #body: number[] = [];

  scan(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#headSize < 5) {
        this.#head[this.#headSize++] = bytes[at++] ?? 0;
        if (this.#headSize < 5) continue;
        this.#type = this.#head[0] ?? 0;
        this.#left = new DataView(this.#head.buffer).getUint32(1) - 4;
        this.#body = [];
      }
      const take = Math.min(this.#left, bytes.length - at);
      if (interesting.has(this.#type)) this.#body.push(...bytes.subarray(at, at + Math.min(take, 4096)));
      at += take;
      this.#left -= take;
      if (this.#left === 0) {
        this.#finish();
        this.#headSize = 0;
      }
    }
  }

  #finish(): void {
    switch (this.#type) {
      case letter.ready:
        this.status = statuses[String.fromCharCode(this.#body[0] ?? 0)] ?? "-";
        this.copyIn = false;
        this.parsed.push(0);
        break;
      case letter.parsed:
        this.parsed.push((this.parsed.pop() ?? 0) + 1);
        break;
      case letter.copyIn:
        this.copyIn = true;
        break;
      case letter.error:
        this.copyIn = false;
        this.error ??= Uint8Array.from([...this.#head, ...this.#body]);
        break;
      case letter.complete: {
        this.copyIn = false;
        const tag = String.fromCharCode(...this.#body.slice(0, -1));
        if (tag.startsWith("DISCARD ALL") || tag.startsWith("DEALLOCATE")) this.forgotStatements = true;
        if (tag === "PREPARE") this.preparedInSql = true;
        if (tag === "SET" || tag === "RESET" || tag === "DISCARD ALL") this.changedSettings = true;
        break;
      }
    }
  }
}

const letter = { parsed: 0x31, ready: 0x5a, copyIn: 0x47, error: 0x45, complete: 0x43 } as const;
const interesting = new Set<number>([letter.ready, letter.error, letter.complete]);
const statuses: Record<string, Status> = { I: "I", T: "T", E: "E" };

/** The first column of a response's first row, as text. */
export function firstCell(answer: Buffer): string | null {
  for (let at = 0; at < answer.length; at += answer.readUInt32BE(at + 1) + 1) {
    if (answer[at] !== 0x44) continue;
    const length = answer.readInt32BE(at + 7);
    return length < 0 ? null : answer.toString("utf8", at + 11, at + 11 + length);
  }
  return null;
}
