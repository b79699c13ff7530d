// The team's agents to choose from, the chosen one with its settings, and the chat that the address names.
import type { PageContextServer } from "vike/types";
import type { ChatMessage } from "../../../../../browser/chat.ts";
import type { Agent, List } from "../../../../../server/api-types.ts";
import { currentTeam } from "../../../../../server/current-team.ts";
import { readChat } from "../../../../../server/read-chat.ts";

export interface PlaygroundData {
  agents: { id: string; name: string }[];
  agent: Agent | null;
  knowledges: { id: string; name: string; status: string }[];
  chatId: string | null;
  messages: ChatMessage[];
}

export async function data({ request }: PageContextServer): Promise<PlaygroundData> {
  const base = `/v1/teams/${currentTeam(request).id}`;
  const { searchParams } = request.url;
  const wanted = searchParams.get("agentId");
  const [agents, knowledges, chat] = await Promise.all([
    request.api.get<List<Agent>>(`${base}/agents`, { perPage: 100 }),
    request.api.get<List<{ id: string; name: string; status: string }>>(`${base}/knowledges`, {
      perPage: 100,
    }),
    readChat(request, searchParams.get("chatId")),
  ]);
  const listed = agents.data.find(({ id }) => id === wanted);
  const agent =
    listed ??
    (wanted ? await request.api.get<Agent>(`${base}/agents/${encodeURIComponent(wanted)}`) : agents.data[0]);
  return {
    agents: agents.data.map(({ id, name }) => ({ id, name })),
    agent: agent ?? null,
    knowledges: knowledges.data,
    ...chat,
  };
}
