// The team's chats, newest first, with the filters of the address and the names of their agents.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { type Choices, choicesForViewer } from "#web/request/choices.ts";
import { teamRef } from "#web/request/current-team.ts";

type Chats = AnswerOf<"GET", "/v1/teams/{teamId}/chats">;
export type ChatRow = Chats["data"][number];

export interface ChatsData extends Chats {
  agents: Choices<"agents">;
}

/** The query parameters that filter the list. */
export const chatFilters = ["search", "agentId", "channel", "rating", "support", "dateStart", "dateEnd"];

export async function data({ request }: DataContext): Promise<ChatsData> {
  const teamId = teamRef(request);
  const { searchParams } = request.url;
  const query = Object.fromEntries(
    [...chatFilters, "lastKey"].map((name) => [name, searchParams.get(name) || undefined]),
  );
  const reading = request.api.get("/v1/teams/{teamId}/chats", {
    teamId,
    ...query,
    asked: "true",
    timeZone: request.timeZone,
  });
  const agentIds = reading.then(({ data }) => [query.agentId, ...data.map(({ agentId }) => agentId)]);
  const [chats, agents] = await Promise.all([reading, choicesForViewer("agents", request, agentIds)]);
  return { ...chats, agents };
}
