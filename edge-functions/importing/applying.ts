// Owns the last transaction of an import, which makes all of its rows visible. Rows that a client may write are written as the importing
// person, under row-level security; the rest as the service. Calls only Postgres; what can be very many is written before (hidden-rows.ts).
import { actAs, type Claims, type Transaction } from "../_shared/database/db.ts";
import { sentenceOf } from "../_shared/text/sentences.ts";
import { insertAgentTests } from "./agent-tests.ts";
import { insertGaps } from "./gaps.ts";
import { agentSettingOf, type ImportPlace, ofServices, typesOf, uuidOf } from "./hidden-rows.ts";
import { insertQaEntries } from "./qa-entries.ts";
import { type Report, readReport } from "./report.ts";

interface Staged {
  oldId: string;
  /** Of an agent or a source, what is hidden hangs on it. */
  newId: string;
  content: Record<string, unknown>;
}

const loggedIn = typesOf(({ login }) => login === "required");

/** Maps old ids to new ones, for rows that the caller inserted and Postgres gave an id. */
type IdMap = Map<string, string>;

/** @throws the Postgres error of a row that breaks a rule of its table; the whole import is rolled back */
export async function applyImport(
  tx: Transaction,
  { teamId, userId }: Omit<ImportPlace, "write">,
): Promise<Report> {
  const claims: Claims = { role: "authenticated", sub: userId };
  await insertFiles(tx, teamId, userId);
  const staged = {
    roles: await readStaged(tx, teamId, "roles"),
    agents: await readStaged(tx, teamId, "agents"),
    knowledges: await readStaged(tx, teamId, "knowledges"),
    sources: await sourcesOf(tx, teamId),
    apps: await readStaged(tx, teamId, "apps"),
  };
  const names = await actAs(tx, claims, async (caller) => {
    const roles = await insertNamed(caller, teamId, "roles", staged.roles);
    const agents = await insertNamed(caller, teamId, "agents", staged.agents);
    const knowledges = await insertNamed(caller, teamId, "knowledges", staged.knowledges);
    const sources = await insertNamed(caller, teamId, "sources", withAgents(staged.sources, agents));
    const apps = await insertNamed(caller, teamId, "apps", withAgents(staged.apps, agents));
    return { roles, agents, knowledges, sources, apps };
  });
  for (const [kind, named] of Object.entries(names)) await storeNewIds(tx, teamId, kind, named);
  await link(tx, claims, teamId);
  await insertQaEntries(tx, teamId);
  await insertGaps(tx, teamId);
  await insertAgentTests(tx, teamId);
  await restoreTimes(tx, teamId, ["roles", "agents", "knowledges", "apps"]);
  await settleSources(tx, teamId);
  const report = await readReport(tx, teamId);
  await tx`update public.team_imports set report = ${JSON.stringify(report)}::text::jsonb where team_id = ${teamId}`;
  await queueIndexing(tx, teamId);
  return report;
}

/** One update of each source: Postgres checks all its settings each time. */
async function settleSources(tx: Transaction, teamId: string): Promise<void> {
  await tx`
    update public.sources s
       set created_at = (r.content ->> 'created_at')::timestamptz,
           documents_count = (select count(*) from public.documents d where d.source_id = s.id),
           listed_at = case when s.type = any (${ofServices}) then clock_timestamp() else s.listed_at end,
           synced_at = case when s.type = any (${ofServices}) then (r.content ->> 'synced_at')::timestamptz else s.synced_at end,
           status = case when s.type = any (${loggedIn}) then 'stopped' else s.status end,
           error = case when s.type = any (${loggedIn}) then ${sentenceOf("importedSource")} else s.error end,
           schedule = case when s.type = any (${loggedIn}) then 'manual' else s.schedule end
      from private.import_rows r
     where r.team_id = ${teamId} and r.kind = 'sources' and s.team_id = ${teamId} and s.id = r.new_id`;
}

/** As index_knowledge() for each knowledge base that was indexed and has a source, without counting them as the person's calls. */
async function queueIndexing(tx: Transaction, teamId: string): Promise<void> {
  await tx`
    with queued as (
      update public.knowledges k set status = 'queued' from private.import_rows r
       where r.team_id = ${teamId} and r.kind = 'knowledges' and (r.content ->> 'was_indexed')::boolean
         and k.team_id = ${teamId} and k.id = r.new_id
         and exists (select 1 from public.knowledge_sources ks where ks.knowledge_id = k.id)
      returning k.id, r.position)
    select private.enqueue_task(${teamId}, 'index', 'index:knowledge:' || q.id, null, q.id, null)
      from (select u.id from queued u order by u.position) q`;
}

