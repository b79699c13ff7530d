// A question that is asked on the page of its agent, once that is there. Kept in the tab, which no address of another site can fill.
import { inTab } from "./storage.ts";

const keyOf = (agentId: string): string => `parley-ask:${agentId}`;

export const askLater = (agentId: string, question: string): void => inTab.set(keyOf(agentId), question);

/** The question that waits for an agent; it waits no more then. */
export function takeAsked(agentId: string): string | null {
  const question = inTab.get(keyOf(agentId));
  inTab.remove(keyOf(agentId));
  return question;
}
