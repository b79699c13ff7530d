// Owns the connection pool to Postgres and a transaction's wire protocol: one message opens it, a lost connection ends it.
// Must not know callers.
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { env } from "../env.ts";
import { log } from "../operation/log.ts";
import { waitMs } from "../outbound/retry.ts";
import { ApiError } from "../requests/errors.ts";
import { ConnectionQueue, type Turn } from "./connection-queue.ts";
import { openSocket } from "./gathering-socket.ts";
import { isLoss, isSilence, isStatement, Line, mostSilentMs, newSilence } from "./line.ts";
import { toIso } from "./times.ts";

export type Transaction = postgres.ISql;

/** Seconds until the connections of a replaced pool are cut. Of one that has fallen silent, Postgres would keep the locks. */
const endSeconds = 600;
const endSilentSeconds = 5;

let pool: postgres.Sql | undefined;
/** Number of closes so far. A transaction that was waiting during a close must not reopen the pool. */
let closeCount = 0;
/** Transactions that hold a connection, and those that wait for one. */
let running = 0;
let waiting = 0;
let queue: ConnectionQueue | undefined;

export type PoolUse = { size: number; running: number; waiting: number };

export function poolUse(): PoolUse {
  return { size: env().DATABASE_POOL_SIZE, running, waiting };
}

const reconnecting = { firstMs: 50, factor: 2, longestMs: 1000 };
/** An option of the driver that its types lack. */
const ownSocket = { socket: openSocket };

function connection(): postgres.Sql {
  const { DATABASE_URL, DATABASE_POOL_SIZE, DATABASE_PREPARE } = env();
  pool ??= postgres(DATABASE_URL, {
    ...ownSocket,
    max: DATABASE_POOL_SIZE,
    // Seconds. Questions come in bursts, and opening a connection takes as long as three short reads.
    idle_timeout: 300,
    connect_timeout: 15,
    // Seconds. The driver's own back-off waits for up to 20 s; this one reconnects soon after the database is back.
    backoff: (failures: number) => waitMs(reconnecting, failures + 1) / 1000,
    prepare: DATABASE_PREPARE,
    onnotice: noteWarning,
    transform: { column: { from: postgres.toCamel }, undefined: null },
    types: {
      // Times are returned as ISO 8601 UTC strings, counts and sizes as numbers.
      date: {
        to: 1184,
        from: [1082, 1114, 1184],
        serialize: (value: Date | string) => String(value instanceof Date ? value.toJSON() : value),
        parse: toIso,
      },
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      // For a value whose type only the statement shows: the driver sends it with the statement, before Postgres reports its type.
      untyped: { to: 0, from: [], serialize: asText, parse: String },
    },
  });
  return pool;
}

/** Serializes a value in Postgres's text format: arrays in braces, objects as JSON. */
function asText(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(asElement).join(",")}}`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function asElement(value: unknown): string {
  if (value === null || value === undefined) return "null";
  return Array.isArray(value) ? asText(value) : `"${asText(value).replace(/["\\]/g, "\\$&")}"`;
}

/** Logs a notice raised by one of our SQL functions, for example when it skips a row. */
function noteWarning({ severity, code, message }: postgres.Notice): void {
  if (severity === "WARNING" && code === "01000")
    log("error", "a warning from the database", { warning: message });
}

/** Quotes a text as an SQL literal, safe for any content and any backslash setting of the server. */
export function literal(text: string): string {
  return `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''").replaceAll("\0", "")}'`;
}

export interface Plan<T> {
  /** SQL that sets the caller for the transaction. Sent in one message with `begin`, so it costs no extra round trip. */
  opening: string;
  /**
   * The first statements of `work` are sent together with the opening; they run only if the opening succeeds. A `work` that returns a
   * statement itself is only that one, so the commit is sent with it.
   * @param opened the rows of the opening's last statement
   */
  work(tx: Transaction, opened: Promise<postgres.Row[]>): Promise<T>;
  /** For reads: all statements and the commit are sent before any answer is awaited. */
  isOneTrip: boolean;
  /** Decides which comes first when more transactions wait than there are connections. */
  turn: Turn;
}

