// The agent that it is for, and whether the team has a knowledge base already: the first one is named after the team.
import type { DataContext } from "#web/render/page-definition.ts";
import { ApiFailure } from "#web/request/api-failure.ts";
import { teamRef } from "#web/request/current-team.ts";
import type { DataRequest } from "#web/request/request-scope.ts";
import { type AskingAgent, askingAgent } from "../for-agent.ts";

export interface NewKnowledgeData {
  isFirst: boolean;
  agent: AskingAgent | null;
}

export async function data({ request }: DataContext): Promise<NewKnowledgeData> {
  const [isFirst, agent] = await Promise.all([isFirstOf(request), askingAgent(request)]);
  return { isFirst, agent };
}

async function isFirstOf(request: DataRequest): Promise<boolean> {
  try {
    const asked = { teamId: teamRef(request), perPage: 1 };
    const { total } = await request.api.get("/v1/teams/{teamId}/knowledges", asked);
    return total === 0;
  } catch (error) {
    // A member may be allowed to create one without being allowed to read any.
    if (error instanceof ApiFailure && error.status === 403) return false;
    throw error;
  }
}
