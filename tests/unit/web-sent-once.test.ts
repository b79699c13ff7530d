// What an island sends again after a lost answer: creating calls have a key, and all others change nothing the second time.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { keepKey, mayHaveArrived, noteAnswer, takeKey } from "../../web/client/repeat-keys.ts";

/** POSTs that create nothing, or that the API itself answers once. */
const REPEATABLE = {
  "/v1/teams/{teamId}/sources/{sourceId}/documents/{id}/index": "a document is queued once",
  "/v1/agents/{agentId}/chats/{chatId}/title": "sets a title",
  "/v1/agents/{agentId}/chats/{chatId}/summary": "writes the summary again",
  "/v1/agents/{agentId}/chats/{chatId}/feedback": "sets a rating",
  "/v1/chats/{chatId}/messages/{messageId}/feedback": "sets a rating",
  "/v1/chats/{chatId}/messages/{messageId}/stop": "stops what is stopped",
  "/v1/chats/{chatId}/handover": "a chat has one open handover",
};

/** The paths of a module's calls with a given start, such as `sendApi("POST", `; a path in a constant is looked up above the call. */
function pathsOf(text: string, call: RegExp): string[] {
  return [...text.matchAll(call)].map(({ index, 0: found }) => {
    const [, literal, name] = /^\s*(?:"([^"]+)"|(\w+))/.exec(text.slice(index + found.length)) ?? [];
    const constant = [...text.slice(0, index).matchAll(/const (\w+) = "(\/v1[^"]+)"/g)].findLast(
      ([, known]) => known === name,
    );
    return literal ?? constant?.[2] ?? `unknown path: ${name}`;
  });
}

test("every POST of an island that is not repeatable has an Idempotency-Key", () => {
  const texts = ["web/islands", "web/client", "web/pages"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      // Actions and data run on the server.
      .filter((file) => /\.tsx?$/.test(file) && !/(^|\/)\+/.test(file))
      .map((file) => readFileSync(`${folder}/${file}`, "utf8")),
  );
  const sent = texts.flatMap((text) => pathsOf(text, /\bsendApi\(\s*"POST",/g));
  expect([...new Set(sent)].sort()).toEqual(Object.keys(REPEATABLE).sort());
  const created = texts.flatMap((text) => pathsOf(text, /\bsendOnce\(/g));
  expect([...new Set(created)].sort()).toEqual([
    "/v1/agents/{agentId}/chats",
    "/v1/teams/{teamId}/apiKeys",
    "/v1/teams/{teamId}/handovers/settings/secret",
    "/v1/teams/{teamId}/knowledges",
    "/v1/teams/{teamId}/onboarding",
  ]);
});

test("two of the same at once have two keys, and one that got no answer has its key again", () => {
  const [first, second] = [takeKey("a chat"), takeKey("a chat")];
  expect(second).not.toBe(first);
  keepKey("a chat", first);
  expect(takeKey("another chat")).not.toBe(first);
  expect(takeKey("a chat")).toBe(first);
  expect(takeKey("a chat")).not.toBe(first);
});

test("an answer to anything forgets the keys, a failure of the service does not", () => {
  keepKey("a chat", "its key");
  for (const status of [0, 500, 503]) {
    expect(mayHaveArrived(status)).toBe(true);
    noteAnswer(status);
  }
  expect(takeKey("a chat")).toBe("its key");
  keepKey("a chat", "its key");
  noteAnswer(201);
  expect(takeKey("a chat")).not.toBe("its key");
  for (const status of [200, 401, 409]) expect(mayHaveArrived(status)).toBe(false);
});
