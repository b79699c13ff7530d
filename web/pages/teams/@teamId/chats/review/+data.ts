// The team's chats with the filters of the address, and the selected one (?chatId=) with its agent.
import type { ChatMessage } from "#web/pages/chats/chat.ts";
import type { ChatDetails } from "#web/pages/chats/chat-details.ts";
import { readChat } from "#web/pages/chats/read-chat.ts";
import { WithStatus } from "#web/render/outcome.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { ApiFailure } from "#web/request/api-failure.ts";
import { teamRef } from "#web/request/current-team.ts";
import { type ChatsData, data as listData } from "../index/+data.ts";

export interface ChatReviewData extends ChatsData {
  chat: {
    details: ChatDetails;
    messages: ChatMessage[];
    readOnly: boolean;
    agent: { id: string; name: string; greeting: string; suggestedPrompts: string[] };
  } | null;
}

export async function data(context: DataContext): Promise<ChatReviewData | WithStatus<ChatReviewData>> {
  const { request } = context;
  const [list, read] = await Promise.all([
    listData(context),
    readChat(request, request.url.searchParams.get("chatId")),
  ]);
  const { details, messages, readOnly } = read;
  const agent = details && (await readAgent(context, details.agentId));
  if (!details || !agent) return new WithStatus(404, { ...list, chat: null });
  return { ...list, chat: { details, messages, readOnly, agent } };
}

/** Null for an agent of another team, whose chats do not belong here. */
async function readAgent({ request }: DataContext, id: string) {
  try {
    const agent = await request.api.get("/v1/teams/{teamId}/agents/{id}", { teamId: teamRef(request), id });
    const { name, greeting, suggestedPrompts } = agent;
    return { id, name, greeting, suggestedPrompts };
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  }
}
