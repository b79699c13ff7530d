// Owns posting a person's answer to the Slack thread of the chat. Runs as the service, because only the service may read threads.
import type { LanguageCode } from "../../locales/registry.ts";
import { say } from "../../locales/say.ts";
import { asService } from "../_shared/database/db.ts";
import { SlackRefusal } from "../slack/api.ts";
import { isClosed } from "../slack/delivery.ts";
import { openWorkspace } from "../slack/installations.ts";
import { toMrkdwn, withoutMentions } from "../slack/mrkdwn.ts";
import type { Outcome } from "./webhook.ts";

/** Slack accepts 40,000 characters and displays about the first 4,000 well. The inbox shows a longer answer in full. */
const longestText = 12_000;

/**
 * Posts only while the chat's app is connected to that workspace: another team's app may keep the workspace's token alive.
 * @throws SlackUnreachable; SlackRefusal that may be transient
 */
export async function postInThread(
  chatId: string,
  language: LanguageCode,
  answer: { author: string; content: string },
): Promise<Outcome> {
  const [thread] = await asService(
    (tx) => tx<{ workspaceId: string; channel: string; threadTs: string }[]>`
      select s.workspace_id, s.channel, s.thread_ts from private.slack_threads s
        join public.apps p on p.id = s.app_id and p.status = 'connected' and p.workspace_id = s.workspace_id
       where s.chat_id = ${chatId} limit 1`,
  );
  const gone = { status: "failed", error: "gone", httpStatus: null, isFinal: true } as const;
  const workspace = thread && (await openWorkspace(thread.workspaceId));
  if (!thread || !workspace) return gone;
  const text = toMrkdwn(answer.content).slice(0, longestText);
  try {
    await workspace.call("chat.postMessage", {
      channel: thread.channel,
      thread_ts: thread.threadTs,
      // Starts with the author's name, because the agent did not write this answer.
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

/** Removes markup characters from a name. */
const plainName = (name: string): string => name.replace(/[*_~`<>&[\]()#!|\\]/g, " ").trim() || "Team";
