// What a search in a knowledge finds. The address says which knowledge and what: ?knowledgeId=&query=.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../../../../browser/api-calls.ts";
import { currentTeam } from "../../../../../server/current-team.ts";

export type FoundPassage = AnswerOf<"GET", "/v1/teams/{teamId}/knowledges/{id}/records">["data"][number];

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
  const teamId = currentTeam(request).id;
  const { searchParams } = request.url;
  const wanted = searchParams.get("knowledgeId");
  const query = (searchParams.get("query") ?? "").trim();
  const { data: knowledges } = await request.api.get("/v1/teams/{teamId}/knowledges", {
    teamId,
    perPage: 100,
  });
  const listed = knowledges.find(({ id }) => id === wanted);
  const knowledge =
    listed ??
    (wanted
      ? await request.api.get("/v1/teams/{teamId}/knowledges/{id}", { teamId, id: wanted })
      : (knowledges[0] ?? null));
  const found =
    knowledge && query
      ? await request.api.get("/v1/teams/{teamId}/knowledges/{id}/records", {
          teamId,
          id: knowledge.id,
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
