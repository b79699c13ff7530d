// Owns a database proxy that acts at an exact moment: at the n-th client message, or at the first one that contains a text.
import { connect, createServer, type Socket } from "node:net";

export interface Fuse {
  port: number;
  /** Calls `act` at the n-th message from now on, or the first with a text; the database receives that message only when `isDelivered`. */
  burnAt(message: number | string, isDelivered: boolean, act: () => void): void;
  /** The number of client messages so far, and the time during which at least one waited for its answer. */
  traffic(): { messages: number; busyMs: number };
  /** Breaks every connection; new ones are accepted. @param isGone until the next call, they are closed at their first message */
  cut(isGone?: boolean): void;
  stop(): Promise<void>;
}

export async function startFuse(databasePort: number): Promise<Fuse> {
  let left = Number.POSITIVE_INFINITY;
  let text: string | undefined;
  let delivered = true;
  let act = () => {};
  let messages = 0;
  let busyMs = 0;
  /** Connections that wait for an answer; overlapping waits count once. */
  const waiting = new Set<Socket>();
  let busySince = 0;
  const noteQuestion = (client: Socket) => {
    messages++;
    if (waiting.size === 0) busySince = performance.now();
    waiting.add(client);
  };
  const noteAnswer = (client: Socket) => {
    if (waiting.delete(client) && waiting.size === 0) busyMs += performance.now() - busySince;
  };
  const sockets = new Set<Socket>();
  let isAway = false;
  const server = createServer((client) => {
    // As a proxy does that finds nobody behind it.
    if (isAway) {
      sockets.add(client);
      client.on("error", () => {}).on("close", () => sockets.delete(client));
      return void client.once("data", () => client.destroy());
    }
    const database = connect(databasePort, "127.0.0.1");
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        sockets.delete(one);
        noteAnswer(client);
        other.destroy();
      });
    }
    database.on("data", (bytes) => {
      noteAnswer(client);
      client.write(bytes);
    });
    client.on("data", (bytes) => {
      noteQuestion(client);
      left--;
      const burns = text === undefined ? left === 0 : bytes.includes(text);
      if (!burns || delivered) database.write(bytes);
      if (!burns) return;
      left = 0;
      text = undefined;
      act();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const cut = (isGone = false) => {
    isAway = isGone;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === "object" && address ? address.port : 0,
    burnAt: (message, isDelivered, then) => {
      left = typeof message === "number" ? message : Number.POSITIVE_INFINITY;
      text = typeof message === "string" ? message : undefined;
      delivered = isDelivered;
      act = then;
    },
    traffic: () => ({ messages, busyMs }),
    cut,
    stop: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
