// Owns the delivery of a reply to Slack, exactly once: streamed where Slack allows it, otherwise posted and edited, in as many
// messages as it needs. The event is marked before each first post and stores the message's ts after it, so that a takeover edits
// that message.
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "../_shared/operation/log.ts";
import type { RefusalCode } from "../_shared/requests/refusals.ts";
import { type Arguments, type SlackAnswer, SlackRefusal, SlackUnreachable, textAt } from "./api.ts";
import { type Block, textBlocks } from "./blocks.ts";
import { isDeadToken, type Workspace } from "./installations.ts";
import { toMrkdwn, withoutMentions } from "./mrkdwn.ts";
import { personIdOf } from "./person-marks.ts";
import { type Claim, listPosted } from "./queue.ts";
import { cutOf, longestPart, openFence, partsOf } from "./splitting.ts";
import type { Place } from "./threads.ts";

/** Rate limits: chat.appendStream is Slack's tier 4, a hundred calls a minute; chat.update is tier 3, fifty. */
const everyMs = { stream: 700, edit: 1_500 };
/** In bytes of mrkdwn: chat.update refuses a longer text, while a stream takes 12,000 characters. */
const longestEdited = 4_000;
/** Recommended by Slack, which returns 15 to some apps. */
const repliesAtOnce = 200;
const mostPages = 20;

/** Why a channel or thread takes no messages at all, by Slack's error code. */
const closed = new Map<string, RefusalCode>([
  ["channel_not_found", "slackNotInChannel"],
  ["not_in_channel", "slackNotInChannel"],
  ["is_archived", "slackArchived"],
  ["is_inactive", "slackArchived"],
  ["thread_not_found", "slackThreadGone"],
  ["cannot_reply_to_message", "slackThreadGone"],
  ["messages_tab_disabled", "slackReadOnly"],
  ["restricted_action", "slackReadOnly"],
  ["restricted_action_non_threadable_channel", "slackReadOnly"],
  ["restricted_action_read_only_channel", "slackReadOnly"],
  ["restricted_action_thread_locked", "slackReadOnly"],
  ["restricted_action_thread_only_channel", "slackReadOnly"],
]);
export const isClosed = (error: unknown): boolean =>
  isDeadToken(error) || (error instanceof SlackRefusal && closed.has(error.code));

/** Why a reply did not reach Slack, from the error that ended its delivery. */
export function reasonOf(error: unknown): RefusalCode {
  if (isDeadToken(error)) return "slackDisconnected";
  if (error instanceof SlackUnreachable || error instanceof Uncertain) return "slackUnreachable";
  if (!(error instanceof SlackRefusal)) return "slackFailed";
  return closed.get(error.code) ?? (error.code === "msg_too_long" ? "slackTooLong" : "slackRefused");
}

/** Error codes about the blocks: the message is accepted with others, or without. */
const blocksRefused = new Set([
  "invalid_arguments",
  "invalid_blocks",
  "invalid_blocks_format",
  "msg_blocks_too_long",
  "msg_blocks_too_many",
]);

const sizeOfEdited = (part: string) => new TextEncoder().encode(toMrkdwn(part)).length;

/** It is unknown whether a message was posted. The queue retries, and the retry searches the thread first. */
export class Uncertain extends Error {
  override readonly name = "Uncertain";
}

export type Recipient = { userId: string; teamId: string };

export class Delivery {
  readonly #claim: Claim;
  readonly #workspace: Workspace;
  readonly #place: Place;
  readonly #to: Recipient;
  /** The question's ts: our messages in the thread come after it. */
  readonly #since: string;
  #mode: "stream" | "edit" = "stream";
  #text = "";
  #partAt = 0;
  #carried = "";
  #sent = 0;
  /** The ts of the message being streamed. */
  #streaming: string | undefined;
  /** The text that each posted message shows; undefined when unknown. */
  #shown: (string | undefined)[] = [];
  #loop: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #ended = false;
  #failure: unknown;

  constructor(claim: Claim, workspace: Workspace, place: Place, to: Recipient, since: string) {
    this.#claim = claim;
    this.#workspace = workspace;
    this.#place = place;
    this.#to = to;
    this.#since = since;
  }

