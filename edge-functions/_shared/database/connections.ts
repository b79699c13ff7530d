// Owns the connections to Postgres and what one transaction is on the wire: one message opens it, and a lost connection ends it
// for good. Does not know callers.
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { env } from "../env.ts";
import { log } from "../operation/log.ts";
import { ApiError } from "../requests/errors.ts";

export type Transaction = postgres.ISql;

let pool: postgres.Sql | undefined;
/** How often the database was closed: whoever waited then must not open it again. */
let closings = 0;
/** Transactions that have a connection, and that wait for one. */
let running = 0;
let waiting = 0;

export type PoolUse = { size: number; running: number; waiting: number };

export function poolUse(): PoolUse {
  return { size: env().DATABASE_POOL_SIZE, running, waiting };
}

function connection(): postgres.Sql {
  const { DATABASE_URL, DATABASE_POOL_SIZE, DATABASE_PREPARE } = env();
  pool ??= postgres(DATABASE_URL, {
    max: DATABASE_POOL_SIZE,
    idle_timeout: 30,
    connect_timeout: 15,
    // Seconds: a database that is back is asked again soon, where the package would wait for up to 20.
    backoff: (failures: number) => Math.min(1, 0.05 * 2 ** failures),
    prepare: DATABASE_PREPARE,
    onnotice: noteWarning,
    transform: { column: { from: postgres.toCamel }, undefined: null },
    types: {
      // Times leave as ISO 8601 UTC strings, counts and sizes as numbers.
      date: {
        to: 1184,
        from: [1082, 1114, 1184],
        serialize: (value: Date | string) => String(value instanceof Date ? value.toJSON() : value),
        parse: (value: string) => new Date(value).toISOString(),
      },
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      // A value whose type only the statement tells: it is sent with the statement, before Postgres has said the type.
      untyped: { to: 0, from: [], serialize: asText, parse: String },
    },
  });
  return pool;
}

/** A value as Postgres reads its type's text: arrays in braces, objects as JSON. */
function asText(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(asElement).join(",")}}`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function asElement(value: unknown): string {
  if (value === null || value === undefined) return "null";
  return Array.isArray(value) ? asText(value) : `"${asText(value).replace(/["\\]/g, "\\$&")}"`;
}

/** A function's own warning: of a row that it had to leave out so that the others go on. */
function noteWarning({ severity, code, message }: postgres.Notice): void {
  if (severity === "WARNING" && code === "01000") log("error", "the database warns", { warning: message });
}

/** A text as SQL, whatever it holds and however the server reads backslashes. */
export function literal(text: string): string {
  return `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''").replaceAll("\0", "")}'`;
}

interface Plan<T> {
  /** SQL that makes the transaction the caller's: sent with `begin`, so that it takes no round trip of its own. */
  opening: string;
  /**
   * Its first statements travel with the opening, and run only where that succeeds.
   * @param opened the rows of the opening's last statement
   */
  work(tx: Transaction, opened: Promise<postgres.Row[]>): Promise<T>;
  /** All statements are sent before any answer is awaited, and the commit with them. For what reads. */
  isOneTrip: boolean;
}

/** What the package tells of the connection that a statement is sent over, as its own begin() asks for. */
type Wired = { onclose: ((error: Error) => void) | null };

/**
 * Runs a transaction. The package's begin() would wait for the answer to `begin` before it sends anything else.
 *
 * postgres.js 3.4.9 writes to the socket of a connection that is gone, and throws where nobody can catch it: the ROLLBACK of a
 * transaction that its connection died under (its issue 1208), or a statement after that (1133), which may even run within
 * another caller's transaction (1216). So from then on work that lost its connection neither gets to send nor to roll back.
 */
export async function runTransaction<T>({ opening, work, isOneTrip }: Plan<T>): Promise<T> {
  waiting += 1;
  const { used, reserved } = await reserve().finally(() => {
    waiting -= 1;
  });
  running += 1;
  let state: State = "open";
  let firstFailure: unknown;
  let wired: Wired | undefined;
  let onLoss: (error: Error) => void = () => {};
  const loss = new Promise<never>((_, reject) => {
    onLoss = (error) => {
      state = "lost";
      reject(error);
    };
  });
  const onexecute = (connection: Wired) => {
    wired = connection;
    connection.onclose = onLoss;
    return true;
  };
  const onFailure = (error: unknown) => {
    firstFailure ??= error;
  };
  let ending: Promise<postgres.RowList<postgres.Row[]>> | undefined;
  const end = (how: "commit" | "rollback") => {
    state = "ended";
    ending = reserved.unsafe(how).execute();
    return ending;
  };
  const run = async (): Promise<T> => {
    const begin = { prepare: false, onexecute };
    const opened = reserved.unsafe(`begin; ${opening}`, [], begin).then(lastRows);
    const tx = guarded(reserved, { stateNow: () => state, onFailure });
    const working = (async () => await work(tx, opened))();
    // Refused by the opening, its statements fail for a reason that says nothing.
    working.catch(() => {});
    if (isOneTrip) {
      await nextTurn();
      end("commit").catch(() => {});
    }
    await opened;
    const result = await working;
    const { command } = await (ending ?? end("commit"));
    if (command === "COMMIT") return result;
    throw new Error("A statement failed and its transaction went on; Postgres has rolled it back.");
  };
  /** Whether the connection is fit for another transaction. */
  const isWhole = (waited: Promise<unknown>) =>
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
    // A statement fails before the connection says that it is gone: by the next turn of the event loop it has.
    // Each connection of the pool may have prepared what has become stale.
    if (isStale(error)) replacePool(used);
    const isThere = !isLoss(error) && (await isWhole(sleep(0)));
    // A rollback that is refused would leave its transaction to the next caller.
    const isOver = isThere && (await (ending ? isWhole(ending) : isDone(end("rollback"))));
    if (!isOver) {
      state = "lost";
      // The package may have kept half a message for such a connection, and would send it first over the next one.
      replacePool(used);
    }
    throw isOfAbortedTransaction(error) ? (firstFailure ?? error) : error;
  } finally {
    running -= 1;
    if (state !== "lost") {
      if (wired) wired.onclose = null;
      reserved.release();
    }
  }
}

