// Owns posting a person's answer, or that none comes, to the Slack thread of the chat. Runs as the service, because only the service may
// read threads.
import type { LanguageCode } from "../../locales/registry.ts";
import { say } from "../../locales/say.ts";
import { asService } from "../_shared/database/db.ts";
import { SlackRefusal } from "../slack/api.ts";
import { isClosed } from "../slack/delivery.ts";
import { openWorkspace, type Workspace } from "../slack/installations.ts";
import { toMrkdwn, withoutMentions } from "../slack/mrkdwn.ts";
import { personIdOf, personMark } from "../slack/person-marks.ts";
import type { Outcome } from "./webhook.ts";

/** Slack accepts 40,000 characters and displays about the first 4,000 well. The inbox shows a longer answer in full. */
const longestText = 12_000;
/** Our clock may be ahead of Slack's. */
const clockDifferenceSeconds = 600;

/**
 * Posts only while the chat's app is connected to that workspace: another team's app may keep the workspace's token alive.
 * @throws SlackUnreachable; SlackRefusal that may be transient
 */
export async function postInThread(
  chatId: string,
  language: LanguageCode,
  answer: { author: string; content: string } | undefined,
  delivery: { id: string; attempts: number; createdAt: string },
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
  // Starts with the author's name, because the agent did not write this answer.
  const text = answer
    ? `${say(language, "slack:fromTeam", { author: plainName(answer.author) })}\n${toMrkdwn(answer.content).slice(0, longestText)}`
    : say(language, "slack:personClosed");
  const delivered = { status: "delivered", httpStatus: null } as const;
  try {
    // Slack may have taken it at an attempt whose response was lost.
    if (delivery.attempts > 1 && (await isPosted(workspace, thread, delivery))) return delivered;
    await workspace.call("chat.postMessage", {
      channel: thread.channel,
      thread_ts: thread.threadTs,
      metadata: personMark(delivery.id),
      text: withoutMentions(text),
      unfurl_links: false,
      unfurl_media: false,
    });
    return delivered;
  } catch (error) {
    if (isClosed(error) || (error instanceof SlackRefusal && error.code === "msg_too_long")) return gone;
    throw error;
  }
}

/** Looks through the latest messages of the thread, at least those since the answer was written. */
async function isPosted(
  workspace: Workspace,
  { channel, threadTs }: { channel: string; threadTs: string },
  { id, createdAt }: { id: string; createdAt: string },
): Promise<boolean> {
  const { messages } = await workspace.call("conversations.replies", {
    channel,
    ts: threadTs,
    oldest: String(Date.parse(createdAt) / 1000 - clockDifferenceSeconds),
    limit: 200,
    include_all_metadata: true,
  });
  return Array.isArray(messages) && messages.some((message: unknown) => personIdOf(message) === id);
}

/** Removes markup characters from a name. */
const plainName = (name: string): string => name.replace(/[*_~`<>&[\]()#!|\\]/g, " ").trim() || "Team";
