// Ending a reply while the database is away. tests/v1/messages.test.ts covers what is stored.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { closeReply, type Ending } from "../../edge-functions/v1/messages/reply-store.ts";
import { answer, reset, statements } from "../support/scripted-database.ts";

vi.mock("../../edge-functions/_shared/database/db.ts", () => import("../support/scripted-database.ts"));

beforeEach(() => {
  reset();
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

const ending: Ending = {
  status: "complete",
  content: "27 days [1]",
  citations: [],
  unanswered: false,
  usage: null,
  searchedFor: null,
  support: null,
  suggestions: [],
  error: null,
  passages: [],
};
const row = {
  id: "reply",
  content: ending.content,
  rating: null,
  comment: null,
  authorName: null,
  error: null,
};
const failure = (code: string) => Object.assign(new Error(code), { code });

test("a reply that ends while the database restarts is stored once it is back", async () => {
  answer(failure("EPIPE"), ...Array.from({ length: 8 }, () => failure("ECONNREFUSED")), [row]);
  const closed = closeReply("reply", ending);
  await vi.runAllTimersAsync();
  expect(await closed).toMatchObject({ id: "reply", content: "27 days [1]" });
});

test("a database that stays away, or refuses the reply, ends the wait", async () => {
  answer(...Array.from({ length: 30 }, () => failure("57P03")));
  const away = expect(closeReply("reply", ending)).rejects.toThrow("57P03");
  await vi.runAllTimersAsync();
  await away;
  expect(statements).toHaveLength(24);
  reset();
  answer(failure("23502"));
  await expect(closeReply("reply", ending)).rejects.toThrow("23502");
  expect(statements).toHaveLength(1);
});
