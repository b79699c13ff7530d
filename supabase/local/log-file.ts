// Owns the log of one process: a size-limited file under <data>/logs, and its last lines for error messages.
import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const MOST_BYTES = 5 * 1024 * 1024;
const LINES_KEPT = 20;

/** What Node prints below an uncaught error. */
const isOfStackTrace = (line: string) => /^(?: {4}at |Node\.js v\d)/.test(line);

export class LogFile {
  readonly path: string;
  /** undefined when the disk rejects writes: a log must not end the supervisor. */
  #file: number | undefined;
  #bytes = 0;
  /** A full disk took only a part of a line. The next one starts on a line of its own. */
  #isCut = false;
  #tail: string[] = [];
  #partial = "";

  constructor(path: string) {
    this.path = path;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#open();
  }

  write(chunk: Buffer | string): void {
    const lines = (this.#partial + chunk.toString()).split("\n");
    this.#partial = (lines.pop() ?? "").slice(-4096);
    this.#tail = [...this.#tail, ...lines.filter(Boolean)].slice(-LINES_KEPT);
    this.#attempt(() => {
      if (this.#bytes > MOST_BYTES) this.#rotate();
      if (this.#file === undefined) return;
      const bytes = Buffer.from(chunk);
      const wasCut = this.#isCut;
      this.#isCut = true;
      if (wasCut) writeSync(this.#file, "\n");
      const written = writeSync(this.#file, bytes);
      this.#bytes += written;
      this.#isCut = written < bytes.length;
    });
  }

  /** The last message that the process logged: the `message` of a JSON line, the error above a stack trace, or the line itself. */
  lastMessage(): string {
    const lines = [...this.#tail, this.#partial].reverse().filter((text) => text.trim());
    const line = lines.find((text) => !isOfStackTrace(text)) ?? lines[0] ?? "";
    try {
      const entry: unknown = JSON.parse(line);
      if (entry && typeof entry === "object" && "message" in entry) return String(entry.message);
    } catch {
      // A crash prints a stack trace, which is not JSON.
    }
    return line.trim();
  }

  close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) this.#attempt(() => closeSync(file));
  }

  #open(): void {
    this.#attempt(() => {
      this.#file = openSync(this.path, "a", 0o600);
      this.#bytes = fstatSync(this.#file).size;
    });
  }

  #rotate(): void {
    this.close();
    renameSync(this.path, `${this.path}.1`);
    this.#open();
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch {
      // A failure of the log itself cannot be logged.
    }
  }
}
