// Owns the contents of the fake Slack's channels: messages, streams, ephemeral messages, sessions; with the errors that Slack documents for
// each method.
import type { Fields, MethodAnswer } from "./slack.ts";

export interface PostedMessage {
  ts: string;
  channel: string;
  threadTs: string | undefined;
  user: string;
  text: string;
  blocks: Record<string, unknown>[];
  streaming: boolean;
  /** Every state of its text. */
  history: string[];
  recipient: string | undefined;
  metadata: unknown;
}

const fail = (error: string): MethodAnswer => ({ ok: false, error });
const longestMarkdown = 12_000;
/** In bytes, of chat.update's text. */
const longestUpdate = 4_000;
const longestBlocks = 13_000;
/** What an app that is distributed outside Slack's Marketplace gets of a thread, whatever it asks for. */
const repliesAtOnce = 15;

export class SlackConversations {
  readonly messages: PostedMessage[] = [];
  readonly sessions: { channel: string; threadTs: string; status: string; title: string | undefined }[] = [];
  readonly prompts: { channel: string; threadTs: string | undefined; prompts: { message: string }[] }[] = [];
  /** Channels without streams; everything else in them works. */
  readonly withoutStreams = new Set<string>();
  readonly archived = new Set<string>();
  /** False for a workspace without agent sessions and without the blocks of 2025. */
  isModern = true;
  #last = 0;

  clear(): void {
    this.messages.length = 0;
    this.sessions.length = 0;
    this.prompts.length = 0;
    this.withoutStreams.clear();
    this.archived.clear();
    this.isModern = true;
  }

  /** A new ts, later than every earlier one. */
  ts(): string {
    this.#last = Math.max(this.#last + 1, Date.now() * 1000);
    return `${Math.floor(this.#last / 1e6)}.${String(this.#last % 1e6).padStart(6, "0")}`;
  }

  /** Posts a person's message. */
  addFrom(user: string, channel: string, threadTs: string): void {
    this.#add({ channel, thread_ts: threadTs }, user, "A word", false);
  }

  /** The messages in a thread, except for those of say(). */
  inThread(threadTs: string): PostedMessage[] {
    return this.messages.filter((message) => message.threadTs === threadTs);
  }

  perform(method: string, args: Fields, bot: string): MethodAnswer {
    if (this.archived.has(args.channel ?? "")) return fail("is_archived");
    switch (method) {
      case "chat.postMessage":
        return this.#post(args, bot);
      case "chat.postEphemeral":
        return args.user && args.text ? { ok: true } : fail("no_text");
      case "chat.update":
        return this.#update(args);
      case "chat.delete":
        return this.#delete(args);
      case "chat.startStream":
        return this.#start(args, bot);
      case "chat.appendStream":
        return this.#append(args);
      case "chat.stopStream":
        return this.#stop(args);
      case "conversations.replies":
        return this.#replies(args);
      case "agents.sessions.setStatus":
        return this.#setStatus(args);
      case "assistant.threads.setStatus":
      case "assistant.threads.setTitle":
        return args.channel_id && args.thread_ts ? { ok: true } : fail("invalid_arguments");
      case "assistant.threads.setSuggestedPrompts": {
        const prompts: { message: string }[] = JSON.parse(args.prompts ?? "[]");
        if (prompts.length === 0 || prompts.length > 4) return fail("invalid_prompts");
        this.prompts.push({ channel: args.channel_id ?? "", threadTs: args.thread_ts, prompts });
        return { ok: true };
      }
      default:
        return fail("unknown_method");
    }
  }

