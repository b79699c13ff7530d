// What a search in a knowledge finds. The address says which knowledge and what: ?knowledgeId=&query=.
import type { PageContextServer } from "vike/types";
import type { List } from "../../../../../server/api-types.ts";
import { currentTeam } from "../../../../../server/current-team.ts";

export interface FoundPassage {
  id: string;
  documentId: string;
  sourceId: string;
  title: string;
  content: string;
  /** 0 to 1. */
  score: number;
  vectorRank: number | null;
  textRank: number | null;
}

interface KnowledgeChoice {
  id: string;
  name: string;
}

export interface KnowledgePlaygroundData {
  knowledges: KnowledgeChoice[];
  /** The one that is searched; null for a team without any. */
  knowledge: KnowledgeChoice | null;
  query: string;
  /** Null until something is asked. */
  found: FoundPassage[] | null;
}

const PASSAGES = 20;

export async function data({ request }: PageContextServer): Promise<KnowledgePlaygroundData> {
  const base = `/v1/teams/${currentTeam(request).id}/knowledges`;
  const { searchParams } = request.url;
  const wanted = searchParams.get("knowledgeId");
  const query = (searchParams.get("query") ?? "").trim();
  const { data: knowledges } = await request.api.get<List<KnowledgeChoice>>(base, { perPage: 100 });
  const listed = knowledges.find(({ id }) => id === wanted);
  const knowledge =
    listed ??
    (wanted
      ? await request.api.get<KnowledgeChoice>(`${base}/${encodeURIComponent(wanted)}`)
      : (knowledges[0] ?? null));
  const found =
    knowledge && query
      ? await request.api.get<{ data: FoundPassage[] }>(`${base}/${knowledge.id}/records`, {
          query,
          count: PASSAGES,
        })
      : null;
  return {
    knowledges: listed || !knowledge || !wanted ? knowledges : [knowledge, ...knowledges],
    knowledge,
    query,
    found: found?.data ?? null,
  };
}