async function readStaged(tx: Transaction, teamId: string, kind: string): Promise<Staged[]> {
  return await tx<Staged[]>`
    select r.old_id, r.new_id, r.content from private.import_rows r
     where r.team_id = ${teamId} and r.kind = ${kind} order by r.position`;
}

/** Sources, with the new ids of their files. A file that was not imported is left out. */
async function sourcesOf(tx: Transaction, teamId: string): Promise<Staged[]> {
  return await tx<Staged[]>`
    select r.old_id, r.new_id,
           case when r.content ->> 'type' <> 'file' then r.content
                else r.content || jsonb_build_object('config', jsonb_build_object('fileIds', coalesce((
                  select jsonb_agg(f.id order by listed.place)
                    from jsonb_array_elements_text(
                           case jsonb_typeof(r.content -> 'config' -> 'fileIds') when 'array' then r.content -> 'config' -> 'fileIds' else '[]' end)
                         with ordinality as listed (id, place)
                    join private.import_rows named on named.team_id = r.team_id and named.kind = 'files'
                                                  and named.old_id = ${uuidOf(tx, tx`listed.id`)}
                    join public.files f on f.team_id = r.team_id and f.id = named.new_id), '[]'))) end as content
      from private.import_rows r
     where r.team_id = ${teamId} and r.kind = 'sources' order by r.position`;
}

/** Replaces an agent's old id with its new one. Leaves out rows whose agent was not imported. */
function withAgents(rows: Staged[], agents: IdMap): Staged[] {
  return rows.flatMap(({ content, ...ids }) => {
    const named = agentSettingOf(content.type);
    if (named) {
      const config = content.config as Record<string, unknown>;
      const agentId = agents.get(String(config[named]).toLowerCase());
      return agentId ? [{ ...ids, content: { ...content, config: { ...config, [named]: agentId } } }] : [];
    }
    if (!("agent_id" in content)) return [{ ...ids, content }];
    const agentId = agents.get(String(content.agent_id));
    return agentId ? [{ ...ids, content: { ...content, agent_id: agentId } }] : [];
  });
}

type Named = "roles" | "agents" | "knowledges" | "sources" | "apps";

/** The columns that a client writes. Postgres assigns the id. */
const written: Record<Named, string[]> = {
  roles: ["name", "codename", "permissions"],
  agents: [
    "name",
    "description",
    "instructions",
    "greeting",
    "suggested_prompts",
    "model",
    "temperature",
    "visibility",
    "retrieval_top_k",
    "retrieval_min_score",
    "retrieval_mode",
    "allowed_origins",
    "unsupported_claims",
    "display_name",
    "color",
    "launcher_icon",
    "launcher_label",
    "widget_position",
    "address",
    "avatar",
  ],
  knowledges: [
    "name",
    "description",
    "language",
    "chunk_max_tokens",
    "chunk_overlap_tokens",
    "warn_after_days",
  ],
  sources: ["type", "name", "config", "schedule"],
  apps: ["name", "type", "agent_id", "channels", "audience"],
};

/** Rows of a statement: Postgres plans and checks each statement anew, and none may run for half a minute. */
const namedAtOnce = 100;

async function insertNamed(tx: Transaction, teamId: string, table: Named, rows: Staged[]): Promise<IdMap> {
  const names: IdMap = new Map();
  const columns = written[table].map((column) => tx`, ${tx(column)}`);
  const hasRoots = table === "agents" || table === "sources";
  const fitting = table === "agents" ? await withFreeAddresses(tx, rows) : rows;
  for (let start = 0; start < fitting.length; start += namedAtOnce) {
    const slice = fitting.slice(start, start + namedAtOnce);
    if (hasRoots)
      await tx`select set_config('parley.next_id', ${slice.map(({ newId }) => newId).join(" ")}, true)`;
    const made = await tx<{ id: string }[]>`
      insert into public.${tx(table)} (team_id ${columns})
      select ${teamId} ${columns}
        from unnest(${slice.map(({ content }) => JSON.stringify(content))}::text[]) with ordinality as archived (said, place)
       cross join lateral jsonb_populate_record(null::public.${tx(table)}, archived.said::jsonb) as named
       order by archived.place
      returning id`;
    // In the order of the rows.
    for (const [i, { id }] of made.entries()) names.set(slice[i]?.oldId ?? "", id);
  }
  return names;
}

/** An agent keeps its short address if it is free in this installation, and no earlier agent of the archive has it. */
async function withFreeAddresses(tx: Transaction, rows: Staged[]): Promise<Staged[]> {
  const addressOf = ({ content }: Staged) => String(content.address ?? "");
  const free = await tx<{ address: string }[]>`
    select a.address from unnest(${[...new Set(rows.map(addressOf))]}::text[]) as a (address)
     where a.address <> '' and private.is_free_address(a.address)`;
  const left = new Set(free.map(({ address }) => address));
  return rows.map((row) =>
    left.delete(addressOf(row)) ? row : { ...row, content: { ...row.content, address: "" } },
  );
}

