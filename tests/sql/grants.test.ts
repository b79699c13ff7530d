// The columns that a client may read and write, table by table. Row-level security decides the rows; this decides the columns. Unlisted
// columns are closed to clients: ids, owners, counts, statuses, secrets.
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

/** "*" is every column; a list is those columns; absent is none. */
interface Grants {
  select?: string;
  insert?: string;
  update?: string;
  delete?: true;
}

const readOnly: Grants = { select: "*" };
const agentSettings =
  "name description instructions greeting suggested_prompts model temperature visibility" +
  " retrieval_top_k retrieval_min_score retrieval_mode allowed_origins unsupported_claims" +
  " display_name color launcher_icon launcher_label widget_position address avatar";
const knowledgeSettings = "name description language chunk_max_tokens chunk_overlap_tokens warn_after_days";
const chatSettings: Grants = {
  select: "*",
  insert: "agent_id title channel",
  update: "title summary rating comment",
};
const messageSettings: Grants = {
  select: "*",
  insert: "chat_id content",
  update: "rating comment stop_requested",
};

const authenticated: Record<string, Grants> = {
  users: { select: "id name email locale created_at updated_at", update: "name locale" },
  teams: { select: "*", update: "name codename", delete: true },
  permissions: readOnly,
  roles: {
    select: "*",
    insert: "team_id name codename permissions",
    update: "name codename permissions",
    delete: true,
  },
  team_users: { select: "*", insert: "team_id email role_id", update: "role_id status", delete: true },
  api_keys: {
    select: "id team_id name role_id prefix created_by last_used_at created_at updated_at",
    insert: "team_id name role_id prefix secret_hash",
    update: "name role_id",
    delete: true,
  },
  agents: { select: "*", insert: `team_id ${agentSettings}`, update: agentSettings, delete: true },
  agent_versions: readOnly,
  agent_tests: {
    select: "*",
    insert: "team_id agent_id question facts expected_document_id must_refuse message_id",
    update: "question facts expected_document_id must_refuse",
    delete: true,
  },
  agent_test_runs: readOnly,
  agent_test_results: { select: "*", update: "overruled" },
  files: { select: "*", delete: true },
  file_versions: readOnly,
  sources: {
    select: "*",
    insert: "team_id type name config schedule",
    update: "name config schedule",
    delete: true,
  },
  onboardings: readOnly,
  gaps: { select: "*", update: "is_dismissed" },
  gap_questions: {
    select:
      "message_id question_id team_id agent_id gap_id cause asked_at is_leader again answered_at created_at updated_at",
  },
  qa_entries: {
    select: "*",
    insert: "team_id source_id question answer owner_id expires_at",
    update: "question answer owner_id expires_at",
    delete: true,
  },
  vectors: {
    select: "*",
    insert: "name model dimensions status",
    update: "name model dimensions status",
    delete: true,
  },
  knowledges: {
    select: "*",
    insert: `team_id ${knowledgeSettings}`,
    update: knowledgeSettings,
    delete: true,
  },
  knowledge_sources: { select: "*", insert: "team_id knowledge_id source_id", delete: true },
  agent_knowledges: { select: "*", insert: "team_id agent_id knowledge_id", delete: true },
  documents: {
    select: "*",
    insert: "team_id source_id external_id type title url content language",
    update: "external_id type title url content language",
    delete: true,
  },
  document_indexes: readOnly,
  chunks: readOnly,
  chunk_words: readOnly,
  chunk_embeddings: readOnly,
  document_tables: readOnly,
  table_rows: readOnly,
  tasks: readOnly,
  task_attempts: readOnly,
  team_imports: { select: "team_id size sha256 report created_by created_at updated_at" },
  chats: chatSettings,
  messages: messageSettings,
  reply_passages: readOnly,
  handovers: readOnly,
  model_usage: readOnly,
  apps: {
    select: "*",
    insert: "team_id name type agent_id channels audience",
    update: "name agent_id channels audience",
    delete: true,
  },
  beta_signups: readOnly,
  suppressions: { select: "*", delete: true },
  retention: { ...readOnly, update: "days" },
  support_tickets: { ...readOnly, update: "status" },
};

const anon: Record<string, Grants> = {
  agents: {
    select:
      "id team_id name description greeting suggested_prompts visibility allowed_origins created_at updated_at" +
      " display_name color launcher_icon launcher_label widget_position address avatar avatar_hash",
  },
  chats: chatSettings,
  messages: messageSettings,
  handovers: readOnly,
};

let database: TestPostgres;
let sql: Sql;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
});

afterAll(() => database.stop());

/** A role's grants on each table of public and private. */
async function readGrants(role: string): Promise<Record<string, Grants>> {
  const rows = await sql<
    { table: string; command: "select" | "insert" | "update"; columns: string; all: boolean }[]
  >`
    select case n.nspname when 'public' then '' else n.nspname || '.' end || c.relname as table, command,
           string_agg(a.attname, ' ' order by a.attname)
             filter (where has_column_privilege(${role}, c.oid, a.attnum, command)) as columns,
           bool_and(has_column_privilege(${role}, c.oid, a.attnum, command)) as all
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      cross join unnest(array['select', 'insert', 'update']) command
     where n.nspname in ('public', 'private') and c.relkind in ('r', 'p', 'v', 'm', 'f')
     group by n.nspname, c.relname, command`;
  const deletable = await sql<{ table: string }[]>`
    select c.relname as table from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'private') and c.relkind in ('r', 'p', 'v') and has_table_privilege(${role}, c.oid, 'delete')`;
  const grants: Record<string, Grants> = {};
  for (const { table, command, columns, all } of rows)
    if (columns) grants[table] = { ...grants[table], [command]: all ? "*" : columns };
  for (const { table } of deletable) grants[table] = { ...grants[table], delete: true };
  return grants;
}

/** The order of columns does not matter. */
function sortColumns(grants: Record<string, Grants>): Record<string, Grants> {
  const columns = (list?: string) => list?.split(" ").sort().join(" ");
  return Object.fromEntries(
    Object.entries(grants).map(([table, one]) => [
      table,
      { ...one, select: columns(one.select), insert: columns(one.insert), update: columns(one.update) },
    ]),
  );
}

test("people, API keys and answering agents have exactly these grants", async () => {
  const grants = sortColumns(await readGrants("authenticated"));
  expect(grants, "`authenticated` in this file names each table's columns").toEqual(
    sortColumns(authenticated),
  );
});

test("visitors have exactly these grants", async () => {
  expect(sortColumns(await readGrants("anon"))).toEqual(sortColumns(anon));
});
