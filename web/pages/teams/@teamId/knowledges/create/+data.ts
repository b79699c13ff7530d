// Whether the team has a knowledge base already: the first one is named after the team.
import type { DataContext } from "#web/render/page-definition.ts";
import { ApiFailure } from "#web/request/api-failure.ts";
import { teamRef } from "#web/request/current-team.ts";

export interface NewKnowledgeData {
  isFirst: boolean;
}

export async function data({ request }: DataContext): Promise<NewKnowledgeData> {
  try {
    const asked = { teamId: teamRef(request), perPage: 1 };
    const { total } = await request.api.get("/v1/teams/{teamId}/knowledges", asked);
    return { isFirst: total === 0 };
  } catch (error) {
    // A member may be allowed to create one without being allowed to read any.
    if (error instanceof ApiFailure && error.status === 403) return { isFirst: false };
    throw error;
  }
}
