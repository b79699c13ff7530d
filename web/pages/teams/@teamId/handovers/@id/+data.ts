// One request for a person, and what was said in its chat.
import type { AnswerOf } from "#web/browser/api-calls.ts";
import { NotFound } from "#web/renderer/outcome.ts";
import type { DataContext } from "#web/renderer/page-definition.ts";
import { teamRef } from "#web/server/current-team.ts";

export interface HandoverData {
  handover: AnswerOf<"GET", "/v1/teams/{teamId}/handovers/{id}">;
  messages: AnswerOf<"GET", "/v1/chats/{chatId}/messages">["data"];
}

/** The chat's own page shows all of a longer one. */
const shownMessages = 100;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function data({ request, routeParams }: DataContext): Promise<HandoverData | NotFound> {
  const id = routeParams.id ?? "";
  if (!uuid.test(id)) return new NotFound();
  const { get } = request.api;
  const handover = await get("/v1/teams/{teamId}/handovers/{id}", { teamId: teamRef(request), id });
  const { data } = await get("/v1/chats/{chatId}/messages", {
    chatId: handover.chatId,
    count: shownMessages,
  });
  return { handover, messages: data };
}