  /** Finds what an earlier worker posted. Call it first. */
  async resume(): Promise<void> {
    if (this.#claim.event.posting) await this.#findLost();
    const last = this.#claim.event.posted.at(-1);
    if (last === undefined) return;
    this.#mode = "edit";
    this.#shown = this.#claim.event.posted.map(() => undefined);
    // Closes a stream that was left open. A closed stream refuses.
    await this.#call("chat.stopStream", { ts: last }).catch(this.#unlessClosed);
  }

  /** Adds text to the reply. It is sent in intervals. */
  push(text: string): void {
    this.#text += text;
    this.#wake?.();
    this.#loop ??= this.#send();
  }

  /** Sends the whole reply and the blocks under it. */
  async finish(text: string, under: Block[][]): Promise<void> {
    this.#ended = true;
    this.#wake?.();
    await this.#loop;
    if (this.#failure) throw this.#failure;
    // A stream only appends: the final text must start with what was sent.
    if (!text.startsWith(this.#text)) this.#mode = this.#text === "" ? this.#mode : "edit";
    this.#text = text;
    if (this.#mode === "stream" && (await this.#finishStream(under))) return;
    await this.#render(under);
  }

  async #send(): Promise<void> {
    try {
      while (!this.#ended) {
        if (this.#mode === "stream") await this.#stream();
        else await this.#render(undefined);
        const before = this.#text.length;
        await sleep(everyMs[this.#mode], undefined, { signal: this.#claim.signal });
        if (!this.#ended && this.#text.length === before) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } catch (error) {
      this.#failure = error;
    }
  }

  /** Sends new text to the stream, and starts a new message when one is full. */
  async #stream(): Promise<void> {
    while (this.#text.length - this.#partAt > longestPart) {
      const rest = this.#text.slice(this.#partAt);
      const head = rest.slice(0, cutOf(rest, this.#sent));
      const { close, reopen } = openFence(this.#carried + head);
      await this.#append(head.slice(this.#sent) + close);
      if (this.#mode !== "stream") return;
      await this.#stop([]);
      this.#partAt += head.length;
      this.#sent = 0;
      this.#carried = reopen;
    }
    const fresh = this.#text.slice(this.#partAt + this.#sent);
    if (fresh === "") return;
    await this.#append(fresh);
    this.#sent += fresh.length;
  }

  async #append(fresh: string): Promise<void> {
    if (fresh === "") return;
    try {
      if (this.#streaming !== undefined) {
        const before = this.#text.slice(this.#partAt, this.#partAt + this.#sent);
        const markdown_text = withoutMentions(fresh, before);
        await this.#call("chat.appendStream", { ts: this.#streaming, markdown_text });
        return;
      }
      this.#streaming = await this.#post("chat.startStream", {
        recipient_user_id: this.#to.userId,
        recipient_team_id: this.#to.teamId,
        markdown_text: withoutMentions(this.#carried + fresh),
      });
    } catch (error) {
      if (isClosed(error) || this.#claim.signal.aborted) throw error;
      if (!(error instanceof SlackRefusal || error instanceof SlackUnreachable)) throw error;
      // The channel or the app cannot stream, Slack closed the stream, or the text may have arrived twice: from now on the whole
      // text is posted and edited.
      log("info", "a Slack reply is edited, not streamed", { error: error.message });
      this.#mode = "edit";
    }
  }

  async #stop(under: Block[][]): Promise<boolean> {
    const ts = this.#streaming;
    if (ts === undefined) return false;
    this.#streaming = undefined;
    for (const blocks of [...under, []]) {
      try {
        await this.#call("chat.stopStream", { ts, ...(blocks.length > 0 ? { blocks } : {}) });
        return true;
      } catch (error) {
        if (isClosed(error) || !(error instanceof SlackRefusal)) throw error;
        if (!blocksRefused.has(error.code)) return false;
      }
    }
    return false;
  }

  /** @returns true when the stream ended with the whole reply in it */
  async #finishStream(under: Block[][]): Promise<boolean> {
    await this.#stream();
    const done = this.#mode === "stream" && (await this.#stop(under));
    if (done) return true;
    this.#mode = "edit";
    return false;
  }

  /** Makes the posted messages show the text. @param under undefined while the reply is incomplete */
  async #render(under: Block[][] | undefined): Promise<void> {
    const { posted } = this.#claim.event;
    this.#shown.length = posted.length;
    // Slack edits no message that is streaming.
    await this.#stop([]);
    const parts = partsOf(this.#text, longestEdited, sizeOfEdited);
    for (const [i, part] of parts.entries()) {
      if (under === undefined && part.trim() === "") return;
      const isLast = i === parts.length - 1;
      if (isLast && under !== undefined) await this.#show(i, part, under);
      else if (this.#shown[i] !== part) await this.#show(i, part, [[]]);
    }
    if (under === undefined) return;
    for (const ts of posted.slice(parts.length)) {
      await this.#call("chat.delete", { ts }).catch(this.#unlessClosed);
    }
    if (posted.length > parts.length) await this.#claim.keep({ posted: posted.slice(0, parts.length) });
  }

  /** @param under variants of the blocks under the reply, best first: older workspaces support fewer kinds */
  async #show(i: number, part: string, under: Block[][]): Promise<void> {
    const ts = this.#claim.event.posted[i];
    const text = toMrkdwn(part);
    for (const [way, blocks] of [...under, []].entries()) {
      const args = {
        text,
        ...(blocks.length > 0 ? { blocks: [...textBlocks(part), ...blocks] } : {}),
        unfurl_links: false,
        unfurl_media: false,
      };
      try {
        if (ts === undefined) await this.#post("chat.postMessage", args);
        else await this.#call("chat.update", { ts, ...args });
        this.#shown[i] = part;
        return;
      } catch (error) {
        const isRetried =
          error instanceof SlackRefusal && blocksRefused.has(error.code) && way < under.length;
        if (!isRetried) throw error;
      }
    }
  }

  /** Posts a message exactly once: after a lost response, searches for the message before it is posted again. */
  async #post(method: string, args: Arguments): Promise<string> {
    await this.#claim.keep({ posting: true });
    let ts: string | undefined;
    try {
      ts = textAt(await this.#call(method, { thread_ts: this.#place.threadTs, ...args }), "ts");
    } catch (error) {
      const isCertain = error instanceof SlackRefusal || (error instanceof SlackUnreachable && error.isLimit);
      if (isCertain) await this.#claim.keep({ posting: false });
      if (isCertain || !(error instanceof SlackUnreachable)) throw error;
      const lost = await this.#findLost().catch((cause: unknown) => {
        throw new Uncertain("whether a message was posted is not known", { cause });
      });
      if (lost === undefined) throw error;
      if (method === "chat.startStream") {
        this.#mode = "edit";
        await this.#call("chat.stopStream", { ts: lost }).catch(this.#unlessClosed);
      }
      return lost;
    }
    if (ts === undefined) throw new Uncertain(`${method} answered without a ts`);
    await this.#claim.keep({ posting: false, posted: [...this.#claim.event.posted, ts] });
    this.#shown[this.#claim.event.posted.length - 1] = undefined;
    return ts;
  }

  /** Finds our message in the thread that no event has recorded: the one whose post was cut off. */
  async #findLost(): Promise<string | undefined> {
    const { workspaceId, channel, threadTs } = this.#place;
    const after = this.#claim.event.posted.at(-1) ?? this.#since;
    const known = await listPosted(workspaceId, channel, threadTs);
    let lost: string | undefined;
    let cursor: string | undefined;
    for (let page = 0; page < mostPages; page++) {
      const args = { ts: threadTs, oldest: after, limit: repliesAtOnce, include_all_metadata: true, cursor };
      const answer = await this.#call("conversations.replies", args).catch((error: unknown) => {
        if (error instanceof SlackRefusal && error.code === "thread_not_found") return undefined;
        throw error;
      });
      const messages: unknown[] = Array.isArray(answer?.messages) ? answer.messages : [];
      lost = messages
        .filter((message) => textAt(message, "user") === this.#workspace.botUserId && !personIdOf(message))
        .map((message) => textAt(message, "ts"))
        .find((ts) => ts !== undefined && ts > after && !known.has(ts));
      cursor = textAt(answer, "response_metadata", "next_cursor");
      if (lost !== undefined || cursor === undefined) break;
    }
    const posted = lost === undefined ? this.#claim.event.posted : [...this.#claim.event.posted, lost];
    await this.#claim.keep({ posting: false, posted });
    return lost;
  }

  readonly #unlessClosed = (error: unknown): void => {
    if (isClosed(error) || !(error instanceof SlackRefusal)) throw error;
  };

  #call(method: string, args: Arguments): Promise<SlackAnswer> {
    return this.#workspace.call(method, { channel: this.#place.channel, ...args }, this.#claim.signal);
  }
}
