// Rules for every table, function and policy, read from the catalogs: the applicable checks of Supabase's database linter, under its names,
// and the house's own.
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSchema } from "../../supabase/local/schema.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

let database: TestPostgres;
let sql: Sql;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
});

afterAll(() => database.stop());

/** The first column of a query's rows. */
async function readColumn(query: string): Promise<string[]> {
  return (await sql.unsafe(query).values()).map(([value]) => String(value));
}

const ours = "n.nspname in ('public', 'private')";
const tables = `pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace and ${ours} and c.relkind in ('r', 'p')`;
const functions = `pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace and ${ours}`;

/** Each query returns violations. */
const lints: Record<string, string> = {
  rls_disabled_in_public: `select c.oid::regclass from ${tables} where not c.relrowsecurity`,
  policy_exists_rls_disabled: `
    select p.tablename || ': ' || p.policyname from pg_catalog.pg_policies p
      join pg_catalog.pg_class c on c.oid = format('%I.%I', p.schemaname, p.tablename)::regclass
     where not c.relrowsecurity`,
  // A table with grants to a client and no policy silently denies everything: the grant is a mistake.
  rls_enabled_no_policy: `
    select c.oid::regclass from ${tables}
     where not exists (select 1 from pg_catalog.pg_policy p where p.polrelid = c.oid and p.polpermissive)
       and (has_any_column_privilege('authenticated', c.oid, 'select, insert, update, references')
         or has_any_column_privilege('anon', c.oid, 'select, insert, update, references')
         or has_table_privilege('authenticated', c.oid, 'delete') or has_table_privilege('anon', c.oid, 'delete'))`,
  unindexed_foreign_keys: `
    select k.conrelid::regclass || ': ' || k.conname from pg_catalog.pg_constraint k
      join pg_catalog.pg_namespace n on n.oid = k.connamespace and ${ours}
     where k.contype = 'f' and not exists (
       select 1 from pg_catalog.pg_index i
        where i.indrelid = k.conrelid and i.indisvalid
          and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', (
                select a.attname from pg_catalog.pg_attribute a where a.attrelid = k.conrelid and a.attnum = k.conkey[1])))
          and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey
          and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] <@ k.conkey)`,
  no_primary_key: `
    select c.oid::regclass from ${tables}
     where not exists (select 1 from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisprimary)`,
  duplicate_index: `
    select string_agg(i.indexrelid::regclass::text, ', ') from pg_catalog.pg_index i
      join pg_catalog.pg_class c on c.oid = i.indrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace and ${ours}
     group by i.indrelid, regexp_replace(pg_get_indexdef(i.indexrelid), ' INDEX \\S+ ON', ' INDEX ON')
    having count(*) > 1`,
  // An index on the leading columns of a unique index is redundant.
  index_that_begins_a_unique_index: `
    select i.indexrelid::regclass || ' begins ' || wider.indexrelid::regclass from pg_catalog.pg_index i
      join pg_catalog.pg_class c on c.oid = i.indrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace and ${ours}
      join pg_catalog.pg_index wider on wider.indrelid = i.indrelid and wider.indexrelid <> i.indexrelid and wider.indisunique
     where not i.indisunique and i.indpred is null and wider.indpred is null and i.indexprs is null and wider.indexprs is null
       and i.indnatts = i.indnkeyatts
       and (wider.indkey::int2[])[0:i.indnkeyatts - 1] = (i.indkey::int2[])[0:i.indnkeyatts - 1]`,
  function_search_path_mutable: `
    select p.oid::regprocedure from ${functions}
     where p.prokind <> 'a' and not coalesce(p.proconfig @> array['search_path=""'], false)`,
  security_definer_view: `
    select c.oid::regclass from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace and ${ours}
     where c.relkind = 'v' and not coalesce(c.reloptions::text ~ 'security_invoker=(on|true)', false)`,
  materialized_view_in_api: `
    select c.oid::regclass from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace and ${ours}
     where c.relkind = 'm'`,
  foreign_table_in_api: `
    select c.oid::regclass from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace and ${ours}
     where c.relkind = 'f'`,
  auth_users_exposed: `
    select distinct d.refobjid::regclass::text || ' in ' || c.oid::regclass from pg_catalog.pg_depend d
      join pg_catalog.pg_rewrite r on r.oid = d.objid
      join pg_catalog.pg_class c on c.oid = r.ev_class and c.relkind in ('v', 'm')
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace and ${ours}
     where d.refobjid = 'auth.users'::regclass`,
  extension_in_public: `
    select e.extname from pg_catalog.pg_extension e
      join pg_catalog.pg_namespace n on n.oid = e.extnamespace and n.nspname = 'public'`,
  // auth.uid() or current_setting() outside a subquery runs once per row.
  auth_rls_initplan: `
    select p.tablename || ': ' || p.policyname from pg_catalog.pg_policies p
      join pg_catalog.pg_namespace n on n.nspname = p.schemaname and ${ours}
     where concat_ws(' ', p.qual, p.with_check) ~* 'auth\\.|current_setting|private\\.claims'`,
  rls_references_user_metadata: `
    select p.tablename || ': ' || p.policyname from pg_catalog.pg_policies p
     where concat_ws(' ', p.qual, p.with_check) ~* 'user_metadata'`,
  policy_for_everyone: `
    select p.tablename || ': ' || p.policyname from pg_catalog.pg_policies p
      join pg_catalog.pg_namespace n on n.nspname = p.schemaname and ${ours}
     where p.roles = '{public}' or p.cmd = 'ALL' or p.qual = 'true' or p.with_check = 'true'`,
  // The team check has one form, which runs once per statement; a correlated one costs a thousand times as much.
  team_check_per_row: `
    select p.tablename || ': ' || p.policyname from pg_catalog.pg_policies p
      join pg_catalog.pg_namespace n on n.nspname = p.schemaname and ${ours}
     where regexp_replace(concat_ws(' ', p.qual, p.with_check),
             '= ANY \\(\\( SELECT private\\.teams_(with|inviting)\\([^)]*\\) AS teams_(with|inviting)\\)(::uuid\\[\\])?\\)', '', 'g')
           ~ 'teams_with|teams_inviting|team_users'`,
  identity_per_row: `
    select p.tablename || ': ' || p.policyname from pg_catalog.pg_policies p
      join pg_catalog.pg_namespace n on n.nspname = p.schemaname and ${ours}
     where regexp_replace(concat_ws(' ', p.qual, p.with_check),
             '\\( SELECT private\\.(user_id|claim_id|api_key_id|confirmed_email|is_admin|is_known)\\([^)]*\\) AS \\w+\\)', '', 'g')
           ~ 'private\\.(user_id|claim_id|api_key_id|confirmed_email|is_admin|is_known)'`,
  private_table_open_to_clients: `
    select c.oid::regclass from ${tables}
     where n.nspname = 'private'
       and (has_any_column_privilege('authenticated', c.oid, 'select, insert, update, references')
         or has_any_column_privilege('anon', c.oid, 'select, insert, update, references')
         or has_table_privilege('authenticated', c.oid, 'delete, truncate, trigger')
         or has_table_privilege('anon', c.oid, 'delete, truncate, trigger'))`,
  // PostgREST would tell how many rows of other teams there are.
  estimates_told_to_clients: `
    select c.oid::regclass from ${tables}
     where (has_any_column_privilege('authenticated', c.oid, 'select') or has_any_column_privilege('anon', c.oid, 'select'))
       and not exists (select 1 from pg_catalog.pg_policy p
                        where p.polrelid = c.oid and p.polname = 'estimates are refused' and not p.polpermissive)`,
  auth_or_storage_without_rls: `
    select c.oid::regclass from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('auth', 'storage') and c.relkind in ('r', 'p') and not c.relrowsecurity`,
  not_revoked_from_clients: `
    select c.oid::regclass from ${tables}
     where has_table_privilege('authenticated', c.oid, 'truncate, trigger, references')
        or has_table_privilege('anon', c.oid, 'truncate, trigger, references')`,
  executable_by_public: `
    select p.oid::regprocedure from ${functions}
     where p.proacl is null or exists (select 1 from aclexplode(p.proacl) a where a.grantee = 0)`,
  trigger_function_callable: `
    select p.oid::regprocedure from ${functions}
     where p.prorettype = 'trigger'::regtype
       and (has_function_privilege('authenticated', p.oid, 'execute') or has_function_privilege('anon', p.oid, 'execute'))`,
  // PostgREST answers the classes P0 (but for P0001) and XX with 500; PT404 becomes a 404.
  refusal_that_becomes_a_500: `
    select p.oid::regprocedure from ${functions} where p.prosrc ~ 'errcode = ''(P0(?!001)|XX)'`,
  // No text from a row or a caller becomes part of a statement. Those of sql/84_deletions.sql and sql/84_restoring.sql are built from catalog names only.
  dynamic_sql: `
    select p.oid::regprocedure from ${functions} where p.prosrc ~* '\\mexecute\\M'
       and p.proname not in ('keep_rows', 'keep_deleted', 'put_back_rows', 'put_back_references', 'put_back', 'restore_deleted')`,
  team_id_out_of_keys: `
    select c.oid::regclass from ${tables}
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'team_id' and a.attnotnull
     where n.nspname = 'public' and not exists (
       select 1 from pg_catalog.pg_index i where i.indrelid = c.oid and a.attnum = (i.indkey::int2[])[0])`,
  no_time_stamps: `
    select c.oid::regclass from ${tables}
     where n.nspname = 'public' and c.relname <> 'permissions' and not exists (
       select 1 from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attname = 'created_at' and a.attnotnull)
       and not exists (
       select 1 from pg_catalog.pg_constraint k where k.conrelid = c.oid and k.contype = 'f'
          and k.confrelid in ('public.chunks'::regclass, 'public.document_tables'::regclass))`,
  updated_at_without_trigger: `
    select c.oid::regclass from ${tables}
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'updated_at'
     where not exists (
       select 1 from pg_catalog.pg_trigger t
        where t.tgrelid = c.oid and t.tgfoid = 'private.touch_updated_at()'::regprocedure)`,
};

