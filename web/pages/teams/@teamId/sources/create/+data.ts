// What the chosen type is set up with: for chats, the agents to choose from.
import type { PageContextServer } from "vike/types";
import { currentTeam } from "../../../../../server/current-team.ts";

export const connectable = ["jira", "shopify", "hubspot", "agentChat"] as const;
export type Connectable = (typeof connectable)[number];

export interface NewSourceData {
  /** Null while none has been chosen. */
  type: Connectable | null;
  agents: { id: string; name: string }[];
}

export async function data({ request }: PageContextServer): Promise<NewSourceData> {
  const wanted = request.url.searchParams.get("type");
  const type = connectable.find((one) => one === wanted) ?? null;
  if (type !== "agentChat") return { type, agents: [] };
  const { data: agents } = await request.api.get("/v1/teams/{teamId}/agents", {
    teamId: currentTeam(request).id,
    perPage: 100,
  });
  return { type, agents: agents.map(({ id, name }) => ({ id, name })) };
}
