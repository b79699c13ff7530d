// Owns a raw Postgres client for tests of the wire server: it sends exactly the given messages, in the given pieces, and returns every
// message received. It can do what no real client does.
import { createConnection, type Socket } from "node:net";
import { int32, message, query } from "../../supabase/local/postgres/protocol.ts";

export interface Answer {
  type: string;
  body: Buffer;
}

export class RawClient {
  readonly socket: Socket;
  #bytes = Buffer.alloc(0);
  #closed = false;
  #wake: () => void = () => {};
  processId = 0;
  secret = 0;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (chunk) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#wake();
    });
    const markClosed = () => {
      this.#closed = true;
      this.#wake();
    };
    socket.on("error", markClosed);
    socket.on("close", markClosed);
  }

  /** Opens a connection without a login. */
  static async dial(port: number): Promise<RawClient> {
    const socket = createConnection({ port, host: "127.0.0.1" });
    await new Promise((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
    return new RawClient(socket);
  }

  /** Opens a connection and logs in; after a failure, the last message has the reason. */
  static async login(
    port: number,
    user: string,
    password: string,
    settings: Record<string, string> = {},
  ): Promise<{ client: RawClient; answers: Answer[] }> {
    const client = await RawClient.dial(port);
    client.send(startup({ user, database: "postgres", ...settings }));
    const first = await client.next();
    if (first?.type !== "R") return { client, answers: first ? [first] : [] };
    client.send(message("p", password));
    const answers = await client.until("Z");
    const key = answers.find(({ type }) => type === "K");
    client.processId = key?.body.readInt32BE(0) ?? 0;
    client.secret = key?.body.readInt32BE(4) ?? 0;
    return { client, answers };
  }

  get closed(): boolean {
    return this.#closed;
  }

  send(...messages: Uint8Array[]): void {
    this.socket.write(Buffer.concat(messages));
  }

  /** The next message, or null when the server has closed the connection. */
  async next(): Promise<Answer | null> {
    for (;;) {
      if (this.#bytes.length >= 5) {
        const total = this.#bytes.readUInt32BE(1) + 1;
        if (this.#bytes.length >= total) {
          const answer = {
            type: String.fromCharCode(this.#bytes[0] ?? 0),
            body: this.#bytes.subarray(5, total),
          };
          this.#bytes = this.#bytes.subarray(total);
          return answer;
        }
      }
      if (this.#closed) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** One untyped byte: the answer to an SSLRequest. */
  async nextByte(): Promise<string> {
    while (this.#bytes.length === 0 && !this.#closed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const byte = this.#bytes.toString("latin1", 0, 1);
    this.#bytes = this.#bytes.subarray(1);
    return byte;
  }

  /** Messages up to and including the first of a type; all of them when the server closes before. */
  async until(type: string): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (;;) {
      const answer = await this.next();
      if (!answer) return answers;
      answers.push(answer);
      if (answer.type === type) return answers;
    }
  }

  async query(sql: string): Promise<Answer[]> {
    this.send(query(sql));
    return this.until("Z");
  }

  destroy(): void {
    this.socket.destroy();
  }
}

export function startup(settings: Record<string, string>): Buffer {
  const body = Buffer.from(
    `${Object.entries(settings)
      .flat()
      .map((text) => `${text}\0`)
      .join("")}\0`,
  );
  return Buffer.concat([int32(body.length + 8, 3 << 16), body]);
}

export const parse = (name: string, sql: string) => message("P", name, sql, Buffer.from([0, 0]));
export const bind = (statement: string, values: string[] = [], portal = "") =>
  message(
    "B",
    portal,
    statement,
    Buffer.from([0, 0, values.length >> 8, values.length & 255]),
    ...values.flatMap((value) => [int32(Buffer.byteLength(value)), Buffer.from(value)]),
    Buffer.from([0, 0]),
  );
export const describe = (kind: "S" | "P", name: string) => message("D", Buffer.from(kind), name);
export const execute = (portal = "", rows = 0) => message("E", portal, int32(rows));

/** The rows in some answers, every value as text. */
export function rows(answers: Answer[]): (string | null)[][] {
  return answers
    .filter(({ type }) => type === "D")
    .map(({ body }) => {
      const values: (string | null)[] = [];
      let at = 2;
      for (let column = 0; column < body.readInt16BE(0); column += 1) {
        const length = body.readInt32BE(at);
        at += 4;
        values.push(length < 0 ? null : body.toString("utf8", at, at + length));
        at += Math.max(length, 0);
      }
      return values;
    });
}

/** The first error in some answers, by its letters: C is the SQLSTATE, M the message, S the severity. */
export function errorIn(answers: Answer[]): Record<string, string> | null {
  const error = answers.find(({ type }) => type === "E");
  if (!error) return null;
  const parts = error.body.toString("utf8").split("\0").filter(Boolean);
  return Object.fromEntries(parts.map((part) => [part.charAt(0), part.slice(1)]));
}

export const types = (answers: Answer[]): string => answers.map(({ type }) => type).join("");
