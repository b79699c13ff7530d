// The team's gaps with the filters of the address; open ones by default.
import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { type Choices, choicesForViewer } from "#web/request/choices.ts";
import { teamRef } from "#web/request/current-team.ts";

type Gaps = AnswerOf<"GET", "/v1/teams/{teamId}/gaps">;
export type Gap = Gaps["data"][number];

export interface GapsData {
  gaps: Gaps;
  agents: Choices<"agents">;
  isFiltered: boolean;
}

const states = ["open", "answered", "dismissed"] as const;
const reasons = ["missing", "notFound", "disagree"] as const;
const oneOf = <T extends string>(options: readonly T[], value: string | null) =>
  options.find((option) => option === value);

export async function data({ request }: DataContext): Promise<GapsData> {
  const teamId = teamRef(request);
  const { searchParams } = request.url;
  const state = oneOf(states, searchParams.get("state")) ?? "open";
  const reason = oneOf(reasons, searchParams.get("reason"));
  const agentId = searchParams.get("agentId") || undefined;
  const page = Number(searchParams.get("page")) || 1;
  const [gaps, agents] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/gaps", {
      teamId,
      state,
      // Whether documents disagree is known of each question, not of their gap.
      ...(reason === "disagree" ? { cause: reason } : { reason }),
      agentId,
      page,
    }),
    choicesForViewer("agents", request, [agentId]),
  ]);
  return {
    gaps,
    agents,
    isFiltered: Boolean(searchParams.get("state") || reason || agentId),
  };
}