/** Runs a transaction when it is its turn. */
export async function runTransaction<T>(plan: Plan<T>): Promise<T> {
  const closedBefore = closeCount;
  queue ??= new ConnectionQueue(env().DATABASE_POOL_SIZE);
  const own = queue;
  waiting += 1;
  await own.enter(plan.turn);
  try {
    return await runConnected(plan, closedBefore);
  } finally {
    own.leave(plan.turn);
  }
}

/**
 * Runs a transaction. The driver's begin() would wait for the answer to `begin` before it sends anything else.
 *
 * postgres.js 3.4.9 writes to the socket of a lost connection and throws where nothing can catch it: the ROLLBACK of a transaction whose
 * connection was lost (its issue 1208), or a later statement (1133), which may even run within another caller's transaction (1216).
 * Therefore `work` can neither send a statement nor roll back once its connection is lost.
 */
async function runConnected<T>({ opening, work, isOneTrip }: Plan<T>, closedBefore: number): Promise<T> {
  const { used, reserved } = await reserve(closedBefore).finally(() => {
    waiting -= 1;
  });
  running += 1;
  let state: State = "open";
  let onLoss: (error: Error) => void = () => {};
  const loss = new Promise<never>((_, reject) => {
    onLoss = (error) => {
      state = "lost";
      reject(error);
    };
  });
  const line = new Line(onLoss);
  const watch = setInterval(() => {
    if (line.silentMs > mostSilentMs) onLoss(newSilence());
  }, mostSilentMs / 10);
  let ending: Promise<postgres.RowList<postgres.Row[]>> | undefined;
  const end = (how: "commit" | "rollback") => {
    state = "ended";
    ending = reserved.unsafe(how).execute();
    line.expect(ending);
    return ending;
  };
  const run = async (): Promise<T> => {
    const settings = { prepare: false, onexecute: line.onexecute };
    const opened = reserved.unsafe(`begin; ${opening}`, [], settings).then(lastRows);
    line.expect(opened);
    const tx = guardTransaction(reserved, line, () => state);
    const working = begin(() => work(tx, opened));
    // This also sends a single statement. When Postgres refuses the opening, the statements after it fail with errors that carry no
    // information.
    working.catch(() => {});
    if (isOneTrip && !isStatement(working)) await nextTurn();
    if (isOneTrip || isStatement(working)) end("commit").catch(() => {});
    await opened;
    const result = await working;
    const { command } = await (ending ?? end("commit"));
    if (command === "COMMIT") return result;
    throw new Error("A statement failed and the caller ignored it, so Postgres rolled the transaction back.");
  };
  /** True when the connection can run another transaction. */
  const isReusable = (waited: Promise<unknown>) =>
    Promise.race([waited, loss]).then(
      () => true,
      (error: unknown) => !isLoss(error),
    );
  const isDone = (waited: Promise<unknown>) =>
    Promise.race([waited, loss]).then(
      () => true,
      () => false,
    );
  try {
    return await Promise.race([run(), loss]);
  } catch (error) {
    // A statement fails before the driver reports that the connection is lost; the report follows by the next turn of the event loop. A
    // plan that is stale here may be stale on every connection of the pool.
    if (isStale(error)) replacePool(used);
    const isThere = !isLoss(error) && (await isReusable(sleep(0)));
    // If the rollback fails, the next caller would get a connection with an open transaction.
    const isOver = isThere && (await (ending ? isReusable(ending) : isDone(end("rollback"))));
    if (!isOver) {
      state = "lost";
      // The driver may still buffer half a message for this connection, and would send it first on the next one.
      replacePool(used, isSilence(error) ? endSilentSeconds : endSeconds);
    }
    throw isOfAbortedTransaction(error) ? (line.firstFailure ?? error) : error;
  } finally {
    running -= 1;
    clearInterval(watch);
    if (state !== "lost") {
      line.end();
      reserved.release();
    }
  }
}

