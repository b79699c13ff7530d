// Owns what happens when somebody asks in a chat over the API: the question begins, then the agent's reply.
import type { Claims } from "../../_shared/db.ts";
import { ApiError } from "../../_shared/errors.ts";
import { beginQuestion } from "./beginning.ts";
import { type RunningReply, startReply } from "./replies.ts";
import type { Message, NewMessage } from "./schema.ts";
import { requireDraft, requireKnowledgeReader } from "./trials.ts";

/**
 * Adds a message as the caller, in place of an earlier one where it replaces one, and starts the reply to it.
 * @throws ApiError as beginQuestion(), and FORBIDDEN or CONFLICT for settings that may not be tried here
 */
export async function ask(
  claims: Claims,
  chatId: string,
  { content, replaces, draft, explain }: NewMessage,
): Promise<{ message: Message; running: RunningReply }> {
  const { agentId, question, reply, history } = await beginQuestion(
    claims,
    chatId,
    { content, replaces },
    {
      check: async (tx, chat) => {
        if (draft && chat.channel !== "playground") {
          throw new ApiError("CONFLICT", "Settings are tried in chats of the playground alone.");
        }
        if (draft) await requireDraft(tx, chat.agentId, draft);
        if (explain) await requireKnowledgeReader(tx, chat.agentId);
      },
    },
  );
  const trial = draft && { claims, settings: draft };
  return { message: question, running: startReply(reply, { agentId, trial, history, question: content }) };
}