test.each(Object.entries(lints))("%s", async (_name, query) => {
  expect(await readColumn(query)).toEqual([]);
});

describe("functions", () => {
  test("visitors may call only what their policies and defaults need", async () => {
    expect(
      (
        await readColumn(
          `select p.oid::regprocedure from ${functions} where has_function_privilege('anon', p.oid, 'execute')`,
        )
      ).sort(),
    ).toEqual(
      [
        "private.add_question(uuid,text,text,uuid)",
        "private.ask_agent(uuid,boolean)",
        "private.claim_id(text)",
        "private.claims()",
        "private.agent_knowledge_ids()",
        "private.is_admin()",
        "private.is_client()",
        "private.is_no_estimate()",
        "private.is_open_agent(uuid)",
        "private.public_agent_at(text)",
        "private.is_plain_text(text)",
        "private.is_public_agent(uuid)",
        // Called by triggers of chats and messages.
        "private.is_restoring()",
        // Called by the API in a visitor's transaction: it takes a secret that no client has.
        "private.note_effect(uuid)",
        // Called by hosted PostgREST before each request.
        "private.refuse_estimates()",
        // Used in an index of chats.
        "private.start_of_day(date,text)",
        "private.team_words(uuid,text)",
        "private.teams_inviting()",
        "private.teams_with(text)",
        "private.user_id()",
        "private.uuid_v7()",
      ].sort(),
    );
  });

  test("what PostgREST exposes to logged-in users is listed here", async () => {
    expect(
      (
        await readColumn(`
          select p.oid::regprocedure from ${functions}
           where n.nspname = 'public' and has_function_privilege('authenticated', p.oid, 'execute')`)
      ).sort(),
    ).toEqual([
      "agents(chats)",
      "chat_insights(uuid,uuid,date,date,text,text)",
      "chats(agents)",
      "chats(teams)",
      "chunks(knowledges)",
      "create_team(text,text)",
      "document_indexes(knowledges)",
      "documents(sources)",
      "files(teams)",
      "forget_indexes(uuid)",
      "index_document(uuid)",
      "index_knowledge(uuid)",
      "index_source(uuid)",
      "knowledges(chunks)",
      "knowledges(document_indexes)",
      "load_documents(uuid)",
      "search_chunks(uuid[],text,jsonb,integer,text,text,text)",
      "sources(documents)",
      "stop_indexing(uuid)",
      "sync_source(uuid,boolean)",
      "teams(chats)",
      "teams(files)",
    ]);
  });

  test("every security definer says in sql/ why it is one, who may, and what it checks", async () => {
    const definers = await readColumn(
      `select n.nspname || '.' || p.proname from ${functions} where p.prosecdef`,
    );
    const text = readSchema()
      .map((file) => file.text)
      .join("\n");
    const isExplained = (name: string) => {
      const [before = ""] = text.split(`create function ${name}(`);
      const [comment = ""] = /(?:^--.*\n)+(?![\s\S])/m.exec(before) ?? [];
      const check = comment.trimEnd().split("\n").at(-1) ?? "";
      return (
        /security definer/i.test(comment.replaceAll("\n-- ", " ")) &&
        /^-- Who may: \S.*\. Checks: \S.*\.$/.test(check)
      );
    };
    expect(definers.filter((name) => !isExplained(name))).toEqual([]);
    expect(definers.length).toBeGreaterThan(10);
  });
});

