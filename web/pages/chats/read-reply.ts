// Reads a stored reply to its end, after the connection that streamed it was lost. Does not know the chat's state.
import { CallFailure } from "../../client/call-api.ts";
import type { ChatMessage, Citation } from "./chat.ts";

/** The reply that is being written. */
export interface LiveReply {
  content: string;
  citations: Citation[];
  phase: "searching" | "writing" | "reconnecting" | "stopping";
}

const POLL_MS = 600;
/** The pause after failures in a row grows to this many polls: with POLL_FAILURES, a restart of a minute is waited for. */
const LONGEST_PAUSE_POLLS = 8;
const POLL_FAILURES = 20;
/** After this many polls without a new word the reader is told, since a dead process is given up only after a minute. */
const QUIET_POLLS = 8;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * The stored text, or what the reader has seen of it when that is more: the last words of a process that died were
 * streamed and not stored.
 */
const longerOf = (stored: string, seen: string) => (seen.startsWith(stored) ? seen : stored);

/**
 * Polls a reply until it has ended.
 * @param read the stored reply; undefined when there is none any more
 * @param seen the text that the reader has already
 * @param show receives what there is so far
 * @returns the ended reply; null when it is gone or the signal ended the wait
 * @throws CallFailure when the reader may not read it, or the service stays away
 */
export async function readReply(
  read: () => Promise<ChatMessage | undefined>,
  seen: string,
  show: (part: Partial<LiveReply>) => void,
  signal: AbortSignal,
): Promise<ChatMessage | null> {
  let text = seen;
  let quiet = QUIET_POLLS;
  for (let failures = 0; failures < POLL_FAILURES && !signal.aborted; ) {
    try {
      const reply = await read();
      if (!reply) return null;
      const content = longerOf(reply.content, text);
      if (reply.status !== "streaming") return reply.status === "failed" ? { ...reply, content } : reply;
      quiet = content === text ? quiet + 1 : 0;
      show({
        content,
        citations: reply.citations,
        phase: quiet >= QUIET_POLLS ? "reconnecting" : "writing",
      });
      text = content;
      failures = 0;
    } catch (error) {
      if (error instanceof CallFailure && error.status < 500 && error.status !== 429) throw error;
      failures += 1;
      show({ phase: "reconnecting" });
    }
    await pause(POLL_MS * Math.min(Math.max(failures, 1), LONGEST_PAUSE_POLLS));
  }
  if (signal.aborted) return null;
  throw new CallFailure(503, "UNAVAILABLE", "", "");
}
