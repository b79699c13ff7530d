// A question to send on the agent's page once it is shown. Stored in the tab, where no address from another site can put one.
import { inTab } from "./storage.ts";

const keyOf = (agentId: string): string => `parley-ask:${agentId}`;

export const storeQuestion = (agentId: string, question: string): void => inTab.set(keyOf(agentId), question);

/** Returns the stored question for an agent and removes it. */
export function takeQuestion(agentId: string): string | null {
  const question = inTab.get(keyOf(agentId));
  inTab.remove(keyOf(agentId));
  return question;
}
