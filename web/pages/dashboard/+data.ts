// The overview of the current team: what it has, and what was asked last.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../browser/api-calls.ts";
import { currentTeam } from "../../server/current-team.ts";

export interface DashboardData {
  agents: AnswerOf<"GET", "/v1/teams/{teamId}/agents">;
  chats: AnswerOf<"GET", "/v1/teams/{teamId}/chats">;
  knowledges: number;
  files: number;
}

export async function data({ request }: PageContextServer): Promise<DashboardData> {
  const teamId = currentTeam(request).id;
  const [agents, chats, knowledges, files] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/agents", { teamId, perPage: 5 }),
    request.api.get("/v1/teams/{teamId}/chats", { teamId, perPage: 8 }),
    request.api.get("/v1/teams/{teamId}/knowledges", { teamId, perPage: 1 }),
    request.api.get("/v1/teams/{teamId}/files", { teamId, perPage: 1 }),
  ]);
  return { agents, chats, knowledges: knowledges.total, files: files.total };
}
