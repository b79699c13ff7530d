// Owns the doctor's checks of the work in the database: stored secrets, files, the queue, and whether the functions are
// called. Reads only, as service_role.
import { existsSync } from "node:fs";
import type { Sql, TransactionSql } from "postgres";
import { withLogin } from "../database-login.ts";
import { objectFile } from "../gateway/object-file.ts";
import { type Keys, surveySecrets } from "../rotation/reseal.ts";
import { error, type Finding, notice, ok } from "./finding.ts";

/** The indexing function is called at least once a minute; its chores record that in private.rate_limits. */
const LATE_SECONDS = 300;
const LONG_WAIT_SECONDS = 900;

/** @param url any login that may switch to service_role */
export async function checkStoredSecrets(url: string, keys: Keys): Promise<Finding[]> {
  const { current, earlier, unreadable } = await withLogin(url, (sql) => surveySecrets(sql, keys));
  const findings: Finding[] = [];
  if (unreadable.length > 0) {
    findings.push(
      error(
        `${unreadable.length} stored secrets open with no key of SECRETS_KEY, ${unreadable[0]} for one: put the key back that they were sealed with, or connect those sources and apps again.`,
      ),
    );
  }
  if (earlier > 0) {
    findings.push(
      notice(
        `${earlier} stored secrets are sealed with an earlier key: run npm run secrets:rotate before you drop it.`,
      ),
    );
  }
  if (findings.length === 0) findings.push(ok(`All ${current} stored secrets open with the first key.`));
  return findings;
}

/** Checks that the bytes of every file are in the storage folder of this machine. */
export async function checkFiles(url: string, storage: string): Promise<Finding> {
  const readPaths = async (among: string[] | null) => {
    const rows = await asService(
      url,
      (tx) => tx<{ path: string }[]>`
        select distinct v.path from public.file_versions v
         where ${among}::text[] is null or v.path = any(${among}) order by v.path`,
    );
    return rows.map(({ path }) => path);
  };
  const paths = await readPaths(null);
  const absent = paths.filter((path) => !existsSync(objectFile(storage, "files", path)));
  // Without those that were deleted meanwhile.
  const missing = absent.length === 0 ? [] : await readPaths(absent);
  if (missing.length === 0) return ok(`The bytes of all ${paths.length} files are there.`);
  return error(
    `The bytes of ${missing.length} of ${paths.length} files are not in ${storage}, ${missing[0]} for one: if Parley ran on another data folder or disk, set PARLEY_DATA_DIR to it; else restore a backup, or upload those files again.`,
  );
}

const asService = <T>(url: string, work: (tx: TransactionSql) => Promise<T>): Promise<T> =>
  withLogin(url, async (sql: Sql) => {
    const { result } = await sql.begin(async (tx) => {
      await tx`set local role service_role`;
      return { result: await work(tx) };
    });
    return result;
  });

/** Checks the queue's length and age. @param isRunning whether workers should be running */
export async function checkQueue(url: string, isRunning: boolean): Promise<Finding[]> {
  return await asService(url, async (tx) => {
    const [tasks] = await tx<{ waiting: number; oldest: number; dead: number }[]>`
      select count(*) filter (where t.status in ('queued', 'waiting') and t.run_after <= clock_timestamp())::int as waiting,
             coalesce(extract(epoch from clock_timestamp() - min(t.run_after) filter (
               where t.status in ('queued', 'waiting') and t.run_after <= clock_timestamp())), 0)::int as oldest,
             count(*) filter (where t.lease_until < clock_timestamp() - interval '10 minutes')::int as dead
        from public.tasks t where t.status in ('queued', 'waiting', 'running', 'stopping')`;
    const [events] = await tx<{ oldest: number }[]>`
      select coalesce(extract(epoch from clock_timestamp() - min(e.run_after)), 0)::int as oldest
        from private.slack_events e where e.status in ('queued', 'running') and e.run_after <= clock_timestamp()`;
    const { waiting = 0, oldest = 0, dead = 0 } = tasks ?? {};
    const findings: Finding[] = [];
    if (oldest > LONG_WAIT_SECONDS) {
      findings.push(
        isRunning
          ? error(
              `${waiting} tasks wait, the oldest for ${minutes(oldest)}: look at the indexing function's log, and whether anything calls it.`,
            )
          : notice(`${waiting} tasks wait for Parley to be started, the oldest for ${minutes(oldest)}.`),
      );
    }
    if (isRunning && dead > 0) {
      findings.push(
        error(
          `${dead} tasks belong to workers that are gone, and nobody takes them over: look at the indexing function's log.`,
        ),
      );
    }
    if (isRunning && (events?.oldest ?? 0) > LONG_WAIT_SECONDS) {
      findings.push(
        error(
          `A question from Slack waits for ${minutes(events?.oldest ?? 0)}: look at the slack function's log, and whether slack/tick is called.`,
        ),
      );
    }
    return findings.length > 0 ? findings : [ok(`${waiting} tasks wait, none of them for long.`)];
  });
}

/** Checks when the indexing function was last called, by any caller. */
export async function checkTicks(url: string): Promise<Finding> {
  const [row] = await asService(
    url,
    (tx) => tx<{ age: number | null }[]>`
      select extract(epoch from clock_timestamp() - max(r.window_start))::int as age
        from private.rate_limits r where r.key = 'sweep:retention'`,
  );
  const age = row?.age ?? null;
  const remedy =
    "nothing is indexed without it: look at its log, and at what calls it every minute (docs/deploy.md).";
  if (age === null) return error(`The indexing function was not called in the last days; ${remedy}`);
  // The record contains the minute in which the call started.
  if (age > LATE_SECONDS)
    return error(`The indexing function was last called ${minutes(age)} ago; ${remedy}`);
  return ok("The indexing function is called regularly.");
}

/** Checks a hosted project's schedule. @param url the owner's login */
export async function checkSchedule(url: string): Promise<Finding[]> {
  return await withLogin(url, async (sql) => {
    const [there] = await sql`select to_regclass('cron.job') is not null as cron`;
    if (!there?.cron) {
      return [
        notice(
          "pg_cron is not in this database: something else has to call the functions indexing and slack/tick every minute.",
        ),
      ];
    }
    const jobs = await sql<{ name: string; active: boolean }[]>`
      select jobname as name, active from cron.job where jobname in ('parley-indexing', 'parley-slack')`;
    const missing = ["parley-indexing", "parley-slack"].filter(
      (name) => !jobs.some((job) => job.name === name && job.active),
    );
    if (missing.length > 0) {
      return [
        error(`pg_cron has no active job ${missing.join(", ")}: run sql/90_schedule.sql in the SQL editor.`),
      ];
    }
    const secrets = await sql<{ name: string }[]>`
      select name from vault.decrypted_secrets where name in ('parley_functions_url', 'parley_secret_key')`;
    if (secrets.length < 2) {
      return [
        error(
          "The vault lacks parley_functions_url or parley_secret_key, so the schedule calls nobody: create both (docs/deploy.md).",
        ),
      ];
    }
    return [ok("pg_cron has both jobs.")];
  });
}

const minutes = (seconds: number) =>
  seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;
