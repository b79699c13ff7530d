// The overview of the current team: what needs somebody, what is being worked on, what was asked last, and how much.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../browser/api-calls.ts";
import { ApiFailure } from "../../server/api-failure.ts";
import { currentTeam } from "../../server/current-team.ts";

export interface DashboardData {
  agents: AnswerOf<"GET", "/v1/teams/{teamId}/agents">;
  knowledges: AnswerOf<"GET", "/v1/teams/{teamId}/knowledges">;
  sources: AnswerOf<"GET", "/v1/teams/{teamId}/sources">;
  chats: AnswerOf<"GET", "/v1/teams/{teamId}/chats">;
  /** Tasks that are at work or wait. */
  running: AnswerOf<"GET", "/v1/teams/{teamId}/tasks">["data"];
  /** The last 30 days; null for a role that may not see them. */
  insights: AnswerOf<"GET", "/v1/teams/{teamId}/insights/chats"> | null;
}

const AT_WORK = new Set(["queued", "running", "waiting", "stopping"]);

async function orNull<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiFailure && (error.status === 403 || error.status === 404)) return null;
    throw error;
  }
}

export async function data({ request }: PageContextServer): Promise<DashboardData> {
  const teamId = currentTeam(request).id;
  const { api } = request;
  const [agents, knowledges, sources, chats, tasks, insights] = await Promise.all([
    api.get("/v1/teams/{teamId}/agents", { teamId, perPage: 100 }),
    api.get("/v1/teams/{teamId}/knowledges", { teamId, perPage: 100 }),
    api.get("/v1/teams/{teamId}/sources", { teamId, perPage: 100 }),
    api.get("/v1/teams/{teamId}/chats", { teamId, perPage: 6 }),
    api.get("/v1/teams/{teamId}/tasks", { teamId, perPage: 30 }),
    orNull(api.get("/v1/teams/{teamId}/insights/chats", { teamId })),
  ]);
  const running = tasks.data.filter(({ status }) => AT_WORK.has(status));
  return { agents, knowledges, sources, chats, running, insights };
}