  #add(args: Fields, user: string, text: string, streaming: boolean): MethodAnswer {
    const message: PostedMessage = {
      ts: this.ts(),
      channel: args.channel ?? "",
      threadTs: args.thread_ts,
      user,
      text,
      blocks: blocksIn(args),
      streaming,
      history: [text],
      recipient: args.recipient_user_id,
      metadata: args.metadata && JSON.parse(args.metadata),
    };
    this.messages.push(message);
    return { ok: true, channel: message.channel, ts: message.ts };
  }

  #post(args: Fields, bot: string): MethodAnswer {
    if (!args.text && !args.blocks) return fail("no_text");
    return this.#wrongBlocks(args) ?? this.#add(args, bot, args.text ?? "", false);
  }

  #update(args: Fields): MethodAnswer {
    const message = this.#find(args);
    if (!message) return fail("message_not_found");
    if (message.streaming) return fail("streaming_state_conflict");
    if (Buffer.byteLength(args.text ?? "") > longestUpdate) return fail("msg_too_long");
    const wrong = this.#wrongBlocks(args);
    if (wrong) return wrong;
    message.text = args.text ?? "";
    message.blocks = blocksIn(args);
    message.history.push(message.text);
    return { ok: true, ts: message.ts };
  }

  #delete(args: Fields): MethodAnswer {
    const message = this.#find(args);
    if (!message) return fail("message_not_found");
    this.messages.splice(this.messages.indexOf(message), 1);
    return { ok: true };
  }

  #start(args: Fields, bot: string): MethodAnswer {
    if (this.withoutStreams.has(args.channel ?? "")) return fail("channel_type_not_supported");
    if (!args.thread_ts) return fail("invalid_thread_ts");
    if (!args.channel?.startsWith("D")) {
      if (!args.recipient_user_id) return fail("missing_recipient_user_id");
      if (!args.recipient_team_id) return fail("missing_recipient_team_id");
    }
    if ((args.markdown_text ?? "").length > longestMarkdown) return fail("msg_too_long");
    return this.#add(args, bot, args.markdown_text ?? "", true);
  }

  #append(args: Fields): MethodAnswer {
    const message = this.#find(args);
    if (!message) return fail("message_not_found");
    if (!message.streaming) return fail("message_not_in_streaming_state");
    if (!args.markdown_text) return fail("no_text");
    message.text += args.markdown_text;
    message.history.push(args.markdown_text);
    return message.text.length > longestMarkdown ? fail("msg_too_long") : { ok: true, ts: message.ts };
  }

  #stop(args: Fields): MethodAnswer {
    const message = this.#find(args);
    if (!message) return fail("message_not_found");
    if (!message.streaming) return fail("message_not_in_streaming_state");
    const wrong = this.#wrongBlocks(args);
    if (wrong) return wrong;
    message.text += args.markdown_text ?? "";
    message.blocks = blocksIn(args);
    message.streaming = false;
    return { ok: true, ts: message.ts };
  }

  #replies(args: Fields): MethodAnswer {
    const after = args.oldest ?? "0";
    const from = Number(args.cursor ?? 0);
    const to = from + Math.min(Number(args.limit ?? 1_000), repliesAtOnce);
    const messages = this.inThread(args.ts ?? "").filter(({ ts }) => ts > after);
    return {
      ok: true,
      has_more: to < messages.length,
      response_metadata: { next_cursor: to < messages.length ? String(to) : "" },
      messages: messages.slice(from, to).map(({ ts, user, text, metadata }) => ({
        type: "message",
        ts,
        user,
        text,
        ...(args.include_all_metadata === "true" && metadata ? { metadata } : {}),
      })),
    };
  }

  #setStatus(args: Fields): MethodAnswer {
    if (!this.isModern) return fail("unknown_method");
    if (!["active", "processing", "suspended", "closed"].includes(args.status ?? ""))
      return fail("invalid_status");
    this.sessions.push({
      channel: args.channel_id ?? "",
      threadTs: args.thread_ts ?? "",
      status: args.status ?? "",
      title: args.title,
    });
    return { ok: true, status: args.status };
  }

  #find({ channel, ts }: Fields): PostedMessage | undefined {
    return this.messages.find((message) => message.ts === ts && message.channel === channel);
  }

  #wrongBlocks(args: Fields): MethodAnswer | undefined {
    const blocks = blocksIn(args);
    const known = this.isModern
      ? ["section", "context", "actions", "context_actions"]
      : ["section", "context", "actions"];
    const wrong = blocks.length > 50 || blocks.some(({ type }) => !known.includes(String(type)));
    const long = JSON.stringify(blocks)
      .match(/"text":"((?:[^"\\]|\\.)*)"/g)
      ?.some((text) => text.length > 3_100);
    if (wrong || long) return fail("invalid_blocks");
    return JSON.stringify(blocks).length > longestBlocks ? fail("msg_blocks_too_long") : undefined;
  }
}

function blocksIn(args: Fields): Record<string, unknown>[] {
  return args.blocks ? JSON.parse(args.blocks) : [];
}
