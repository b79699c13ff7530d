// A question to send on the agent's page once it is shown. Stored in the tab, where no address from another site can put one.
import { ownInTab } from "./own-storage.ts";

const keyOf = (agentId: string): string => `parley-ask:${agentId}`;

export const storeQuestion = (agentId: string, question: string): void =>
  ownInTab.set(keyOf(agentId), question);

/** Returns the stored question for an agent and removes it. */
export function takeQuestion(agentId: string): string | null {
  const question = ownInTab.get(keyOf(agentId));
  ownInTab.remove(keyOf(agentId));
  return question;
}
