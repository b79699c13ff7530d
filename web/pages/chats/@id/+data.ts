// An agent by its id, and the reader's chat with it when the address names one (?chatId=). Public agents are for
// everyone; a member may also talk to a private agent of the current team here.
import type { PageContextServer } from "vike/types";
import type { ChatMessage } from "../../../browser/chat.ts";
import { ApiFailure } from "../../../server/api-failure.ts";
import type { Agent } from "../../../server/api-types.ts";
import { readChat } from "../../../server/read-chat.ts";
import type { RequestScope } from "../../../server/request-scope.ts";

export type ChatAgent = Pick<
  Agent,
  "id" | "name" | "description" | "greeting" | "suggestedPrompts" | "teamId"
>;

export interface ChatPageData {
  agent: ChatAgent;
  chatId: string | null;
  messages: ChatMessage[];
}

export async function data({ request, routeParams }: PageContextServer): Promise<ChatPageData> {
  const id = routeParams.id ?? "";
  const [agent, chat] = await Promise.all([
    readAgent(request, id),
    readChat(request, request.url.searchParams.get("chatId")),
  ]);
  return { agent, ...chat };
}

async function readAgent({ api, team }: RequestScope, id: string): Promise<ChatAgent> {
  try {
    return await api.get("/v1/agents/{id}", { id });
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 404 || !team) throw error;
    return await api.get("/v1/teams/{teamId}/agents/{id}", { teamId: team.id, id });
  }
}
