// What a chat keeps when another question is asked after one that failed to arrive.
import { expect, test } from "vitest";
import type { ChatMessage } from "../../web/pages/chats/chat.ts";
import {
  isStored,
  isUnsent,
  messagesBeforeQuestion,
  pendingQuestion,
  storedQuestion,
  unreadReply,
} from "../../web/pages/chats/unstored-messages.ts";

const makeStored = (id: string, role: ChatMessage["role"] = "user"): ChatMessage => ({
  ...pendingQuestion(id),
  id,
  role,
});
const texts = (messages: ChatMessage[]) => messages.map(({ content }) => content);
const ask = (messages: ChatMessage[], content: string, replaces?: string) => [
  ...messagesBeforeQuestion(messages, content, replaces),
  pendingQuestion(content),
];

test("a question that failed stays, and is not stored", () => {
  const asked = ask(ask([makeStored("a"), unreadReply("half")], "b"), "c");
  expect(texts(asked)).toEqual(["a", "b", "c"]);
  expect(asked.map(({ id }) => isUnsent(id))).toEqual([false, true, false]);
  expect(asked.map(isStored)).toEqual([true, false, false]);
});

test("the same question again takes its place", () => {
  expect(texts(ask(ask([makeStored("a")], "b"), "b"))).toEqual(["a", "b"]);
});

test("a question replaces a stored one with everything after it, and an unsent one alone", () => {
  const chat = [makeStored("a"), makeStored("reply", "assistant"), makeStored("b")];
  expect(texts(ask(chat, "c", "a"))).toEqual(["c"]);
  const twice = ask(ask(ask(chat, "c"), "d"), "e");
  const [, , , first] = twice;
  expect(texts(ask(twice, "f", first?.id))).toEqual(["a", "reply", "b", "d", "e", "f"]);
});

test("every unsent question has an id of its own", () => {
  let chat = ask(ask(ask([makeStored("a")], "b"), "c"), "d");
  chat = ask(chat, "e", chat[1]?.id);
  chat = ask(chat, "f");
  expect(new Set(chat.map(({ id }) => id)).size).toBe(chat.length);
});

test("a question whose answer was lost is found, and never the one that it replaces", () => {
  const newer = [makeStored("a"), makeStored("reply", "assistant"), makeStored("b")];
  expect(storedQuestion(newer, "a", undefined)?.id).toBe("a");
  expect(storedQuestion(newer, "a", "a")).toBeUndefined();
  expect(storedQuestion(newer, "reply", undefined)).toBeUndefined();
});
