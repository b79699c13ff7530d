// A page of handovers, newest first; open ones by default.
import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { type Choices, choicesForViewer } from "#web/request/choices.ts";
import { teamRef } from "#web/request/current-team.ts";

export interface HandoversData {
  handovers: AnswerOf<"GET", "/v1/teams/{teamId}/handovers">;
  agents: Choices<"agents">;
}

/** The query parameters that filter the list. */
export const handoverFilters = ["status", "agentId"];
export const statuses = ["open", "answered", "closed"] as const;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function data({ request }: DataContext): Promise<HandoversData> {
  const teamId = teamRef(request);
  const { searchParams } = request.url;
  const agentId = searchParams.get("agentId") ?? "";
  const [handovers, agents] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/handovers", {
      teamId,
      status: statuses.find((one) => one === searchParams.get("status")),
      agentId: uuid.test(agentId) ? agentId : undefined,
      page: searchParams.get("page") ?? undefined,
    }),
    choicesForViewer("agents", request, [agentId]),
  ]);
  return { handovers, agents };
}
