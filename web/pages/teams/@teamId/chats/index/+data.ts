// The team's chats, newest first, with the filters of the address and the names of their agents.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { may, teamRef } from "#web/request/current-team.ts";

type Chats = AnswerOf<"GET", "/v1/teams/{teamId}/chats">;
export type ChatRow = Chats["data"][number];

export interface ChatsData extends Chats {
  agents: { id: string; name: string }[];
}

/** The query parameters that filter the list. */
export const chatFilters = ["search", "agentId", "channel", "rating", "support", "dateStart", "dateEnd"];

export async function data({ request }: DataContext): Promise<ChatsData> {
  const teamId = teamRef(request);
  const { searchParams } = request.url;
  const query = Object.fromEntries(
    [...chatFilters, "lastKey"].map((name) => [name, searchParams.get(name) || undefined]),
  );
  const agents = request.viewer.then(async (viewer) => {
    if (!may(viewer, "agents.read")) return [];
    return (await request.api.get("/v1/teams/{teamId}/agents", { teamId, perPage: 100 })).data;
  });
  const [chats, asked] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/chats", { teamId, ...query, timeZone: request.timeZone }),
    agents,
  ]);
  return { ...chats, agents: asked.map(({ id, name }) => ({ id, name })) };
}
