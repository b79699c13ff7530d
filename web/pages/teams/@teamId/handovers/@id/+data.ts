// One handover, and the messages of its chat.
import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import { teamRef } from "#web/request/current-team.ts";

export interface HandoverData {
  handover: AnswerOf<"GET", "/v1/teams/{teamId}/handovers/{id}">;
  messages: AnswerOf<"GET", "/v1/chats/{chatId}/messages">["data"];
}

/** The chat's own page shows a longer one in full. */
const shownMessages = 100;

export async function data({ request, routeParams }: DataContext): Promise<HandoverData> {
  const id = routeParams.id ?? "";
  const { get } = request.api;
  const handover = await get("/v1/teams/{teamId}/handovers/{id}", { teamId: teamRef(request), id });
  const { data } = await get("/v1/chats/{chatId}/messages", {
    chatId: handover.chatId,
    count: shownMessages,
  });
  return { handover, messages: data };
}
