// Owns the way to Postgres: every transaction runs as a caller, whose claims row-level security judges, or as the service.
// Must not hold queries. Only the modules that tests/unit/boundaries.test.ts lists may act as the service.
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { env } from "./env.ts";
import { ApiError } from "./errors.ts";
import { log } from "./log.ts";

/** What Postgres sees of a caller, as request.jwt.claims. docs/architecture.md lists the actors. */
export type Claims =
  | { role: "authenticated"; sub: string; session_id?: string; admin?: true }
  | { role: "authenticated"; api_key_id: string; team_id: string }
  | { role: "authenticated"; agent_id: string }
  | { role: "anon"; visitor_id?: string; app_id?: string }
  | { role: "service_role" };

export type Transaction = postgres.TransactionSql;

const service: Claims = { role: "service_role" };

let pool: postgres.Sql | undefined;

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
        serialize: (value: Date | string) => (value instanceof Date ? value.toISOString() : value),
        parse: (value: string) => new Date(value).toISOString(),
      },
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
    },
  });
  return pool;
}

/** A function's own warning: of a row that it had to leave out so that the others go on. */
function noteWarning({ severity, code, message }: postgres.Notice): void {
  if (severity === "WARNING" && code === "01000") log("error", "the database warns", { warning: message });
}

/** Two transactions stood in each other's way and Postgres ended one of them: it does well when it runs again. */
const stoodInTheWay = (error: unknown) =>
  error instanceof postgres.PostgresError && (error.code === "40P01" || error.code === "40001");
const attempts = 4;
const pauseMs = 50;

/**
 * Runs a transaction as a caller: Postgres decides what it may see and change.
 * @param work runs again, from the start, when Postgres ended the transaction to resolve a deadlock
 * @throws ApiError NOT_AUTHENTICATED for an API key or a session that is gone; whatever Postgres raises, which fromPostgres() in
 *   errors.ts turns into an ApiError
 */
export async function asCaller<T>(claims: Claims, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction(claims, work);
    } catch (error) {
      if (attempt === attempts || !stoodInTheWay(error)) throw error;
      await sleep(pauseMs * attempt * (0.5 + Math.random()));
    }
  }
}

async function transaction<T>(claims: Claims, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return await begun(async (tx) => {
    const claimed = setClaims(tx, claims);
    if ("api_key_id" in claims) {
      // Sent along with the claims: a key costs no more round trips than a session, and one that is revoked ends here.
      const used = tx<{ alive: boolean }[]>`select private.use_api_key() as alive`;
      const [, [key]] = await Promise.all([claimed, used]);
      if (!key?.alive) throw new ApiError("NOT_AUTHENTICATED");
    }
    if ("session_id" in claims) {
      const asked = tx<{ alive: boolean }[]>`select private.session_goes_on() as alive`;
      const [, [session]] = await Promise.all([claimed, asked]);
      if (!session?.alive) throw new ApiError("NOT_AUTHENTICATED");
    }
    await claimed;
    return await work(tx);
  });
}

/** The longest that one statement of a client may run; the platform's own work has the login's limit. PGlite knows none. */
const clientStatement = "8s";

/** Both forms of the claims: hosted PostgREST sets the first, embedded auth.uid() reads the second. */
function setClaims(tx: Transaction, claims: Claims) {
  const subject = "sub" in claims ? claims.sub : "";
  return tx`
    select set_config('role', ${claims.role}, true), set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
           set_config('request.jwt.claim.sub', ${subject}, true),
           ${claims.role === "service_role" ? tx`null` : tx`set_config('statement_timeout', ${clientStatement}, true)`}`;
}

/**
 * postgres.js 3.4.9 writes to the socket of a connection that is gone, and throws where nobody can catch it: the ROLLBACK of a
 * transaction that its connection died under (its issue 1208), or a statement after that (1133), which may even run within
 * another caller's transaction (1216). So from then on work that lost its connection neither gets to send nor to roll back.
 */
async function begun<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  const used = connection();
  let isBegun = false;
  let isLost = false;
  const transaction = used.begin((tx) => {
    isBegun = true;
    const guarded = new Proxy(tx, {
      apply(target, self, args) {
        if (isLost) throw new ApiError("UNAVAILABLE");
        return Reflect.apply(target, self, args);
      },
    });
    return new Promise<T>((resolve, reject) => {
      const settle = (how: () => void) => !isLost && how();
      work(guarded).then(
        (value) => settle(() => resolve(value)),
        // A statement fails before the connection says that it is gone: by the next turn of the event loop it has.
        (error: unknown) => setTimeout(() => settle(() => reject(error))),
      );
    });
  });
  try {
    return (await transaction) as T;
  } catch (error) {
    isLost = isBegun && isLoss(error);
    // The package may have kept half a message for such a connection, and would send it first over the next one.
    if (isLost && pool === used) {
      pool = undefined;
      void used.end({ timeout: 5 });
    }
    throw error;
  }
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

/** Runs a transaction as the platform itself, past row-level security. */
export function asService<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return asCaller(service, work);
}

/**
 * One transaction in two parts: what the caller does, judged by row-level security, then what the platform writes because of
 * it. Both are committed or neither is.
 * @param work as the caller; runs again, as in asCaller()
 * @param afterwards as the service, with what `work` returned
 */
export function asCallerThenService<T, U>(
  claims: Claims,
  work: (tx: Transaction) => Promise<T>,
  afterwards: (tx: Transaction, done: T) => Promise<U>,
): Promise<U> {
  return asCaller(claims, async (tx) => {
    const done = await work(tx);
    await setClaims(tx, service);
    return await afterwards(tx, done);
  });
}

/** Ends the connections, for tests and for a process that stops. */
export async function closeDatabase(): Promise<void> {
  await pool?.end({ timeout: 2 });
  pool = undefined;
}