/** After so many ms without a connection the package is asked again. */
const askAgainMs = 1000;

/**
 * A connection of one's own. postgres.js 3.4.9 forgets whoever waits for one when a connection closes meanwhile, an idle one
 * perhaps: it takes them out of its queue to connect anew, and for a `reserve` does nothing once it has. So the package is asked again,
 * and what it gives too late goes back.
 */
function reserve(): Promise<{ used: postgres.Sql; reserved: postgres.ReservedSql }> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const end = () => {
      isOver = true;
      clearInterval(asking);
    };
    const closedBefore = closings;
    const ask = () => {
      if (closings !== closedBefore) {
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
          // The package may still hand a connection to whoever gave up waiting for one, which nobody would give back.
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

/** Postgres refuses a statement that was prepared before a table changed or over another connection. */
export const isStale = (error: unknown) =>
  error instanceof postgres.PostgresError && stalePlans.has(error.routine);

/** What follows a statement that failed: of several under way, the first to be heard of may be a later one. */
const isOfAbortedTransaction = (error: unknown) =>
  error instanceof postgres.PostgresError && error.code === "25P02";

/** The transaction as work gets it: it sends nothing once its transaction is over, and tells which statement failed first. */
function guarded(
  reserved: postgres.ReservedSql,
  { stateNow, onFailure }: { stateNow(): State; onFailure(error: unknown): void },
): Transaction {
  const mustBeOpen = () => {
    const state = stateNow();
    if (state === "lost") throw new ApiError("UNAVAILABLE");
    if (state === "ended") throw new Error("A statement came after the end of its transaction.");
  };
  return new Proxy(reserved, {
    apply(target, self, args) {
      mustBeOpen();
      const query: unknown = Reflect.apply(target, self, args);
      if (!isQuery(query)) return query;
      const { reject } = query;
      query.reject = (error) => {
        onFailure(error);
        reject(error);
      };
      return Object.defineProperties(query, sentOnce);
    },
    get(target, name) {
      if (name === "unsafe") mustBeOpen();
      return Reflect.get(target, name);
    },
  });
}

/**
 * The package asks for the types of a statement's values, waits, and sends the values then; and it sends a statement whose
 * plan is stale again by itself. Both put a message behind others that were sent meanwhile, and then it takes their answers for each
 * other's. Here a statement is one message, with its values, and one that is stale fails: its transaction runs again.
 */
const sentOnce: PropertyDescriptorMap & ThisType<{ cancelled: unknown; reject(error: unknown): void }> = {
  describeFirst: { get: () => false, set: () => {} },
  retried: {
    get: () => undefined,
    set(error: unknown) {
      // What is cancelled is not sent.
      this.cancelled = true;
      this.reject(error);
    },
  },
};

/** A statement or a piece of one. The package has no event for a failure; to await a piece would send it. */
const isQuery = (value: unknown): value is { reject(error: unknown): void } =>
  value instanceof Promise && "reject" in value && typeof value.reject === "function";

/** Of several statements in one message the package answers with a list of results, of one with its rows. */
function lastRows(results: postgres.Row[]): postgres.Row[] {
  const last: unknown = results.at(-1);
  return Array.isArray(last) ? last : results;
}

function replacePool(used: postgres.Sql): void {
  if (pool !== used) return;
  pool = undefined;
  void used.end({ timeout: 5 });
}

// The package asks each new connection for the types of arrays and awaits the answer nowhere: under Deno a connection that is
// lost meanwhile would end the process, although whoever wanted it is told by their own query.
globalThis.addEventListener?.("unhandledrejection", (event) => {
  if (!isLoss(event.reason)) return;
  event.preventDefault();
  log("warn", "a connection to the database was lost before it was ready", { error: String(event.reason) });
});

function isLoss(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(?:CONNECTION_|ECONN|EPIPE)/.test(String(error.code));
}

/** Ends the connections, for tests and for a process that stops. */
export async function closeDatabase(): Promise<void> {
  closings += 1;
  await pool?.end({ timeout: 2 });
  pool = undefined;
}