/** Calls `work`; what it throws at once rejects, too. */
function begin<T>(work: () => Promise<T>): Promise<T> {
  try {
    return work();
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Milliseconds to wait for a connection before the driver is asked again, and altogether: longer than it takes to time out by itself. */
const askAgainMs = 1000;
const mostAskingMs = 20_000;

/**
 * Reserves a connection. When a connection closes, even an idle one, postgres.js 3.4.9 can lose a waiting `reserve`: it takes the request
 * out of its queue to reconnect, and then does not serve it. So the driver is asked again, and a connection that arrives too late is
 * released. It also reconnects for ever while a proxy accepts connections to a database that is away, and closes them.
 */
function reserve(closedBefore: number): Promise<{ used: postgres.Sql; reserved: postgres.ReservedSql }> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const since = performance.now();
    const end = () => {
      isOver = true;
      clearInterval(asking);
    };
    const ask = () => {
      if (closeCount !== closedBefore || performance.now() - since > mostAskingMs) {
        end();
        return reject(new ApiError("UNAVAILABLE"));
      }
      const used = connection();
      used.reserve().then(
        (reserved) => {
          if (isOver) return reserved.release();
          end();
          resolve({ used, reserved });
        },
        (error: unknown) => {
          end();
          // The driver may still hand a connection to a `reserve` that gave up, and nothing would release it.
          replacePool(used);
          reject(error);
        },
      );
    };
    const asking = setInterval(ask, askAgainMs);
    ask();
  });
}

type State = "open" | "ended" | "lost";

const stalePlans = new Set(["RevalidateCachedQuery", "FetchPreparedStatement"]);

/** True when Postgres refused a prepared statement: its table changed, or it was prepared on another connection. */
export const isStale = (error: unknown) =>
  error instanceof postgres.PostgresError && stalePlans.has(error.routine);

/** True for the error that follows a failed statement. Of several statements in flight, a later one may fail first. */
const isOfAbortedTransaction = (error: unknown) =>
  error instanceof postgres.PostgresError && error.code === "25P02";

/** The transaction that `work` receives. It sends nothing once the transaction is over. */
function guardTransaction(reserved: postgres.ReservedSql, line: Line, stateNow: () => State): Transaction {
  const mustBeOpen = () => {
    const state = stateNow();
    if (state === "lost") throw new ApiError("UNAVAILABLE");
    if (state === "ended") throw new Error("A statement came after the end of its transaction.");
  };
  return new Proxy(reserved, {
    apply(target, self, args) {
      mustBeOpen();
      const query: unknown = Reflect.apply(target, self, args);
      return isStatement(query) ? Object.defineProperties(line.take(query), sentOnce) : query;
    },
    get(target, name) {
      if (name === "unsafe") mustBeOpen();
      return Reflect.get(target, name);
    },
  });
}

/**
 * The driver sends a statement, waits for the types of its parameters and sends the values then; it also resends a statement whose plan
 * is stale. Both put a message behind others that were sent meanwhile, and the driver then mixes up their answers. Here a statement is
 * one message, with its values; one with a stale plan fails and its transaction runs again.
 */
const sentOnce: PropertyDescriptorMap & ThisType<{ cancelled: unknown; reject(error: unknown): void }> = {
  describeFirst: { get: () => false, set: () => {} },
  retried: {
    get: () => undefined,
    set(error: unknown) {
      // The driver does not send a cancelled statement.
      this.cancelled = true;
      this.reject(error);
    },
  },
};

/** For several statements in one message the driver returns a list of results; for a single one, its rows. */
function lastRows(results: postgres.Row[]): postgres.Row[] {
  const last: unknown = results.at(-1);
  return Array.isArray(last) ? last : results;
}

/** Opens a new pool for later callers. Transactions that run on the old one have time to end: an import takes minutes. */
function replacePool(used: postgres.Sql, seconds = endSeconds): void {
  if (pool !== used) return;
  pool = undefined;
  void used.end({ timeout: seconds });
}

// The driver queries the array types on each new connection and never awaits the answer. Under Deno a connection lost meanwhile would end
// the process, although the caller's own query already reports the loss.
globalThis.addEventListener?.("unhandledrejection", (event) => {
  if (!isLoss(event.reason)) return;
  event.preventDefault();
  log("warn", "a connection to the database was lost before it was ready", { error: String(event.reason) });
});

/** Closes all connections, for tests and for shutdown. */
export async function closeDatabase(): Promise<void> {
  closeCount += 1;
  queue = undefined;
  await pool?.end({ timeout: 2 });
  pool = undefined;
}
