// The team's agents, the selected one with its settings, and the chat in the address.

import { type LoadedChat, readChat } from "#web/pages/chats/read-chat.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import type { Agent } from "#web/request/api-types.ts";
import { type Choices, choicesForViewer, teamChoices } from "#web/request/choices.ts";
import { teamRef } from "#web/request/current-team.ts";

export interface PlaygroundData extends LoadedChat {
  agents: Choices;
  agent: Agent | null;
  knowledges: Choices;
  /** Whether the built-in model answers, which ignores instructions. */
  isOffline: boolean;
}

export async function data({ request }: DataContext): Promise<PlaygroundData> {
  const teamId = teamRef(request);
  const { searchParams } = request.url;
  const wanted = searchParams.get("agentId");
  const choosing = teamChoices("agents", request, [wanted]);
  const reading = choosing.then(
    ({ rows }) =>
      rows.find(({ id }) => id === wanted) ??
      (wanted ? request.api.get("/v1/teams/{teamId}/agents/{id}", { teamId, id: wanted }) : rows[0]),
  );
  const shown = reading.then((agent) => agent?.knowledgeIds ?? []);
  const [agents, agent, knowledges, models, chat] = await Promise.all([
    choosing,
    reading,
    choicesForViewer("knowledges", request, shown),
    request.api.get("/v1/teams/{teamId}/models", { teamId }),
    readChat(request, searchParams.get("chatId")),
  ]);
  return {
    agents,
    agent: agent ?? null,
    knowledges,
    isOffline: models.inUse.offline,
    ...chat,
  };
}
