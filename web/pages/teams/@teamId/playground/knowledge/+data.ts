// The results of a search in a knowledge base, from the address: ?knowledgeId=&query=&mode=&count=.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { type Choices, teamChoices } from "#web/request/choices.ts";
import { teamRef } from "#web/request/current-team.ts";

export type FoundPassage = AnswerOf<"GET", "/v1/teams/{teamId}/knowledges/{id}/records">["data"][number];

interface KnowledgeChoice {
  id: string;
  name: string;
}

export interface KnowledgePlaygroundData {
  knowledges: Choices;
  /** The searched one; null for a team without any. */
  knowledge: KnowledgeChoice | null;
  query: string;
  mode: SearchMode;
  count: number;
  /** Null without a query. */
  found: FoundPassage[] | null;
  /** Whether nothing could be found by meaning, because the search model failed. */
  byWordsAlone: boolean;
}

export const modes = ["hybrid", "vector", "text"] as const;
export type SearchMode = (typeof modes)[number];
export const counts = [5, 10, 20, 50, 100] as const;

export async function data({ request }: DataContext): Promise<KnowledgePlaygroundData> {
  const teamId = teamRef(request);
  const { searchParams } = request.url;
  const wanted = searchParams.get("knowledgeId");
  const query = (searchParams.get("query") ?? "").trim();
  const mode = modes.find((one) => one === searchParams.get("mode")) ?? "hybrid";
  const count = counts.find((one) => String(one) === searchParams.get("count")) ?? 20;
  const search = (id: string) =>
    request.api.get("/v1/teams/{teamId}/knowledges/{id}/records", { teamId, id, query, mode, count });
  const [knowledges, searched] = await Promise.all([
    teamChoices("knowledges", request, [wanted]),
    wanted && query ? search(wanted) : null,
  ]);
  const listed = knowledges.rows.find(({ id }) => id === wanted);
  const knowledge =
    listed ??
    (wanted
      ? await request.api.get("/v1/teams/{teamId}/knowledges/{id}", { teamId, id: wanted })
      : (knowledges.rows[0] ?? null));
  const found = searched ?? (knowledge && query ? await search(knowledge.id) : null);
  return {
    knowledges,
    knowledge,
    query,
    mode,
    count,
    found: found?.data ?? null,
    byWordsAlone: found?.byWordsAlone ?? false,
  };
}
