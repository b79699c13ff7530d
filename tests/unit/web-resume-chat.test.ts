// A visitor's chat in the widget outlasts a failure to load it, and ends when the API refuses it.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { resumeChat } from "../../web/pages/widget/@id/resume-chat.ts";

const kept = { token: "token", chatId: "00000000-0000-4000-8000-000000000001" };
let asked: Headers[] = [];
const answering = (answer: () => Response) =>
  vi.stubGlobal("fetch", async (_url: string, init: { headers: Headers }) => {
    asked.push(init.headers);
    return answer();
  });
beforeEach(() => {
  asked = [];
  vi.stubGlobal("document", { documentElement: { lang: "en", dataset: {} } });
});
afterEach(() => vi.unstubAllGlobals());

/** Whether the visitor's token goes with the next call. */
async function isStillVisitor(): Promise<boolean> {
  await resumeChat({ ...kept, token: "" });
  const { getApi } = await import("../../web/client/call-api.ts");
  answering(() => Response.json({ data: [] }));
  await getApi("/v1/chats/{chatId}/messages", { chatId: kept.chatId });
  return asked.at(-1)?.has("x-visitor-token") ?? false;
}

test("a chat is loaded as its visitor", async () => {
  answering(() => Response.json({ data: [{ id: "m" }] }));
  expect(await resumeChat(kept)).toEqual({ messages: [{ id: "m" }], known: true });
  expect(asked[0]?.get("x-visitor-token")).toBe("token");
});

test.each([429, 500, 503])("the chat goes on after %i", async (status) => {
  answering(() => Response.json({ code: "UNAVAILABLE" }, { status }));
  expect(await resumeChat(kept)).toEqual({ messages: [], known: true, isMissing: true });
  expect(await isStillVisitor()).toBe(true);
});

test("the chat goes on when nothing answers", async () => {
  answering(() => {
    throw new TypeError("Failed to fetch");
  });
  expect(await resumeChat(kept)).toEqual({ messages: [], known: true, isMissing: true });
});

test.each([401, 403, 404])("a new chat begins after %i", async (status) => {
  answering(() => Response.json({ code: "NOT_FOUND" }, { status }));
  expect(await resumeChat(kept)).toEqual({ messages: [], known: false });
  expect(await isStillVisitor()).toBe(false);
});
