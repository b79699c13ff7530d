// How the team's agents are doing: figures over time, the range before to compare with, and what was not answered.
import type { PageContextServer } from "vike/types";
import { type AnswerOf, addressOf } from "../../../../browser/api-calls.ts";
import { currentTeam } from "../../../../server/current-team.ts";

type Insights = AnswerOf<"GET", "/v1/teams/{teamId}/insights/chats">;
export type Row = Insights["data"][number];
export type Period = Insights["total"];
export type Group = "day" | "week" | "month";

export interface InsightsData {
  rows: Row[];
  total: Period;
  previous: Period;
  group: Group;
  questions: AnswerOf<"GET", "/v1/teams/{teamId}/insights/questions">;
  agents: { id: string; name: string; knowledgeIds: string[] }[];
  agent: { id: string; name: string } | null;
  /** Address of the same rows as a file. */
  csv: string;
}

const groups: Group[] = ["day", "week", "month"];

export async function data({ request }: PageContextServer): Promise<InsightsData> {
  const teamId = currentTeam(request).id;
  const { searchParams } = request.url;
  const agentId = searchParams.get("agentId") || undefined;
  const group = groups.find((one) => one === searchParams.get("group")) ?? "day";
  const days = {
    dateStart: searchParams.get("dateStart") || undefined,
    dateEnd: searchParams.get("dateEnd") || undefined,
  };
  const lastKey = searchParams.get("lastKey") ?? undefined;
  const [insights, agents] = await Promise.all([
    agentId
      ? request.api.get("/v1/teams/{teamId}/insights/{agentId}/chats", { teamId, agentId, ...days, group })
      : request.api.get("/v1/teams/{teamId}/insights/chats", { teamId, ...days, group }),
    request.api.get("/v1/teams/{teamId}/agents", { teamId, perPage: 100 }),
  ]);
  const { data: rows, total, previous } = insights;
  const { dateStart, dateEnd } = total;
  // After the figures, which say what the days are where the address names none.
  const questions = await request.api.get("/v1/teams/{teamId}/insights/questions", {
    teamId,
    agentId,
    dateStart,
    dateEnd,
    lastKey,
    perPage: 10,
  });
  return {
    rows,
    total,
    previous,
    group,
    questions,
    agents: agents.data.map(({ id, name, knowledgeIds }) => ({ id, name, knowledgeIds })),
    agent: agents.data.find(({ id }) => id === agentId) ?? null,
    csv: addressOf(`/v1/teams/{teamId}/insights${agentId ? "/{agentId}" : ""}/chats`, {
      teamId,
      agentId,
      dateStart,
      dateEnd,
      group,
      format: "csv",
    }),
  };
}
