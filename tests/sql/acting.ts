// Acts as a caller in SQL: sets a transaction's role and claims as PostgREST and the edge functions do.
import postgres, { type Sql, type TransactionSql } from "postgres";
import type { Claims } from "../support/actors.ts";

/** Postgres has one code for "permission denied" and "violates row-level security". */
const INSUFFICIENT_PRIVILEGE = "42501";

/** Runs work as a caller and commits it. */
export async function asCaller<Result>(
  sql: Sql,
  claims: Claims,
  work: (tx: TransactionSql) => Promise<Result>,
): Promise<Result> {
  const { result } = await sql.begin(async (tx) => {
    await tx`select set_config('role', ${claims.role}, true),
                    set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
                    set_config('request.jwt.claim.sub', ${claims.sub ?? ""}, true)`;
    return { result: await work(tx) };
  });
  return result;
}

/** Runs work as a caller within a transaction that continues as the superuser. */
export async function actAs<Result>(
  tx: TransactionSql,
  claims: Claims,
  work: () => Promise<Result>,
): Promise<Result> {
  await tx`select set_config('role', ${claims.role}, true), set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)`;
  const result = await work();
  await tx`select set_config('role', 'none', true)`;
  return result;
}

/** Runs work and rolls it back. */
export async function rollBack(sql: Sql, work: (tx: TransactionSql) => Promise<void>): Promise<void> {
  const over = new Error("over");
  await sql
    .begin(async (tx) => {
      await work(tx);
      throw over;
    })
    .catch((error: unknown) => {
      if (error !== over) throw error;
    });
}

/** Postgres's error code for refused work; undefined when it succeeds. */
export async function refusal(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof postgres.PostgresError) return error.code;
    throw error;
  }
}

/** Installs `matrix.attempt`, which makes a try. */
export async function installAttempt(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create schema matrix;
    -- Runs a statement as a caller, looks at the rows again as the superuser, since RLS denies in silence, and takes
    -- everything back. A refusal is no rows; any other error is the caller's to see, unless it may fail.
    create function matrix.attempt(claims json, statement text, input text, look text, may_fail boolean,
                                   out affected bigint, out before text[], out after text[])
    language plpgsql as $$
    begin
      execute look into before;
      begin
        perform set_config('role', claims ->> 'role', true), set_config('request.jwt.claims', claims::text, true),
                set_config('request.jwt.claim.sub', coalesce(claims ->> 'sub', ''), true);
        execute statement using input;
        get diagnostics affected = row_count;
        perform set_config('role', 'none', true);
        execute look into after;
        raise exception using errcode = 'TAKEB';
      exception
        when sqlstate 'TAKEB' then null;
        when others then
          if sqlstate <> '${INSUFFICIENT_PRIVILEGE}' and not may_fail then
            raise;
          end if;
          affected := 0;
          execute look into after;
      end;
    end
    $$;
  `);
}

export interface Attempt {
  affected: number;
  /** The rows that the look finds before and after, as text. */
  before: string[];
  after: string[];
}

/**
 * Makes a try for each of the callers, in one round trip.
 * @param statement takes the input, JSON, as $1.
 * @param look a table as `t` and a condition: the rows that show the outcome.
 * @param mayFail whether any error counts as a refusal.
 */
export async function attemptAs(
  sql: Pick<Sql, "unsafe">,
  callers: Claims[],
  statement: string,
  input: unknown,
  look: string,
  mayFail = false,
): Promise<Attempt[]> {
  const rows = await sql.unsafe<{ affected: string; before: string[]; after: string[] }[]>(
    `select made.* from jsonb_array_elements($1::text::jsonb) with ordinality caller (claims, at),
            lateral matrix.attempt(caller.claims::json, $2, $3, $4, $5) made order by caller.at`,
    [
      JSON.stringify(callers),
      statement,
      JSON.stringify(input ?? null),
      `select coalesce(array_agg(to_jsonb(t)::text order by 1), '{}') from ${look}`,
      mayFail,
    ],
  );
  if (rows.length !== callers.length) throw new Error("Every attempt answers with one row");
  return rows.map(({ affected, before, after }) => ({ affected: Number(affected), before, after }));
}
