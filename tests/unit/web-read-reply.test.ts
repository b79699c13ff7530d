// Reading on after a lost connection: nothing that the reader has seen goes away, and a wait is explained.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CallFailure } from "../../web/client/call-api.ts";
import type { ChatMessage } from "../../web/pages/chats/chat.ts";
import { readReply } from "../../web/pages/chats/read-reply.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const seen = "Everyone has 27 days of paid leave";
const reply = (content: string, status: ChatMessage["status"] = "streaming"): ChatMessage => ({
  id: "reply",
  role: "assistant",
  content,
  status,
  citations: [],
  feedback: null,
});
const away = new CallFailure(503, "UNAVAILABLE", "", "");

/** Reads what the service answers by turns, the last of it from then on. */
async function follow(...answers: (ChatMessage | CallFailure | undefined)[]) {
  const shown: string[] = [];
  const read = async () => {
    const next = answers.length > 1 ? answers.shift() : answers[0];
    if (next instanceof CallFailure) throw next;
    return next;
  };
  const show = ({ phase, content }: { phase?: string; content?: string }) =>
    shown.push(`${phase}: ${content ?? ""}`);
  const ended = readReply(read, seen, show, new AbortController().signal).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return { shown, ended: await ended };
}

test("a reply whose process died keeps the words that were not stored", async () => {
  const stored = "Everyone has";
  const { shown, ended } = await follow(reply(stored), reply(stored), reply(stored, "failed"));
  expect(shown).toEqual([`reconnecting: ${seen}`, `reconnecting: ${seen}`]);
  expect(ended).toEqual(reply(seen, "failed"));
});

test("a reply that goes on is shown as it grows, and as it is stored at its end", async () => {
  const { shown, ended } = await follow(
    reply(`${seen} per`),
    away,
    reply(`${seen} per year.`),
    reply("27 days.", "complete"),
  );
  expect(shown).toEqual([`writing: ${seen} per`, "reconnecting: ", `writing: ${seen} per year.`]);
  expect(ended).toEqual(reply("27 days.", "complete"));
});

test("a silent reply says that the rest is awaited", async () => {
  const { shown } = await follow(
    reply(`${seen} per`),
    ...Array.from({ length: 9 }, () => reply(`${seen} per`)),
    undefined,
  );
  expect(shown.at(1)).toMatch(/^writing/);
  expect(shown.at(-1)).toMatch(/^reconnecting/);
});

test("a service that is away for a minute is waited for, a refusal and a longer outage end the wait", async () => {
  const started = Date.now();
  expect((await follow(away)).ended).toMatchObject({ status: 503 });
  expect(Date.now() - started).toBeGreaterThan(60_000);
  expect((await follow(new CallFailure(404, "NOT_FOUND", "", ""))).ended).toMatchObject({ status: 404 });
});
