// Owns the parsing of Slack's events: which of them are work, and of what kind. Pure.
import { z } from "zod";
import { either } from "../_shared/language/rules.ts";

const word = z.string().max(100);
/** Slack takes 40,000 characters, and writes some of them as five. */
const text = z.string().transform((all) => all.slice(0, 200_000));
const messageEvent = z.object({
  type: z.enum(["message", "app_mention"]),
  subtype: word.optional(),
  channel: word,
  channel_type: word.optional(),
  user: word.optional(),
  bot_id: word.nullish(),
  hidden: z.boolean().optional(),
  text: text.default(""),
  files: z.array(z.unknown()).nullish(),
  ts: word,
  thread_ts: word.nullish(),
});

const envelope = z.object({
  type: z.literal("event_callback"),
  event_id: word,
  event_time: z.number().optional(),
  team_id: word.nullish(),
  authorizations: z
    .array(z.object({ team_id: word.nullish(), user_id: word.nullish(), is_bot: z.boolean().nullish() }))
    .nullish(),
  event: z.looseObject({ type: word }),
});

/** A message that may be meant for an agent. */
export type SlackMessage = {
  channel: string;
  ts: string;
  /** The thread that the message is in, or would start. */
  threadTs: string;
  user: string;
  text: string;
  isDirect: boolean;
  /** Absent in a message stored by an earlier release. */
  hasFiles?: boolean;
};

export type Work = { eventId: string; workspaceId: string } & (
  | { kind: "message"; message: SlackMessage }
  /** A person opened the conversation with the app. An earlier release stored no user. */
  | { kind: "opened"; channel: string; threadTs: string | null; user?: string }
  /** With a ts: the answer to that message, which its author deleted. */
  | { kind: "stop"; channel: string; threadTs: string; ts?: string }
  /** The workspace removed the app or revoked its token. */
  | { kind: "left"; at: string }
);

/** A question whose text its author changed. Handled at once, and queued only when the question itself has not arrived yet. */
export type Edit = {
  kind: "edit";
  eventId: string;
  workspaceId: string;
  channel: string;
  ts: string;
  threadTs: string;
  user: string;
  text: string;
  /** When it was edited, as Slack says. */
  editedTs: string;
  /** The message as edited; undefined when it is none for an agent. */
  question: SlackMessage | undefined;
};

const change = z.object({
  subtype: z.literal("message_changed"),
  channel: word,
  channel_type: word.optional(),
  ts: word,
  message: z.looseObject({
    subtype: word.optional(),
    user: word,
    bot_id: word.nullish(),
    edited: z.object({ ts: word }).nullish(),
    text,
    ts: word,
    thread_ts: word.nullish(),
  }),
  previous_message: z.object({ text: z.string() }),
});

const deletion = z.object({
  subtype: z.literal("message_deleted"),
  channel: word,
  deleted_ts: word,
  previous_message: z.object({ thread_ts: word.nullish() }).nullish(),
});

/** Subtypes of messages that people write; others are edits, joins and bots' messages. */
const spoken = new Set([undefined, "file_share", "thread_broadcast"]);

/** The work that an event requires, or undefined. */
export function workOf(body: unknown): Work | Edit | undefined {
  const parsed = envelope.safeParse(body);
  if (!parsed.success) return undefined;
  const { event, event_id: eventId, team_id, authorizations } = parsed.data;
  // In shared channels the event's team may be another workspace than ours.
  const workspaceId = authorizations?.[0]?.team_id ?? team_id;
  if (!workspaceId) return undefined;
  const base = { eventId, workspaceId };
  switch (event.type) {
    case "message":
    case "app_mention": {
      const bot = authorizations?.find(({ is_bot }) => is_bot)?.user_id ?? authorizations?.[0]?.user_id;
      return messageWork(base, event, bot ?? undefined);
    }
    case "app_home_opened": {
      const home = z.object({ tab: z.literal("messages"), channel: word, user: word }).safeParse(event);
      if (!home.success) return undefined;
      return { ...base, kind: "opened", channel: home.data.channel, threadTs: null, user: home.data.user };
    }
    case "assistant_thread_started": {
      const thread = z
        .object({ channel_id: word, thread_ts: word, user_id: word })
        .safeParse(event.assistant_thread);
      if (!thread.success) return undefined;
      const { channel_id: channel, thread_ts: threadTs, user_id: user } = thread.data;
      return { ...base, kind: "opened", channel, threadTs, user };
    }
    case "agent_session_stopped": {
      const place = z.object({ channel: word, thread_ts: word }).safeParse(event);
      return place.success
        ? { ...base, kind: "stop", channel: place.data.channel, threadTs: place.data.thread_ts }
        : undefined;
    }
    case "tokens_revoked": {
      const revoked = z.object({ bot: z.array(word).nullish() }).safeParse(event.tokens);
      if (!revoked.success || !revoked.data.bot?.length) return undefined;
      return { ...base, kind: "left", at: timeOf(parsed.data.event_time) };
    }
    case "app_uninstalled":
      return { ...base, kind: "left", at: timeOf(parsed.data.event_time) };
    default:
      // What a person is viewing (app_context_changed, assistant_thread_context_changed) does not affect an answer.
      return undefined;
  }
}

