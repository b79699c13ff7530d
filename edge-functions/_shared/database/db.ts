// Owns the way to Postgres: every transaction runs as a caller, whose claims row-level security judges, or as the service.
// Must not hold queries. Only the modules that tests/unit/boundaries.test.ts lists may act as the service.
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { ApiError } from "../requests/errors.ts";
import { applicationName } from "../requests/request-context.ts";
import { isStale, literal, runTransaction, type Transaction } from "./connections.ts";

export { closeDatabase, type Transaction } from "./connections.ts";

/** What Postgres sees of a caller, as request.jwt.claims. docs/architecture.md lists the actors. */
export type Claims =
  | { role: "authenticated"; sub: string; session_id?: string; admin?: true }
  | { role: "authenticated"; api_key_id: string; team_id: string }
  | { role: "authenticated"; agent_id: string }
  | { role: "anon"; visitor_id?: string; app_id?: string }
  | { role: "service_role" };

/** A team that a call is about, and what the caller must be allowed there. */
export type TeamCall = { permission: string } & ({ id: string } | { codename: string });

const service: Claims = { role: "service_role" };

/** The longest that one statement of a client may run; the platform's own work has the login's limit. PGlite knows none. */
const clientStatement = "8s";

/**
 * Runs a transaction as a caller: Postgres decides what it may see and change. Its opening and the first statements of `work`
 * are one message.
 * @param work runs again, from the start, when Postgres ended the transaction to resolve a deadlock; what it does besides SQL
 *   before its first answer happens for a caller who is refused, too
 * @throws ApiError NOT_AUTHENTICATED for an API key or a session that is gone; whatever Postgres raises, which fromPostgres() in
 *   errors.ts turns into an ApiError
 */
export function asCaller<T>(claims: Claims, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return again(() => runTransaction({ opening: openingFor(claims), work, isOneTrip: false }));
}

/**
 * Runs a transaction as a caller in a team.
 * @param work gets the team's id
 * @throws ApiError as asCaller; NOT_FOUND for a team that the caller cannot see, FORBIDDEN where they lack the permission
 */
export function asCallerIn<T>(
  team: TeamCall,
  claims: Claims,
  work: (tx: Transaction, teamId: string) => Promise<T>,
): Promise<T> {
  return again(() =>
    runTransaction({
      opening: openingFor(claims, team),
      work: async (tx, opened) => work(tx, String((await opened)[0]?.team)),
      isOneTrip: false,
    }),
  );
}

/** The id of the team that a transaction is about, as SQL: for statements that are sent before the team's id is known. */
export type CalledTeam = postgres.PendingQuery<postgres.Row[]>;
/** A team in a statement: its id, or the team that the transaction is about. */
export type TeamId = string | CalledTeam;

const calledTeam = (tx: Transaction): CalledTeam =>
  tx`(select nullif(current_setting('request.team', true), '')::uuid)`;

/**
 * Reads as a caller, in a team where one is given, all in one message from `begin` to `commit`.
 * @param work sends all its statements before it awaits an answer
 * @throws ApiError as asCallerIn
 */
export function readAsCaller<T>(
  claims: Claims,
  work: (tx: Transaction, team: CalledTeam) => Promise<T>,
  team?: TeamCall,
): Promise<T> {
  return again(() =>
    runTransaction({
      opening: openingFor(claims, team),
      work: (tx) => work(tx, calledTeam(tx)),
      isOneTrip: true,
    }),
  );
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
 * @param team where the work is in one; refused as in asCallerIn()
 */
export function asCallerThenService<T, U>(
  claims: Claims,
  work: (tx: Transaction, team: CalledTeam) => Promise<T>,
  afterwards: (tx: Transaction, done: T) => Promise<U>,
  team?: TeamCall,
): Promise<U> {
  return again(() =>
    runTransaction({
      opening: openingFor(claims, team),
      work: async (tx) => {
        const done = await work(tx, calledTeam(tx));
        // Sent now, not when it is awaited: before the first statement of `afterwards`, and in one message with it.
        const become = tx.unsafe(settingsOf(service)).execute();
        const [result] = await Promise.all([afterwards(tx, done), become]);
        return result;
      },
      isOneTrip: false,
    }),
  );
}

/**
 * Some of the service's transaction as a caller, judged by row-level security; then it goes on as the service. For work that
 * somebody asked for and that goes on without them.
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

const attempts = 4;
const pauseMs = 50;

/** Two transactions stood in each other's way and Postgres ended one of them: it does well when it runs again. */
const doesWellAgain = (error: unknown) =>
  isStale(error) ||
  (error instanceof postgres.PostgresError && (error.code === "40P01" || error.code === "40001"));

async function again<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (error instanceof postgres.PostgresError && error.code === "PT401") {
        throw new ApiError("NOT_AUTHENTICATED", undefined, { cause: error });
      }
      if (attempt === attempts || !doesWellAgain(error)) throw error;
      await sleep(pauseMs * attempt * (0.5 + Math.random()));
    }
  }
}

/** What makes a transaction the caller's. A session or key that is over, and a team that is not theirs, end it there. */
function openingFor(claims: Claims, team?: TeamCall): string {
  const isAsked = team || "session_id" in claims || "api_key_id" in claims;
  return isAsked
    ? `${settingsOf(claims)}; select private.begin_call(${inSql(team)}) as team`
    : settingsOf(claims);
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
    ...(claims.role === "service_role" ? {} : { statement_timeout: clientStatement }),
  };
  const each = Object.entries(settings).map(([name, value]) => `set local ${name} = ${literal(value)}`);
  return each.join("; ");
}
