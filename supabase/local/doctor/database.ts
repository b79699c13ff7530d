// Owns the doctor's checks of the database: the login, the server, the migrations that it has run, and the privileges
// of its roles. Reads only.
import { join } from "node:path";
import type { Sql } from "postgres";
import { withLogin } from "../database-login.ts";
import { codeOf } from "../error-code.ts";
import { Fatal } from "../fatal.ts";
import { compareStanding, readMigrations, readRecord } from "../migrate.ts";
import { wasPrepared, whatIsMissing } from "../preparation.ts";
import { readReleases, requireReleased } from "../releases.ts";
import { projectDir } from "../settings.ts";
import { error, type Finding, notice, ok, reasonOf } from "./finding.ts";
import { isThisMachine } from "./settings.ts";

/** Checks that a login works. The sentence names the address and the user, never the password. */
export async function checkLogin(name: string, url: string): Promise<Finding> {
  let place: string;
  try {
    const { hostname, port, username } = new URL(url);
    place = `${username || "nobody"} at ${hostname}:${port || 5432}`;
  } catch {
    return error(
      `${name} is not an address of the form postgres://user:password@host:5432/database: correct it.`,
    );
  }
  try {
    await withLogin(url, (sql) => sql`select 1`);
    return ok(`The database lets ${place} in.`);
  } catch (problem) {
    return error(
      `The database does not let ${place} in (${reasonOf(problem)}): start it, or correct ${name}.`,
    );
  }
}

/** Checks the server's version and the vector extension. @param url any login */
export function checkServer(url: string): Promise<Finding[]> {
  return withLogin(url, async (sql) => {
    const [row] = await sql<{ version: number; words: string; vector: string | null; seconds: number }[]>`
      select current_setting('server_version_num')::int as version, current_setting('server_version') as words,
        (select extversion from pg_extension where extname = 'vector') as vector,
        extract(epoch from clock_timestamp())::float8 as seconds`;
    const skew = Math.round(Math.abs(Date.now() / 1000 - (row?.seconds ?? 0)));
    return [
      (row?.version ?? 0) < 150_000
        ? error(`Postgres is ${row?.words}, and Parley needs 15 or later: upgrade the server.`)
        : ok(`Postgres is ${row?.words}.`),
      checkVector(row?.vector ?? null),
      skew > 30
        ? error(
            `The clocks of this machine and of the database are ${skew} seconds apart: sessions and schedules go by both, so keep both by NTP.`,
          )
        : ok("The clocks of this machine and of the database agree."),
    ];
  });
}

export function checkVector(version: string | null): Finding {
  if (version === null)
    return error(
      "The extension vector is not in the database: install pgvector 0.7 or later and start again.",
    );
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 0 || minor >= 7) return ok(`pgvector is ${version}.`);
  return error(`pgvector is ${version}, and Parley needs 0.7 or later: update the extension.`);
}

/** Compares the applied migrations with supabase/migrations. @param url the owner's login; no other may read the record */
export async function checkMigrations(url: string, isHosted: boolean): Promise<Finding> {
  const how = isHosted ? "supabase db push --remote" : "npm start";
  try {
    const ours = await readMigrations(join(projectDir, "supabase/migrations"));
    requireReleased(ours, await readReleases());
    const { pending } = compareStanding(await withLogin(url, readRecord), ours);
    if (pending.length === 0) return ok("The database has run every migration.");
    const names = pending.length === 1 ? `${pending[0]?.name} has` : `${pending.length} migrations have`;
    return error(`The database is older than this copy: ${names} not run. Run the migrations (${how}).`);
  } catch (problem) {
    if (problem instanceof Fatal) return error(problem.message);
    const code = codeOf(problem);
    if (code === "42P01" || code === "3F000")
      return error(`The database is empty: run the migrations (${how}).`);
    if (code === "42501") {
      return notice(
        "This login may not read which migrations have run: give the doctor the owner's address in SUPABASE_DB_URL.",
      );
    }
    throw problem;
  }
}

/** Finds accounts of the seed, whose passwords are in the README. @param url the owner's login */
export async function checkDemoAccounts(url: string, webUrl: string): Promise<Finding[]> {
  if (isThisMachine(webUrl)) return [];
  const accounts = await withLogin(
    url,
    (sql) => sql<{ email: string }[]>`
      select email from auth.users where email in ('demo@parley.test', 'admin@parley.test') order by email`,
  );
  if (accounts.length === 0) return [ok("There are no accounts with published passwords.")];
  const names = accounts.map(({ email }) => email).join(" and ");
  return [
    error(
      `Everybody knows the password of ${names}, and WEB_URL is open to others: make an account of your own a platform admin, and delete the seeded ones.`,
    ),
  ];
}

/** The notice for a restored database whose functions' login is still missing; undefined for any other. */
export async function checkStart(ownerUrl: string, functionsUrl: string): Promise<Finding | undefined> {
  if ((await wasPrepared(ownerUrl)) || !(await whatIsMissing(ownerUrl, functionsUrl))) return undefined;
  return notice(
    "Parley has not started on this database since it was restored: the start makes the functions' login. What that login reads is not looked at.",
  );
}

/** Checks that the functions' login has the privileges that it needs and no others. */
export async function checkRoles(ownerUrl: string, functionsUrl: string): Promise<Finding[]> {
  const missing = await whatIsMissing(ownerUrl, functionsUrl);
  if (missing) return [error(missing)];
  return await withLogin(functionsUrl, async (sql) => {
    const { may, lacks } = await rightsOf(sql);
    if (lacks.length > 0) {
      return [
        error(
          `The functions' login ${may.name} cannot become ${lacks.join(", ")}: grant ${lacks.join(", ")} to ${may.name}.`,
        ),
      ];
    }
    if (may.passes) {
      return [
        notice(
          `The functions log in as ${may.name}, which row-level security does not hold: give them a login that can only become anon, authenticated and service_role (docs/deploy.md).`,
        ),
      ];
    }
    return [ok(`The functions' login ${may.name} can become the API's roles and nothing else.`)];
  });
}

async function rightsOf(sql: Sql) {
  const [may] = await sql<{ name: string; passes: boolean }[]>`
    select rolname as name, rolsuper or rolbypassrls as passes from pg_roles where rolname = current_user`;
  const lacks = await sql<{ name: string }[]>`
    select r.name from unnest(array['anon', 'authenticated', 'service_role']) as r (name)
     where not exists (select from pg_roles p where p.rolname = r.name and pg_has_role(current_user, p.oid, 'member'))`;
  return { may: may ?? { name: "?", passes: false }, lacks: lacks.map(({ name }) => name) };
}
