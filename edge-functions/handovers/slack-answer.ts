// Owns a person's answer on its way into the Slack thread that the chat is. Runs as the service, which alone knows threads.
import type { LanguageCode } from "../../locales/registry.ts";
import { say } from "../../locales/say.ts";
import { asService } from "../_shared/database/db.ts";
import { SlackRefusal } from "../slack/api.ts";
import { isClosed } from "../slack/delivery.ts";
import { openWorkspace } from "../slack/installations.ts";
import { toMrkdwn, withoutMentions } from "../slack/mrkdwn.ts";
import type { Outcome } from "./webhook.ts";

/** Slack takes 40,000 characters and shows the first 4,000 well; a longer answer is in the inbox in full. */
const longestText = 12_000;

/** @throws SlackUnreachable; SlackRefusal that may pass */
export async function postInThread(
  chatId: string,
  language: LanguageCode,
  answer: { author: string; content: string },
): Promise<Outcome> {
  const [thread] = await asService(
    (tx) => tx<{ workspaceId: string; channel: string; threadTs: string }[]>`
      select workspace_id, channel, thread_ts from private.slack_threads where chat_id = ${chatId} limit 1`,
  );
  const gone = { status: "failed", error: "gone", httpStatus: null, isFinal: true } as const;
  const workspace = thread && (await openWorkspace(thread.workspaceId));
  if (!thread || !workspace) return gone;
  const text = toMrkdwn(answer.content).slice(0, longestText);
  try {
    await workspace.call("chat.postMessage", {
      channel: thread.channel,
      thread_ts: thread.threadTs,
      // Who says it stands in front: it is no answer of the agent.
      text: withoutMentions(
        `${say(language, "slack:fromTeam", { author: plainName(answer.author) })}\n${text}`,
      ),
      unfurl_links: false,
      unfurl_media: false,
    });
    return { status: "delivered", httpStatus: null };
  } catch (error) {
    if (isClosed(error) || (error instanceof SlackRefusal && error.code === "msg_too_long")) return gone;
    throw error;
  }
}

/** A name is no markup. */
const plainName = (name: string): string => name.replace(/[*_~`<>&[\]()#!|\\]/g, " ").trim() || "Team";
