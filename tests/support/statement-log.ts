// Owns a database proxy that logs its clients' statements. Changes nothing on the way.
import { connect, createServer, type Socket } from "node:net";

export interface StatementLog {
  port: number;
  /** Every executed statement, in order, one line each; those that open and end transactions included. */
  statements: string[];
  stop(): Promise<void>;
}

/** Frontend messages of the protocol, version 3.0: postgresql.org/docs/current/protocol-message-formats.html. */
const messages = { parse: "P", bind: "B", query: "Q" };

export async function startStatementLog(databasePort: number): Promise<StatementLog> {
  const statements: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(databasePort, "127.0.0.1");
    const read = readerOf((statement) => statements.push(statement.replace(/\s+/g, " ").trim()));
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    client.on("data", read);
    client.pipe(database).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    statements,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function readerOf(note: (statement: string) => void): (bytes: Buffer) => void {
  const prepared = new Map<string, string>();
  let unread = Buffer.alloc(0);
  let isOpened = false;
  return (bytes) => {
    unread = Buffer.concat([unread, bytes]);
    // The first message has no type byte before its length.
    for (;;) {
      const head = isOpened ? 1 : 0;
      if (unread.length < head + 4) return;
      const end = head + unread.readInt32BE(head);
      if (unread.length < end) return;
      const type = isOpened ? String.fromCharCode(unread[0] ?? 0) : "";
      const [first = "", second = ""] = unread.toString("utf8", head + 4, end).split("\0", 2);
      if (type === messages.query) note(first);
      if (type === messages.parse) prepared.set(first, second);
      if (type === messages.bind) note(prepared.get(second) ?? "");
      unread = unread.subarray(end);
      isOpened = true;
    }
  };
}
