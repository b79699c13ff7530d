// Owns asking in a chat through the API: stores the question, then starts the agent's reply.
import type { Transaction } from "../../_shared/database/db.ts";
import type { Caller } from "../../_shared/requests/auth.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import type { ClientAddress } from "../../_shared/requests/limits.ts";
import { answerHits } from "../../_shared/requests/usage-limits.ts";
import type { Trial } from "../../answering/agent.ts";
import { requireAllowedSite } from "../agents/allowed-site.ts";
import { type AskedChat, beginQuestion } from "./beginning.ts";
import { type RunningReply, startReply } from "./replies.ts";
import type { Message, NewMessage } from "./schema.ts";
import { requireDraft, requireKnowledgeReader } from "./trials.ts";

/**
 * Adds a message as the caller, optionally replacing an earlier one, and starts the reply.
 * @param addresses the addresses that the call counts for
 * @param message with the site of the page that asks, where that is known
 * @throws ApiError as beginQuestion(), and FORBIDDEN or CONFLICT for settings that may not be tried here
 */
export async function ask(
  caller: Caller,
  addresses: ClientAddress[],
  chatId: string,
  { content, replaces, draft, explain, site }: NewMessage & { site?: string | undefined },
): Promise<{ message: Message; running: RunningReply }> {
  const { claims } = caller;
  let trial: Trial | undefined;
  const check = async (tx: Transaction, chat: AskedChat) => {
    if (draft && chat.channel !== "playground") {
      throw new ApiError("CONFLICT", "Unsaved settings can be tried only in a chat of the playground.");
    }
    if (draft) trial = await requireDraft(tx, claims, chat.agentId, draft);
    if (explain) await requireKnowledgeReader(tx, chat.agentId);
    // The widget's frame stays open while the agent's sites change.
    if (site && chat.channel === "widget") await requireAllowedSite(tx, chat.agentId, site);
  };
  const { agent, channel, question, reply, history } = await beginQuestion(
    claims,
    chatId,
    { content, replaces },
    {
      hits: (payer) => answerHits(caller, addresses, payer),
      check: draft || explain || site ? check : undefined,
    },
  );
  return {
    message: question,
    running: startReply(reply, { agent, channel, trial, history, question: content }, claims),
  };
}