async function storeNewIds(tx: Transaction, teamId: string, kind: string, names: IdMap): Promise<void> {
  await tx`
    update private.import_rows r set new_id = named.new_id
      from unnest(${[...names.keys()]}::uuid[], ${[...names.values()]}::uuid[]) as named (old_id, new_id)
     where r.team_id = ${teamId} and r.kind = ${kind} and r.old_id = named.old_id`;
  // Rows that were left out have no new id.
  await tx`
    update private.import_rows r set new_id = null
     where r.team_id = ${teamId} and r.kind = ${kind} and r.old_id <> all (${[...names.keys()]}::uuid[])`;
}

async function link(tx: Transaction, claims: Claims, teamId: string): Promise<void> {
  const sources = await tx<{ knowledgeId: string; sourceId: string }[]>`
    select distinct k.new_id as knowledge_id, s.new_id as source_id from private.import_rows r
      join private.import_rows k on k.team_id = r.team_id and k.kind = 'knowledges' and k.old_id = (r.content ->> 'knowledge_id')::uuid
      join private.import_rows s on s.team_id = r.team_id and s.kind = 'sources' and s.old_id = (r.content ->> 'source_id')::uuid
     where r.team_id = ${teamId} and r.kind = 'knowledge_sources' and s.new_id is not null`;
  const knowledges = await tx<{ agentId: string; knowledgeId: string }[]>`
    select distinct a.new_id as agent_id, k.new_id as knowledge_id from private.import_rows r
      join private.import_rows a on a.team_id = r.team_id and a.kind = 'agents' and a.old_id = (r.content ->> 'agent_id')::uuid
      join private.import_rows k on k.team_id = r.team_id and k.kind = 'knowledges' and k.old_id = (r.content ->> 'knowledge_id')::uuid
     where r.team_id = ${teamId} and r.kind = 'agent_knowledges'`;
  await actAs(tx, claims, async (caller) => {
    await caller`
      insert into public.knowledge_sources (team_id, knowledge_id, source_id)
      select ${teamId}, l.knowledge_id, l.source_id
        from unnest(${sources.map((one) => one.knowledgeId)}::uuid[], ${sources.map((one) => one.sourceId)}::uuid[])
          as l (knowledge_id, source_id)`;
    await caller`
      insert into public.agent_knowledges (team_id, agent_id, knowledge_id)
      select ${teamId}, l.agent_id, l.knowledge_id
        from unnest(${knowledges.map((one) => one.agentId)}::uuid[], ${knowledges.map((one) => one.knowledgeId)}::uuid[])
          as l (agent_id, knowledge_id)`;
  });
}

/** Rows of a statement: none may run for half a minute. */
const rowsAtOnce = 2000;

/** Where the slices of a kind's rows begin, by position. */
async function slicesOf(tx: Transaction, teamId: string, kind: string): Promise<number[]> {
  const rows = await tx<{ start: number }[]>`
    select generate_series(0, max(r.position), ${rowsAtOnce}::int) as start from private.import_rows r
     where r.team_id = ${teamId} and r.kind = ${kind}`;
  return rows.map(({ start }) => start);
}

/** Runs as the service, which stored the objects: only it may write their path and size. */
async function insertFiles(tx: Transaction, teamId: string, userId: string): Promise<void> {
  for (const start of await slicesOf(tx, teamId, "files"))
    await tx`
      insert into public.files (id, team_id, name, type, content_type, size, path, sha256, created_by, created_at)
      select r.new_id, r.team_id, f.name, f.type, f.content_type, f.size,
             'teams/' || r.team_id || '/' || r.new_id, f.sha256, ${userId}, f.created_at
        from private.import_rows r cross join lateral jsonb_populate_record(null::public.files, r.content) f
       where r.team_id = ${teamId} and r.kind = 'files' and r.position >= ${start} and r.position < ${start + rowsAtOnce}
         and (r.content ->> 'stored')::boolean
       order by r.position`;
}

/** No client may set a creation time, but it is part of the team's data. */
async function restoreTimes(tx: Transaction, teamId: string, kinds: string[]): Promise<void> {
  for (const kind of kinds) {
    await tx`
      update public.${tx(kind)} t set created_at = (r.content ->> 'created_at')::timestamptz
        from private.import_rows r
       where r.team_id = ${teamId} and r.kind = ${kind} and t.team_id = ${teamId} and t.id = r.new_id`;
  }
}
