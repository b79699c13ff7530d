// The team's agents, the selected one with its settings, and the chat in the address.

import { type LoadedChat, readChat } from "#web/pages/chats/read-chat.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import type { Agent } from "#web/request/api-types.ts";
import { type Choices, teamAgents } from "#web/request/choices.ts";
import { teamRef } from "#web/request/current-team.ts";

export interface PlaygroundData extends LoadedChat {
  agents: Choices;
  agent: Agent | null;
  knowledges: { id: string; name: string; status: string }[];
  /** Whether the built-in model answers, which ignores instructions. */
  isOffline: boolean;
}

export async function data({ request }: DataContext): Promise<PlaygroundData> {
  const teamId = teamRef(request);
  const { searchParams } = request.url;
  const wanted = searchParams.get("agentId");
  const [agents, knowledges, models, chat] = await Promise.all([
    teamAgents(request, [wanted]),
    request.api.get("/v1/teams/{teamId}/knowledges", { teamId, perPage: 100 }),
    request.api.get("/v1/teams/{teamId}/models", { teamId }),
    readChat(request, searchParams.get("chatId")),
  ]);
  const listed = agents.agents.find(({ id }) => id === wanted);
  const agent =
    listed ??
    (wanted
      ? await request.api.get("/v1/teams/{teamId}/agents/{id}", { teamId, id: wanted })
      : agents.agents[0]);
  return {
    agents,
    agent: agent ?? null,
    knowledges: knowledges.data,
    isOffline: models.inUse.offline,
    ...chat,
  };
}
