// Owns the transaction that turns checked rows into a team's data. Rows that a client may write are written as the importing person,
// under row-level security; the rest as the service. Calls only Postgres, so the transaction is short.
import { actAs, type Claims, type Transaction } from "../_shared/database/db.ts";
import { sentenceOf } from "../_shared/text/sentences.ts";
import type { Declaration } from "../indexing/connectors/declaration.ts";
import { declarationOf, declarations } from "../indexing/connectors/registry.ts";
import { insertAgentTests } from "./agent-tests.ts";
import { insertHandovers } from "./handovers.ts";
import { newIdOf } from "./ids.ts";
import { insertQaEntries } from "./qa-entries.ts";
import { type Report, readReport } from "./report.ts";
import type { Citation } from "./rows.ts";

export interface Place {
  teamId: string;
  /** The importing person. */
  userId: string;
}

interface Staged {
  oldId: string;
  content: Record<string, unknown>;
}

const typesOf = (matches: (one: Declaration) => boolean) =>
  declarations.filter(matches).map(({ type }) => type);
/** Types whose content comes from a service. Those that need credentials are imported without: an export contains none. */
const ofServices = typesOf(({ origin }) => origin === "service");
const loggedIn = typesOf(({ login }) => login === "required");
/** These types are rebuilt from the team's own data. */
const listedHere = typesOf(({ origin }) => origin === "team");

/** Maps old ids to new ones, for rows that the caller inserted and Postgres gave an id. */
type IdMap = Map<string, string>;

/** @throws the Postgres error of a row that breaks a rule of its table; the whole import is rolled back */
export async function applyImport(tx: Transaction, { teamId, userId }: Place): Promise<Report> {
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
  await insertDocuments(tx, teamId);
  await insertQaEntries(tx, teamId);
  await insertChats(tx, teamId, userId);
  await insertMessages(tx, teamId);
  await insertHandovers(tx, teamId);
  await insertAgentTests(tx, teamId);
  await restoreTimes(tx, teamId, Object.keys(names));
  await tx`
    update public.sources s
       set listed_at = clock_timestamp(),
           status = case when s.type = any (${loggedIn}) then 'stopped' else s.status end,
           error = case when s.type = any (${loggedIn}) then ${sentenceOf("importedSource")} else s.error end,
           schedule = case when s.type = any (${loggedIn}) then 'manual' else s.schedule end
     where s.team_id = ${teamId} and s.type = any (${ofServices})
       and s.id in (select r.new_id from private.import_rows r where r.team_id = ${teamId} and r.kind = 'sources')`;
  await tx`
    update public.sources s set documents_count = (select count(*) from public.documents d where d.source_id = s.id)
     where s.team_id = ${teamId}`;
  const report = await readReport(tx, teamId);
  await tx`update public.team_imports set report = ${JSON.stringify(report)}::text::jsonb where team_id = ${teamId}`;
  const toIndex = await tx<{ id: string }[]>`
    select r.new_id as id from private.import_rows r
     where r.team_id = ${teamId} and r.kind = 'knowledges' and (r.content ->> 'was_indexed')::boolean
       and exists (select 1 from public.knowledge_sources ks where ks.knowledge_id = r.new_id)
     order by r.position`;
  await actAs(tx, claims, async (caller) => {
    for (const { id } of toIndex) await caller`select public.index_knowledge(${id})`;
  });
  return report;
}

async function readStaged(tx: Transaction, teamId: string, kind: string): Promise<Staged[]> {
  return await tx<Staged[]>`
    select r.old_id, r.content from private.import_rows r
     where r.team_id = ${teamId} and r.kind = ${kind} order by r.position`;
}

/** A text as a uuid, null if it is none: an index finds it so. */
const uuidOf = (tx: Transaction, text: ReturnType<Transaction>) =>
  tx`case when ${text} ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${text}::uuid end`;

