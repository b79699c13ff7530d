// Follows the reply to a chat's last question: from its stream, and from the stored reply once the connection is lost, so that nothing that
// the server has sent is lost. Does not ask.
import { CallFailure } from "../../client/call-api.ts";
import { ask, type ChatMessage, messagesAfter, messagesBefore, type Question } from "./chat.ts";
import type { ChatProblem, OpenChat } from "./open-chat.ts";
import { readReply } from "./read-reply.ts";
import { isStored, PENDING, storedQuestion, unreadReply } from "./unstored-messages.ts";

/** Layout of a long reply is expensive: beyond this length it is shown in larger steps. */
const LONG_REPLY = 20_000;
const LONG_REPLY_STEP_MS = 150;

/** The reader stopped a question before it was stored. */
export const STOPPED_EARLY = "STOPPED_EARLY";
/** How long a stopped question may take to be stored. Its reply is then stopped too. */
const STORING_MS = 5_000;

export const problemOf = (error: unknown): ChatProblem =>
  error instanceof CallFailure
    ? error
    : { code: navigator.onLine ? "UNAVAILABLE" : "OFFLINE", message: "", details: [] };

function settle({ setMessages, setLive }: OpenChat, reply: ChatMessage): void {
  setMessages((now) => [...now.filter(({ id }) => id !== reply.id), reply]);
  setLive(null);
}

/** Ends the wait for a reply. What the reader has seen of it stays. */
export function endWait(open: OpenChat, failed: ChatProblem): void {
  const { unread, onceStored, setMessages, setLive, setProblem } = open;
  const { current: content } = unread;
  onceStored.current = null;
  setLive(null);
  setProblem(failed);
  if (content) setMessages((now) => [...now, unreadReply(content)]);
}

/**
 * Stops a question that the server has not stored yet: its reply as soon as it is, or the wait for it after a while.
 * The second call ends the wait at once.
 */
export function stopEarly(open: OpenChat, stop: () => void): void {
  const { connection, onceStored, setLive } = open;
  const giveUp = () => {
    connection.current?.abort();
    endWait(open, { code: STOPPED_EARLY, message: "", details: [] });
  };
  if (onceStored.current) {
    giveUp();
    return;
  }
  onceStored.current = stop;
  setLive((now) => now && { ...now, phase: "stopping" });
  setTimeout(() => onceStored.current === stop && giveUp(), STORING_MS);
}

/**
 * Reads the stored reply to its end.
 * @returns its status; undefined when there is none, or the signal ended the wait
 */
async function readOn(
  open: OpenChat,
  signal: AbortSignal,
  seen: string,
): Promise<ChatMessage["status"] | undefined> {
  const { chat, lastAsked, unread, setLive } = open;
  const { current: id } = chat;
  const { current: question } = lastAsked;
  if (!id || !question || question.id === PENDING) return void setLive(null);
  const read = async () => (await messagesAfter(id, question.id)).find(({ role }) => role === "assistant");
  unread.current = seen;
  const reply = await readReply(
    read,
    seen,
    (part) => {
      unread.current = part.content ?? unread.current;
      setLive((now) => now && { ...now, ...part });
    },
    signal,
  );
  if (signal.aborted) return undefined;
  unread.current = null;
  if (reply) settle(open, reply);
  else setLive(null);
  return reply?.status;
}

/** Continues to read a reply, after a reload or when the service did not respond for long. */
export function resumeReply(open: OpenChat, seen: string): void {
  const controller = new AbortController();
  open.connection.current = controller;
  readOn(open, controller.signal, seen).catch((error) => endWait(open, problemOf(error)));
}

function noteStored({ lastAsked, given, onceStored, setMessages }: OpenChat, question: ChatMessage): void {
  lastAsked.current = question;
  given.current.onStored?.();
  setMessages((now) => now.map((message) => (message.id === PENDING ? question : message)));
  onceStored.current?.();
  onceStored.current = null;
}

/** Whether the last question has arrived all the same. It is not asked again then: its reply is read. */
export async function hasArrived(open: OpenChat): Promise<boolean> {
  const { current: id } = open.chat;
  const { current: question } = open.lastAsked;
  if (!id || !question) return false;
  const last = open.shown.current.findLast(isStored)?.id;
  const newer = await (last ? messagesAfter(id, last) : messagesBefore(id)).catch(() => []);
  const found = storedQuestion(newer, question.content, open.toReplace.current);
  if (found) noteStored(open, found);
  return found !== undefined;
}

/** Shows a reply's text as it grows: one render per frame, however many chunks arrive. */
function textShower({ setLive }: OpenChat) {
  let text = "";
  let shownAt = 0;
  let frame = 0;
  const flush = () => {
    frame = 0;
    if (text.length > LONG_REPLY && performance.now() - shownAt < LONG_REPLY_STEP_MS) {
      frame = requestAnimationFrame(flush);
      return;
    }
    shownAt = performance.now();
    const content = text;
    setLive((now) => now && { ...now, content, phase: "writing" });
  };
  return {
    add(part: string) {
      text += part;
      frame ||= requestAnimationFrame(flush);
    },
    stop: () => cancelAnimationFrame(frame),
    text: () => text,
  };
}

/**
 * Asks, and shows the reply to its end.
 * @throws CallFailure when the question was not stored, or the reply cannot be read
 */
export async function followReply(
  open: OpenChat,
  id: string,
  question: Question,
  signal: AbortSignal,
): Promise<void> {
  const { lastAsked, setLive, setProblem } = open;
  const shower = textShower(open);
  let failure: ChatProblem | undefined;
  try {
    for await (const event of ask(id, question, signal)) {
      if (event.type === "message") {
        noteStored(open, event.message);
      } else if (event.type === "delta") {
        shower.add(event.text);
      } else if (event.type === "citations") {
        setLive((now) => now && { ...now, citations: event.citations });
      } else if (event.type === "done") {
        return settle(open, event.reply);
      } else {
        failure = { code: event.code, message: "", details: event.details ?? [] };
      }
    }
  } catch (error) {
    if (error instanceof CallFailure || (!navigator.onLine && lastAsked.current?.id === PENDING)) throw error;
    if (signal.aborted) return;
  } finally {
    shower.stop();
  }
  // The stream ended before the reply did. A question that was never stored is sent again, not polled.
  if (lastAsked.current?.id === PENDING && !(await hasArrived(open)))
    throw new CallFailure(503, "UNAVAILABLE", "", "");
  const text = shower.text();
  setLive((now) => now && { ...now, content: text, phase: "reconnecting" });
  const status = await readOn(open, signal, text);
  // Only now can it be asked again.
  if (failure && status !== "complete" && !signal.aborted) setProblem(failure);
}
