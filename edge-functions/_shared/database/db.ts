// Owns access to Postgres: every transaction runs as a caller, whose claims row-level security checks, or as the service.
// Must not hold queries. Only the modules that tests/unit/boundaries.test.ts lists may act as the service.
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { ApiError } from "../requests/errors.ts";
import { applicationName, claimToNote, setClaim } from "../requests/request-context.ts";
import type { Turn } from "./connection-queue.ts";
import { isStale, literal, type Plan, runTransaction, type Transaction } from "./connections.ts";
import { isNewZone } from "./new-zones.ts";

export { closeDatabase, type Transaction } from "./connections.ts";

/** The caller as Postgres sees it in request.jwt.claims. docs/architecture.md lists the actors. */
export type Claims =
  | { role: "authenticated"; sub: string; session_id?: string; admin?: true }
  | { role: "authenticated"; api_key_id: string; team_id: string }
  | { role: "authenticated"; agent_id: string }
  | { role: "anon"; visitor_id?: string; app_id?: string }
  | { role: "service_role" };

/** The team of a call, and the permission that the caller needs there. */
export type TeamCall = { permission: string } & ({ id: string } | { codename: string });

const service: Claims = { role: "service_role" };

/** Statement timeout for clients. The platform's own work has its login's timeout. The embedded database has limits of its own. */
const clientStatement = "8s";

/**
 * Runs a transaction as a caller: Postgres decides what it may see and change. The opening and the first statements of `work` are sent in
 * one message, and the commit too when `work` returns a statement itself.
 * @param work runs again from the start when Postgres aborts the transaction to resolve a deadlock. Side effects other than SQL before
 *   its first answer also happen for a caller who is refused.
 * @throws ApiError NOT_AUTHENTICATED for a revoked API key or an ended session; any Postgres error, which fromPostgres() in errors.ts
 *   turns into an ApiError
 */
export function asCaller<T>(claims: Claims, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return runChange(claims, undefined, {
    work,
    isOneTrip: false,
    turn: turnOf("change", claims),
  });
}

/**
 * Runs a transaction as a caller in a team.
 * @param work receives the team's id
 * @throws ApiError as asCaller; NOT_FOUND when the caller cannot see the team, FORBIDDEN when they lack the permission
 */
export function asCallerIn<T>(
  team: TeamCall,
  claims: Claims,
  work: (tx: Transaction, teamId: string) => Promise<T>,
): Promise<T> {
  return runChange(claims, team, {
    work: async (tx, opened) => work(tx, String((await opened)[0]?.team)),
    isOneTrip: false,
    turn: turnOf("change", claims),
  });
}

/** The id of the transaction's team as an SQL expression, for statements that are sent before the id is known. */
export type CalledTeam = postgres.PendingQuery<postgres.Row[]>;
/** A team in a statement: its id, or the transaction's team. */
export type TeamId = string | CalledTeam;

const calledTeam = (tx: Transaction): CalledTeam =>
  tx`(select nullif(current_setting('request.team', true), '')::uuid)`;

/**
 * Reads as a caller, optionally in a team, in one message from `begin` to `commit`.
 * @param work sends all its statements before it awaits an answer
 * @throws ApiError as asCallerIn
 */
export function readAsCaller<T>(
  claims: Claims,
  work: (tx: Transaction, team: CalledTeam) => Promise<T>,
  team?: TeamCall,
): Promise<T> {
  return retryTransaction(() =>
    runTransaction({
      opening: openingFor(claims, team),
      work: (tx) => work(tx, calledTeam(tx)),
      isOneTrip: true,
      turn: turnOf("read", claims),
    }),
  );
}

/**
 * Reads as a caller what belongs to passages. An answering agent sees their documents and no others: listing all that it may read takes
 * some 10 ms for 20,000. Sends the commit with `work` when that returns a statement itself.
 * @param passages ids of chunks
 * @throws ApiError as asCaller
 */
export function readOfPassages<T>(
  claims: Claims,
  passages: string[],
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const narrow = `set local request.passages = ${literal(`{${passages.join()}}`)}`;
  return retryTransaction(() =>
    runTransaction({
      opening: `${narrow}; ${openingFor(claims)}`,
      work,
      isOneTrip: false,
      turn: turnOf("read", claims),
    }),
  );
}

/**
 * Runs a transaction as the service, which bypasses row-level security.
 * @param work as in asCaller()
 */
export function asService<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return retryTransaction(() =>
    runTransaction({ opening: openingFor(service), work, isOneTrip: false, turn: { kind: "change" } }),
  );
}

/**
 * Runs one transaction in two parts: the caller's work, under row-level security, then the service's work that follows from it. Both are
 * committed or neither.
 * @param work as the caller; may run again, as in asCaller()
 * @param afterwards as the service, with the result of `work`
 * @param team the team that `work` runs in; refused as in asCallerIn()
 */
export function asCallerThenService<T, U>(
  claims: Claims,
  work: (tx: Transaction, team: CalledTeam) => Promise<T>,
  afterwards: (tx: Transaction, done: T) => Promise<U>,
  team?: TeamCall,
): Promise<U> {
  return runChange(claims, team, {
    work: async (tx) => {
      const done = await work(tx, calledTeam(tx));
      // Before the first statement of `afterwards`, in the same message.
      sendNow(tx.unsafe(settingsOf(service)));
      return await afterwards(tx, done);
    },
    isOneTrip: false,
    turn: turnOf("change", claims),
  });
}

type Statement<T extends object> = postgres.PendingQuery<T[]>;

