// Owns the SQL of the MCP tools. Row-level security decides which rows are visible; no query filters for security.
import type { Transaction } from "../../_shared/database/db.ts";

const most = 200;

export type AgentEntry = { id: string; name: string; description: string };

/** The agents of the caller's teams that the caller may talk to. */
export async function listAgents(tx: Transaction): Promise<AgentEntry[]> {
  return await tx<AgentEntry[]>`
    select a.id, a.name, a.description from public.agents a
     where a.team_id = any ((select private.teams_with('chats.write'))::uuid[])
     order by a.name collate private.natural_order, a.id limit ${most}`;
}

export type KnowledgeEntry = AgentEntry & { status: string; documentsCount: number };

export async function listKnowledges(tx: Transaction): Promise<KnowledgeEntry[]> {
  return await tx<KnowledgeEntry[]>`
    select k.id, k.name, k.description, k.status, k.documents_count from public.knowledges k
     order by k.name collate private.natural_order, k.id limit ${most}`;
}

/** The knowledge bases to search, one or all that the caller may read, with their teams. */
export async function listSearched(
  tx: Transaction,
  knowledgeId?: string,
): Promise<{ id: string; teamId: string }[]> {
  return await tx<{ id: string; teamId: string }[]>`
    select k.id, k.team_id from public.knowledges k
     where ${knowledgeId ? tx`k.id = ${knowledgeId}` : tx`true`} order by k.id limit ${most}`;
}

export type DocumentPart = { id: string; title: string; url: string | null; content: string; length: number };

/** A part of a document's text, in characters; undefined if the caller cannot read the document. */
export async function readPart(tx: Transaction, id: string, from: number, length: number) {
  const [row] = await tx<DocumentPart[]>`
    select d.id, d.title, d.url, substr(coalesce(d.content, ''), ${from + 1}, ${length}) as content,
           char_length(coalesce(d.content, '')) as length
      from public.documents d where d.id = ${id}`;
  return row;
}
