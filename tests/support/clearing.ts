// Owns what a team's owner does to an index while a worker builds it, for tests of both at once.
import type { Sql } from "postgres";
import { makeSmallTeams, user } from "../native/teams.ts";
import { asCaller } from "../sql/acting.ts";

export interface Owner {
  team: string;
  /** Removes a source's passages from every knowledge base: DELETE …/indexes. */
  clear(source: string): Promise<unknown>;
  stop(source: string): Promise<unknown>;
}

/** Creates a team with a user who may do all this. */
export async function addOwner(sql: Sql): Promise<Owner> {
  const [team] = await makeSmallTeams(sql, 1);
  if (!team) throw new Error("There is no team");
  const claims = user(team.owners[0]);
  return {
    team: team.id,
    clear: (source) => asCaller(sql, claims, (tx) => tx`select public.forget_indexes(${source})`),
    stop: (source) => asCaller(sql, claims, (tx) => tx`select public.stop_indexing(${source})`),
  };
}

/** Orphaned rows, and rows that nothing will ever clean up. */
export async function findLeftovers(sql: Sql): Promise<Record<string, number>> {
  const [row] = await sql<{ chunks: number; staged: number; builds: number }[]>`
    select (select count(*)::int from public.chunks c where not exists (
              select 1 from public.document_indexes i where i.knowledge_id = c.knowledge_id and i.document_id = c.document_id)) as chunks,
           (select count(*)::int from private.staged_chunks s where not exists (
              select 1 from private.builds b where b.knowledge_id = s.knowledge_id and b.document_id = s.document_id)) as staged,
           (select count(*)::int from private.builds b where not exists (
              select 1 from public.document_indexes i
               where i.knowledge_id = b.knowledge_id and i.document_id = b.document_id and i.status <> 'ready')) as builds`;
  return { ...row };
}