function messageWork(
  base: { eventId: string; workspaceId: string },
  event: unknown,
  bot: string | undefined,
): Work | Edit | undefined {
  const deleted = deletion.safeParse(event).data;
  if (deleted) {
    const { channel, deleted_ts: ts, previous_message: before } = deleted;
    return { ...base, kind: "stop", channel, threadTs: before?.thread_ts ?? ts, ts };
  }
  const edited = change.safeParse(event).data;
  if (edited) {
    const { channel, channel_type, message, previous_message: before } = edited;
    const { user, bot_id, text, ts, thread_ts } = message;
    const editedTs = message.edited?.ts ?? edited.ts;
    const threadTs = thread_ts ?? ts;
    // A deleted message whose thread stays.
    if (message.subtype === "tombstone") return { ...base, kind: "stop", channel, threadTs, ts };
    // Slack also changes a message to add a preview of its links.
    if (bot_id || user === bot || text === before.text) return undefined;
    const asked = messageWork(base, { ...message, type: "message", channel, channel_type }, bot);
    const question = asked?.kind === "message" ? asked.message : undefined;
    return { ...base, kind: "edit", channel, ts, threadTs, user, text, editedTs, question };
  }
  const parsed = messageEvent.safeParse(event);
  if (!parsed.success) return undefined;
  const { subtype, bot_id, hidden, user, text, channel, channel_type, ts, thread_ts, files } = parsed.data;
  if (!spoken.has(subtype) || bot_id || hidden || !user || user === bot) return undefined;
  const isDirect = channel_type === "im" || channel.startsWith("D");
  const isAddressed = isDirect || parsed.data.type === "app_mention" || mentions(text, bot);
  // In a thread it may be a follow-up. The queue's worker checks whether the thread is ours.
  if (!isAddressed && !thread_ts) return undefined;
  const threadTs = thread_ts ?? ts;
  if (thread_ts && isStopWord(withoutMention(text, bot))) return { ...base, kind: "stop", channel, threadTs };
  const hasFiles = (files ?? []).length > 0;
  return { ...base, kind: "message", message: { channel, ts, threadTs, user, text, isDirect, hasFiles } };
}

export function mentions(text: string, user: string | undefined): boolean {
  return user !== undefined && (text.includes(`<@${user}>`) || text.includes(`<@${user}|`));
}

/** The text without the mention of our bot. */
export function withoutMention(text: string, bot: string | undefined): string {
  return bot === undefined ? text.trim() : text.replace(new RegExp(`<@${bot}(\\|[^<>]*)?>`, "g"), " ").trim();
}

const stop = new RegExp(String.raw`^${either(({ commands }) => commands?.stop)}[\s.!]*$`, "i");

function isStopWord(text: string): boolean {
  return stop.test(text);
}

function timeOf(seconds: number | undefined): string {
  return new Date(seconds === undefined ? Date.now() : seconds * 1000).toISOString();
}

/** A message as plain text: resolves Slack's markup for people, channels and links, and its three escapes. */
export function plainText(text: string): string {
  // Slack escapes what people type, so that no "<" stands inside its markup; many of them would otherwise be read to the end each.
  return text
    .replace(/<(https?:\/\/[^|<>]+|mailto:[^|<>]+)\|([^<>]*)>/g, (_all, url: string, label: string) =>
      label === "" || url.endsWith(label) ? url.replace(/^mailto:/, "") : `${label} (${url})`,
    )
    .replace(/<[@#!][^|<>]*\|([^<>]*)>/g, "$1")
    .replace(/<@[^<>]*>/g, "@someone")
    .replace(/<#[^<>]*>/g, "#channel")
    .replace(/<!(here|channel|everyone)>/g, "@$1")
    .replace(/<([^<>]+)>/g, "$1")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();
}
