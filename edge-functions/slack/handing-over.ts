// Owns the handover from a Slack thread to a person of the team: whether it is offered, and what its button does. Anyone who can write
// in the thread can press the button. A chat has one handover, whoever pressed it.
import { z } from "zod";
import { defaultLanguage, languageOfTag } from "../../locales/registry.ts";
import { log } from "../_shared/operation/log.ts";
import { ApiError } from "../_shared/requests/errors.ts";
import { askForPerson, readChatHandover } from "../v1/handovers/asking.ts";
import { slackConsentVersion } from "../v1/handovers/schema.ts";
import { kickIndexing } from "../v1/tasks/kick.ts";
import { personAction } from "./blocks.ts";
import { openWorkspace } from "./installations.ts";
import { readPerson } from "./people.ts";
import { personMark } from "./person-marks.ts";
import { claimsOfThread, findThreadOfMessage, type Thread } from "./threads.ts";
import { wordsFor } from "./words.ts";

const patienceMs = 30_000;
const press = z.object({
  type: z.literal("block_actions"),
  team: z.object({ id: z.string() }),
  user: z.object({ id: z.string() }),
  channel: z.object({ id: z.string() }),
  message: z.object({ ts: z.string(), thread_ts: z.string().optional() }),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().optional() })).max(25),
});

/** True when a handover is available in a thread and none has been requested. */
export async function offersPerson(thread: Thread): Promise<boolean> {
  try {
    const { isOffered, handover } = await readChatHandover(claimsOfThread(thread), thread.chatId);
    return isOffered && handover?.status !== "open";
  } catch (error) {
    // The app or its agent was deleted meanwhile.
    if (error instanceof ApiError && error.code === "NOT_FOUND") return false;
    throw error;
  }
}

/** Requests a handover in the thread whose button was pressed, and posts the result there. Ignores other buttons. */
export async function handOver(payload: unknown): Promise<void> {
  const parsed = press.safeParse(payload);
  if (!parsed.success) return;
  const { team, user, channel, message, actions } = parsed.data;
  const replyId = actions.find(({ action_id }) => action_id === personAction)?.value;
  if (!replyId || !z.uuid().safeParse(replyId).success) return;
  const thread = await findThreadOfMessage(team.id, channel.id, replyId);
  const workspace = thread && (await openWorkspace(team.id));
  if (!thread || !workspace) return;
  const signal = AbortSignal.timeout(patienceMs);
  const { locale } = await readPerson(workspace, user.id, signal);
  const words = wordsFor(locale);
  const text = await askForPerson(claimsOfThread(thread), thread.chatId, {
    consentVersion: slackConsentVersion,
    language: async () => languageOfTag(locale) ?? defaultLanguage,
    hits: [{ key: `handover:slack:${team.id}:${user.id}`, max: 10, windowSeconds: 3600 }],
  }).then(
    ({ isNew }) => {
      if (isNew) kickIndexing();
      return isNew ? words.personComes : undefined;
    },
    (error: unknown) => {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      log("info", "a person was not asked for in Slack", { code: error.code });
      return words.nobodyComes;
    },
  );
  // Pressed twice, or by two people at once: the result is already posted.
  if (text === undefined) return;
  const threadTs = message.thread_ts ?? message.ts;
  const metadata = personMark(replyId);
  await workspace.call(
    "chat.postMessage",
    { channel: channel.id, thread_ts: threadTs, text, metadata },
    signal,
  );
}
