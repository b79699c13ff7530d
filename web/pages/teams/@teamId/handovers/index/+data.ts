// A page of handovers, newest first; open ones by default.
import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { may, teamRef } from "#web/request/current-team.ts";

export interface HandoversData {
  handovers: AnswerOf<"GET", "/v1/teams/{teamId}/handovers">;
  agents: { id: string; name: string }[];
}

/** The query parameters that filter the list. */
export const handoverFilters = ["status", "agentId"];
export const statuses = ["open", "answered", "closed"] as const;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function data({ request }: DataContext): Promise<HandoversData> {
  const teamId = teamRef(request);
  const { searchParams } = request.url;
  const agentId = searchParams.get("agentId") ?? "";
  const agents = request.viewer.then(async (viewer) => {
    if (!may(viewer, "agents.read")) return [];
    return (await request.api.get("/v1/teams/{teamId}/agents", { teamId, perPage: 100 })).data;
  });
  const [handovers, asked] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/handovers", {
      teamId,
      status: statuses.find((one) => one === searchParams.get("status")),
      agentId: uuid.test(agentId) ? agentId : undefined,
      page: searchParams.get("page") ?? undefined,
    }),
    agents,
  ]);
  return { handovers, agents: asked.map(({ id, name }) => ({ id, name })) };
}