/** Sources, with the new ids of their files. A file that was not imported is left out. */
async function sourcesOf(tx: Transaction, teamId: string): Promise<Staged[]> {
  return await tx<Staged[]>`
    select r.old_id,
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
  return rows.flatMap(({ oldId, content }) => {
    const named = agentSettingOf(content.type);
    if (named) {
      const config = content.config as Record<string, unknown>;
      const agentId = agents.get(String(config[named]).toLowerCase());
      return agentId ? [{ oldId, content: { ...content, config: { ...config, [named]: agentId } } }] : [];
    }
    if (!("agent_id" in content)) return [{ oldId, content }];
    const agentId = agents.get(String(content.agent_id));
    return agentId ? [{ oldId, content: { ...content, agent_id: agentId } }] : [];
  });
}

/** The setting that refers to an agent, for a source type that has one. */
function agentSettingOf(type: unknown): string | undefined {
  const settings = Object.entries(declarationOf(String(type))?.settings ?? {});
  return settings.find(([, { control }]) => control === "agent")?.[0];
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

async function insertNamed(tx: Transaction, teamId: string, table: Named, rows: Staged[]): Promise<IdMap> {
  const names: IdMap = new Map();
  const columns = written[table].map((column) => tx`, ${tx(column)}`);
  for (const { oldId, content } of rows) {
    const fitting = table === "agents" ? await withFreeAddress(tx, content) : content;
    const [row] = await tx<{ id: string }[]>`
      insert into public.${tx(table)} (team_id ${columns})
      select ${teamId} ${columns}
        from jsonb_populate_record(null::public.${tx(table)}, ${JSON.stringify(fitting)}::text::jsonb)
      returning id`;
    if (row) names.set(oldId, row.id);
  }
  return names;
}

/** An agent keeps its short address if it is free in this installation. */
async function withFreeAddress(tx: Transaction, content: Staged["content"]): Promise<Staged["content"]> {
  const address = String(content.address ?? "");
  if (address === "") return content;
  const [row] = await tx<{ isFree: boolean }[]>`select private.is_free_address(${address}) as is_free`;
  return row?.isFree ? content : { ...content, address: "" };
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

/**
 * Follows the rules for clients (private.guard_document): a document of a connector's type belongs to a source of that type; any other
 * has a text, which Postgres hashes.
 */
async function insertDocuments(tx: Transaction, teamId: string): Promise<void> {
  for (const start of await slicesOf(tx, teamId, "documents"))
    await tx`
      insert into public.documents (id, team_id, source_id, external_id, type, title, url, content, content_hash, changed_at, language,
                                    created_at)
      select r.new_id, r.team_id, s.id, known.external_id, known.type, d.title, d.url,
             case when d.type = any (${listedHere}) then null else d.content end,
             case when d.type = any (${listedHere}) or d.content is null then null
                  when known.type = any (${ofServices}) then d.content_hash
                  else encode(sha256(convert_to(d.content, 'UTF8')), 'hex') end,
             d.changed_at, d.language, d.created_at
        from private.import_rows r
       cross join lateral jsonb_populate_record(null::public.documents, r.content) d
        join private.import_rows named on named.team_id = r.team_id and named.kind = 'sources' and named.old_id = d.source_id
        join public.sources s on s.team_id = r.team_id and s.id = named.new_id
       cross join lateral (
         select case when d.type = any (${listedHere})
                     then (select other.new_id::text from private.import_rows other
                            where other.team_id = r.team_id and other.old_id = ${uuidOf(tx, tx`d.external_id`)}
                              and other.kind = case d.type when 'file' then 'files' when 'qa' then 'qa_entries' else 'chats' end)
                     else d.external_id end as external_id,
                -- Before the connector existed, its type was an ordinary label.
                case when d.type = 'website' and s.type <> 'website' then 'page' else d.type end as type) known
       where r.team_id = ${teamId} and r.kind = 'documents' and r.position >= ${start} and r.position < ${start + rowsAtOnce}
         and known.external_id is not null
         and case when known.type = any (${[...listedHere, ...ofServices]}) then known.type = s.type else coalesce(d.content, '') <> '' end
       order by r.position
      on conflict (source_id, external_id) do nothing`;
}

/** All chats belong to the importing person: an archive does not identify accounts of this installation. Visitors stay distinct. */
async function insertChats(tx: Transaction, teamId: string, userId: string): Promise<void> {
  for (const start of await slicesOf(tx, teamId, "chats"))
    await tx`
      insert into public.chats (id, team_id, agent_id, user_id, visitor_id, channel, title, summary, rating, comment, created_at)
      select r.new_id, r.team_id, a.new_id,
             case when exists (
               select 1 from private.import_rows m join public.users u on u.id = ${userId}
                where m.team_id = r.team_id and m.kind = 'team_users'
                  and (m.content ->> 'user_id')::uuid = c.user_id and m.content ->> 'email' = lower(u.email)) then ${userId}::uuid end,
             case when c.visitor_id is not null then
               overlay(overlay(md5(r.team_id::text || c.visitor_id::text) placing '8' from 13 for 1)
                       placing '8' from 17 for 1)::uuid end,
             c.channel, c.title, c.summary, c.rating, c.comment, c.created_at
        from private.import_rows r
       cross join lateral jsonb_populate_record(null::public.chats, r.content) c
        join private.import_rows a on a.team_id = r.team_id and a.kind = 'agents' and a.old_id = c.agent_id and a.new_id is not null
       where r.team_id = ${teamId} and r.kind = 'chats' and r.position >= ${start} and r.position < ${start + rowsAtOnce}
       order by r.position`;
}

/** A citation keeps its text; its references are replaced by the new ids, or removed. */
async function insertMessages(tx: Transaction, teamId: string): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await tx<{ position: number; citations: Citation[] }[]>`
      select r.position, r.content -> 'citations' as citations from private.import_rows r
       where r.team_id = ${teamId} and r.kind = 'messages' and r.position > ${after}
       order by r.position limit ${rowsAtOnce}`;
    const last = rows.at(-1);
    if (!last) return;
    const sourceIds = await newSourceIds(
      tx,
      teamId,
      rows.flatMap(({ citations }) => citations),
    );
    const citations = rows.map((row) =>
      JSON.stringify(
        row.citations.map((one) => ({
          ...one,
          sourceId: sourceIds.get(one.sourceId) ?? newIdOf(teamId, one.sourceId),
          documentId: newIdOf(teamId, one.documentId),
          chunkId: newIdOf(teamId, one.chunkId),
        })),
      ),
    );
    await tx`
      insert into public.messages (id, team_id, chat_id, role, content, status, citations, unanswered, rating, comment, usage,
                                   support, author_name, suggestions, superseded, finished_at, created_at)
      select r.new_id, r.team_id, known.chat_id, m.role, m.content, m.status, cited.citations::jsonb, m.unanswered, m.rating, m.comment,
             nullif(m.usage, 'null'), nullif(m.support, 'null'), m.author_name, m.suggestions, m.superseded, m.finished_at,
             m.created_at
        from unnest(${rows.map(({ position }) => position)}::int[], ${citations}::text[]) as cited (position, citations)
        join private.import_rows r on r.team_id = ${teamId} and r.kind = 'messages' and r.position = cited.position
       cross join lateral jsonb_populate_record(null::public.messages, r.content) m
       cross join lateral (
         select (select c.id from public.chats c
                  where c.team_id = r.team_id and c.id = (
                    select named.new_id from private.import_rows named
                     where named.team_id = r.team_id and named.kind = 'chats' and named.old_id = m.chat_id)) as chat_id) known
       where known.chat_id is not null
       order by cited.position`;
    after = last.position;
  }
}

async function newSourceIds(tx: Transaction, teamId: string, citations: Citation[]): Promise<IdMap> {
  const asked = [...new Set(citations.map(({ sourceId }) => sourceId))];
  const rows = await tx<{ oldId: string; newId: string }[]>`
    select r.old_id, r.new_id from private.import_rows r
     where r.team_id = ${teamId} and r.kind = 'sources' and r.old_id = any (${asked}::uuid[]) and r.new_id is not null`;
  return new Map(rows.map(({ oldId, newId }) => [oldId, newId]));
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