describe("logins", () => {
  test("authenticator can only become anon, authenticated or service_role, and sees nothing itself", async () => {
    const memberships = await readColumn(`
      select pg_get_userbyid(m.roleid) from pg_catalog.pg_auth_members m where m.member = 'authenticator'::regrole`);
    expect(memberships.sort()).toEqual(["anon", "authenticated", "service_role"]);
    const authenticator = database.connect("authenticator", { max: 1 });
    await expect(authenticator`select 1 from public.teams`).rejects.toThrow("permission denied");
    await expect(authenticator`set role postgres`).rejects.toThrow("permission denied");
  });

  test("no API role may log in, create or bypass row-level security, except service_role's bypass", async () => {
    expect(
      await readColumn(`
        select rolname from pg_catalog.pg_roles
         where rolname in ('anon', 'authenticated', 'service_role', 'authenticator')
           and (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolinherit
             or rolcanlogin <> (rolname = 'authenticator') or rolbypassrls <> (rolname = 'service_role'))`),
    ).toEqual([]);
  });
});

test("no policy's name is longer than Postgres stores", async () => {
  const text = readSchema()
    .map((file) => file.text)
    .join("\n");
  const names = await readColumn(
    "select policyname from pg_catalog.pg_policies where schemaname in ('public', 'private')",
  );
  expect(names.filter((name) => !text.includes(`create policy "${name}" on `))).toEqual([]);
});

test("sql/ is in lower case", () => {
  const shouting = readSchema().flatMap(({ name, text }) =>
    text
      .split("\n")
      .filter((line) => /^\s*(CREATE|ALTER|GRANT|REVOKE|SELECT|INSERT|UPDATE|DELETE)\b/.test(line))
      .map((line) => `${name}: ${line}`),
  );
  expect(shouting).toEqual([]);
});
