// Owns the rows of an import that can be very many: documents, chats, messages and handovers. Writes them in short transactions, below roots
// that are hidden until applyImport() creates the sources and agents with the same ids (sql/54_team_imports.sql).
import type { Transaction } from "../_shared/database/db.ts";
import type { Declaration } from "../indexing/connectors/declaration.ts";
import { declarationOf, declarations } from "../indexing/connectors/registry.ts";
import { insertHandovers } from "./handovers.ts";
import { insertMessages } from "./messages.ts";

export interface ImportPlace {
  teamId: string;
  /** The importing person. */
  userId: string;
  /** Commits only while this worker still holds the task. */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** Staged rows of a kind, by position: after one, up to the other. */
export interface Slice {
  after: number;
  last: number;
}

type Insert = (tx: Transaction, place: ImportPlace, slice: Slice) => Promise<{ count: number }>;

/** In this order: a message needs its chat, and a document of a chat its id. */
const inserts = {
  documents: insertDocuments,
  chats: insertChats,
  messages: (tx, { teamId }, slice) => insertMessages(tx, teamId, slice),
  handovers: (tx, { teamId }, slice) => insertHandovers(tx, teamId, slice),
} satisfies Record<string, Insert>;
export type HiddenKind = keyof typeof inserts;
export const hiddenKinds = Object.keys(inserts) as HiddenKind[];

/** How far the rows of each kind are written: up to a position, how many, and how many were left out. */
export type Written = { [kind in HiddenKind]?: { last: number; rows: number; leftOut: number } };

/** Everybody waits for a transaction of the embedded Postgres. */
const sliceMs = 500;
const firstRows = 50;
const mostRows = 2000;
const mostBytes = 2 * 1024 * 1024;

/** Writes all staged rows of a kind that are not written yet. @param endSlice is called between two transactions, and may throw */
export async function writeHidden(
  place: ImportPlace,
  kind: HiddenKind,
  { read, endSlice }: { read: ImportPlace["write"]; endSlice(): void },
): Promise<void> {
  const { teamId, write } = place;
  const written = await read((tx) => readWritten(tx, teamId));
  let progress = written[kind] ?? { last: 0, rows: 0, leftOut: 0 };
  for (let most = firstRows; ; endSlice()) {
    const after = progress.last;
    const [slice] = await read(
      (tx) => tx<{ last: number; rows: number }[]>`
        select max(s.position) as last, count(*)::int as rows
          from (select r.position, sum(pg_column_size(r.content)) over (order by r.position) - pg_column_size(r.content) as before
                  from (select o.position, o.content from private.import_rows o
                         where o.team_id = ${teamId} and o.kind = ${kind} and o.position > ${after}
                         order by o.position limit ${most}) r) s
         where s.before < ${mostBytes}
        having count(*) > 0`,
    );
    if (!slice) return;
    const startedAt = performance.now();
    progress = await write(async (tx) => {
      const { count } = await inserts[kind](tx, place, { after, last: slice.last });
      const next = {
        last: slice.last,
        rows: progress.rows + count,
        leftOut: progress.leftOut + slice.rows - count,
      };
      await tx`
        update public.team_imports i set written = i.written || ${JSON.stringify({ [kind]: next })}::text::jsonb
         where i.team_id = ${teamId}`;
      return next;
    });
    const fitting = (slice.rows * sliceMs) / Math.max(1, performance.now() - startedAt);
    most = Math.ceil(Math.min(mostRows, 2 * most, fitting));
  }
}

export async function readWritten(tx: Transaction, teamId: string): Promise<Written> {
  const [row] = await tx<{ written: Written }[]>`
    select i.written from public.team_imports i where i.team_id = ${teamId}`;
  return row?.written ?? {};
}

/** The setting that refers to an agent, for a source type that has one. */
export function agentSettingOf(type: unknown): string | undefined {
  const settings = Object.entries(declarationOf(String(type))?.settings ?? {});
  return settings.find(([, { control }]) => control === "agent")?.[0];
}

/**
 * Draws the ids of the agents and sources to come, and makes their hidden roots. A source whose agent the archive does not hold gets none: it
 * is left out.
 */
export async function makeHiddenRoots(tx: Transaction, teamId: string): Promise<void> {
  const sources = await tx<{ oldId: string; type: string; config: Record<string, unknown> }[]>`
    select r.old_id, r.content ->> 'type' as type, r.content -> 'config' as config from private.import_rows r
     where r.team_id = ${teamId} and r.kind = 'sources'`;
  const agents = await tx<{ oldId: string }[]>`
    select r.old_id from private.import_rows r where r.team_id = ${teamId} and r.kind = 'agents'`;
  const known = new Set(agents.map(({ oldId }) => oldId));
  const leftOut = sources.filter(({ type, config }) => {
    const named = agentSettingOf(type);
    return named !== undefined && !known.has(String(config[named]).toLowerCase());
  });
  await tx`select private.make_hidden_roots(${teamId}, ${leftOut.map(({ oldId }) => oldId)}::uuid[])`;
}

/** A text as a uuid, null if it is none: an index finds it so. */
export const uuidOf = (tx: Transaction, text: ReturnType<Transaction>) =>
  tx`case when ${text} ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${text}::uuid end`;

export const typesOf = (matches: (one: Declaration) => boolean) =>
  declarations.filter(matches).map(({ type }) => type);
/** Types whose content comes from a service. Those that need credentials are imported without: an export contains none. */
export const ofServices = typesOf(({ origin }) => origin === "service");
/** These types are rebuilt from the team's own data. */
const listedHere = typesOf(({ origin }) => origin === "team");

/**
 * Follows the rules for clients (private.guard_document): a document of a connector's type belongs to a source of that type; any other
 * has a text, which Postgres hashes.
 */
async function insertDocuments(tx: Transaction, { teamId }: ImportPlace, { after, last }: Slice) {
  return await tx`
    insert into public.documents (id, team_id, source_id, external_id, type, title, url, content, content_hash, structure, changed_at,
                                  synced_at, note, language, created_at)
    select r.new_id, r.team_id, s.new_id, known.external_id, known.type, d.title, d.url,
           case when d.type = any (${listedHere}) then null else d.content end,
           case when d.type = any (${listedHere}) or d.content is null then null
                when known.type = any (${ofServices}) then d.content_hash
                else encode(sha256(convert_to(d.content, 'UTF8')), 'hex') end,
           case when known.type = any (${ofServices}) then nullif(d.structure, 'null') end,
           d.changed_at, case when known.type = any (${ofServices}) then d.synced_at end,
           case when known.type = any (${ofServices}) then d.note end, d.language, d.created_at
      from private.import_rows r
     cross join lateral jsonb_populate_record(null::public.documents, r.content) d
      join private.import_rows s on s.team_id = r.team_id and s.kind = 'sources' and s.old_id = d.source_id and s.new_id is not null
     cross join lateral (
       select case when d.type = any (${listedHere})
                   then (select other.new_id::text from private.import_rows other
                          where other.team_id = r.team_id and other.old_id = ${uuidOf(tx, tx`d.external_id`)}
                            and other.kind = case d.type when 'file' then 'files' when 'qa' then 'qa_entries' else 'chats' end)
                   else d.external_id end as external_id,
              -- Before the connector existed, its type was an ordinary label.
              case when d.type = 'website' and s.content ->> 'type' <> 'website' then 'page' else d.type end as type) known
     where r.team_id = ${teamId} and r.kind = 'documents' and r.position > ${after} and r.position <= ${last}
       and known.external_id is not null
       and case when known.type = any (${[...listedHere, ...ofServices]}) then known.type = s.content ->> 'type'
                else coalesce(d.content, '') <> '' end
     order by r.position
    on conflict (source_id, external_id) do nothing`;
}

/** All chats belong to the importing person: an archive does not identify accounts of this installation. Visitors stay distinct. */
async function insertChats(tx: Transaction, { teamId, userId }: ImportPlace, { after, last }: Slice) {
  // A chat without its agent is left out, with its messages.
  await tx`
    update private.import_rows r set new_id = null
     where r.team_id = ${teamId} and r.kind = 'chats' and r.position > ${after} and r.position <= ${last}
       and not exists (select from private.import_rows a
                        where a.team_id = r.team_id and a.kind = 'agents' and a.old_id = (r.content ->> 'agent_id')::uuid)`;
  return await tx`
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
      join private.import_rows a on a.team_id = r.team_id and a.kind = 'agents' and a.old_id = c.agent_id
     where r.team_id = ${teamId} and r.kind = 'chats' and r.position > ${after} and r.position <= ${last}
     order by r.position`;
}
