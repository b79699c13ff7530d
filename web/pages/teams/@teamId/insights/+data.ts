// The team's insights: figures over time, the previous period for comparison, and unanswered questions.

import { type AnswerOf, addressOf } from "#web/client/api-calls.ts";
import { dayIn } from "#web/client/days.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { type Choices, teamChoices } from "#web/request/choices.ts";
import { teamRef } from "#web/request/current-team.ts";
import type { DataRequest } from "#web/request/request-scope.ts";

type Insights = AnswerOf<"GET", "/v1/teams/{teamId}/insights/chats">;
export type Row = Insights["data"][number];
export type Period = Insights["total"];
export type SupportCounts = Insights["support"];
export type Group = "day" | "week" | "month";

export interface InsightsData {
  rows: Row[];
  total: Period;
  previous: Period;
  support: SupportCounts;
  group: Group;
  questions: AnswerOf<"GET", "/v1/teams/{teamId}/insights/questions">;
  agents: Choices<"agents">;
  agent: { id: string; name: string } | null;
  /** Address of the same rows as CSV. */
  csv: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

const groups: Group[] = ["day", "week", "month"];

/** The date range of the address, by default the reader's last 30 days, for figures and questions alike. */
function daysOf({ url: { searchParams }, timeZone }: DataRequest) {
  const dateEnd = searchParams.get("dateEnd") || dayIn(new Date(), timeZone);
  const end = Date.parse(dateEnd);
  // An invalid date is left for the API to reject.
  const usual = Number.isNaN(end) ? dateEnd : dayOf(end - 29 * DAY_MS);
  return { dateStart: searchParams.get("dateStart") || usual, dateEnd, timeZone };
}

export async function data({ request }: DataContext): Promise<InsightsData> {
  const teamId = teamRef(request);
  const { searchParams } = request.url;
  const agentId = searchParams.get("agentId") || undefined;
  const group = groups.find((one) => one === searchParams.get("group")) ?? "day";
  const days = daysOf(request);
  const lastKey = searchParams.get("lastKey") ?? undefined;
  const asked = request.api.get("/v1/teams/{teamId}/insights/questions", {
    teamId,
    agentId,
    ...days,
    lastKey,
    perPage: 10,
  });
  const agentIds = asked.then(({ data }) => [agentId, ...data.map((question) => question.agentId)]);
  const [insights, agents, questions] = await Promise.all([
    agentId
      ? request.api.get("/v1/teams/{teamId}/insights/{agentId}/chats", { teamId, agentId, ...days, group })
      : request.api.get("/v1/teams/{teamId}/insights/chats", { teamId, ...days, group }),
    teamChoices("agents", request, agentIds),
    asked,
  ]);
  const { data: rows, total, previous, support } = insights;
  return {
    rows,
    total,
    previous,
    support,
    group,
    questions,
    agents,
    agent: agents.rows.find(({ id }) => id === agentId) ?? null,
    csv: addressOf(`/v1/teams/{teamId}/insights${agentId ? "/{agentId}" : ""}/chats`, {
      teamId,
      agentId,
      ...days,
      group,
      format: "csv",
    }),
  };
}