type AskedAndServed<A extends object, S extends object> = {
  /** Runs as the caller. Refuses by an error: the service's statement follows before its answer is known. */
  ask: (tx: Transaction, team: CalledTeam) => Statement<A>;
  /** Runs as the service. */
  serve: (tx: Transaction) => Statement<S>;
  /** Runs as the caller, after `ask`. Refuses by throwing. */
  check?: (tx: Transaction, asked: A | undefined) => Promise<void>;
  /** Runs last, as the service. */
  keep?: (tx: Transaction, asked: A | undefined, served: S | undefined) => Promise<void>;
};

/**
 * As asCallerThenService(), for one statement of each: without `check` and `keep`, all is one message from `begin` to `commit`, so that the
 * embedded database never waits for this process. Both are committed or neither.
 * @param team the team that the work runs in; refused as in asCallerIn()
 * @returns the first row of each statement
 */
export function askThenServe<A extends object, S extends object>(
  claims: Claims,
  { ask, serve, check, keep }: AskedAndServed<A, S>,
  team?: TeamCall,
): Promise<[asked: A | undefined, served: S | undefined]> {
  return runChange(claims, team, {
    work: async (tx) => {
      const asking = sendNow(ask(tx, calledTeam(tx)));
      if (check) await check(tx, (await asking)[0]);
      sendNow(tx.unsafe(settingsOf(service)));
      const serving = sendNow(serve(tx));
      const [[asked], [served]] = [await asking, await serving];
      await keep?.(tx, asked, served);
      return [asked, served];
    },
    isOneTrip: !check && !keep,
    turn: turnOf("question", claims),
  });
}

/** Sends a statement now, in the order of these calls; the driver would send it when it is awaited. */
function sendNow<T extends Promise<unknown> & { execute(): unknown }>(statement: T): T {
  statement.execute();
  // If it fails, so does everything after it, and the transaction is not committed.
  statement.catch(() => {});
  return statement;
}

/**
 * Runs part of a service transaction as a caller, under row-level security, and then returns to the service. For work that a person
 * requested and that continues in the background.
 */
export async function actAs<T>(
  tx: Transaction,
  claims: Claims,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const [limit] = await tx<{ timeout: string }[]>`select current_setting('statement_timeout') as timeout`;
  await tx.unsafe(settingsOf(claims));
  const done = await work(tx);
  await tx.unsafe(`${settingsOf(service)}; set local statement_timeout = ${literal(limit?.timeout ?? "0")}`);
  return done;
}

/**
 * Runs a transaction of a caller that may change something. With its commit, the request's Idempotency-Key has taken effect: the first such
 * transaction of a request notes it.
 */
async function runChange<T>(
  claims: Claims,
  team: TeamCall | undefined,
  plan: Omit<Plan<T>, "opening">,
): Promise<T> {
  const claim = claimToNote();
  const done = await retryTransaction(() =>
    runTransaction({ opening: openingFor(claims, team, claim), ...plan }),
  );
  if (claim) setClaim(undefined);
  return done;
}

/** Notes in a transaction of the service that the request's Idempotency-Key takes effect with it, as those of a caller do. */
export async function noteEffect(tx: Transaction): Promise<void> {
  const claim = claimToNote();
  if (claim) await tx`select private.note_effect(${claim})`;
}

const attempts = 4;
const pauseMs = 50;

/**
 * True when the transaction can succeed if it runs again: its plan was stale, Postgres aborted it because of a deadlock or a conflict, or it
 * named a time zone that Postgres does not know.
 */
const isRetryable = (error: unknown) =>
  isStale(error) ||
  isNewZone(error) ||
  (error instanceof postgres.PostgresError && (error.code === "40P01" || error.code === "40001"));

async function retryTransaction<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (error instanceof postgres.PostgresError && error.code === "PT401") {
        throw new ApiError("NOT_AUTHENTICATED", undefined, { cause: error });
      }
      if (attempt === attempts || !isRetryable(error)) throw error;
      await sleep(pauseMs * attempt * (0.5 + Math.random()));
    }
  }
}

/** SQL that sets the caller. It fails for an ended session, a revoked key or a team that is not the caller's. */
function openingFor(claims: Claims, team?: TeamCall, claim?: string): string {
  const isAsked = team || "session_id" in claims || "api_key_id" in claims;
  return [
    settingsOf(claims),
    ...(claim ? [`select private.note_effect(${literal(claim)})`] : []),
    ...(isAsked ? [`select private.begin_call(${inSql(team)}) as team`] : []),
  ].join("; ");
}

function turnOf(kind: Turn["kind"], claims: Claims): Turn {
  if ("sub" in claims) return { kind, caller: claims.sub };
  if ("api_key_id" in claims) return { kind, caller: claims.api_key_id };
  if ("agent_id" in claims) return { kind, caller: claims.agent_id };
  return { kind, caller: "visitor_id" in claims ? claims.visitor_id : undefined };
}

function inSql(team: TeamCall | undefined): string {
  if (!team) return "";
  const named =
    "id" in team ? `team_id => ${literal(team.id)}` : `team_codename => ${literal(team.codename)}`;
  return `${named}, permission => ${literal(team.permission)}`;
}

/** Both forms of the claims: hosted PostgREST sets the first, embedded auth.uid() reads the second. */
function settingsOf(claims: Claims): string {
  const settings = {
    role: claims.role,
    "request.jwt.claims": JSON.stringify(claims),
    "request.jwt.claim.sub": "sub" in claims ? claims.sub : "",
    application_name: applicationName(),
    // Postgres would keep the locks of a client that a broken network took away for hours.
    idle_in_transaction_session_timeout: "60s",
    // Compiling a plan takes longer than running it. A part of a policy that no row reaches can cost enough for Postgres to compile.
    jit: "off",
    ...(claims.role === "service_role" ? {} : { statement_timeout: clientStatement }),
  };
  const each = Object.entries(settings).map(([name, value]) => `set local ${name} = ${literal(value)}`);
  return each.join("; ");
}
