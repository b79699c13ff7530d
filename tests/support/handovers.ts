// Owns visitors' chats, with and without a handover.
import { anyone, uniqueEmail } from "./api.ts";
import { asVisitor, type Visitor } from "./content.ts";

/** A visitor's new chat with a public agent, and the path of its handover. */
export async function visitorChat(
  agentId: string,
): Promise<{ visitor: Visitor; chatId: string; path: string }> {
  const { body } = await anyone.post(`/v1/agents/${agentId}/chats`, {});
  return { visitor: asVisitor(body.visitorToken), chatId: body.id, path: `/v1/chats/${body.id}/handover` };
}

/** The same with a handover requested. */
export async function askedChat(agentId: string, values: Record<string, unknown> = {}) {
  const chat = await visitorChat(agentId);
  const email = uniqueEmail("visitor");
  const answer = await chat.visitor.post(chat.path, { email, consent: true, ...values });
  if (answer.status !== 201) throw new Error(answer.text);
  return { ...chat, email, handover: answer.body };
}
