// Storage keeps an upload's content type: one that no client means is refused before its bytes are stored.
import { expect, test, vi } from "vitest";
import type { Lite } from "../../supabase/local/gateway/lite.ts";
import { serveStorage } from "../../supabase/local/gateway/storage-answers.ts";

const put = async (type: string) => {
  const store = vi.fn(() => new Response("{}"));
  const request = new Request("http://gateway.test/storage/v1/object/files/x", {
    method: "PUT",
    headers: { "content-type": type },
    body: "bytes",
  });
  // Only what serveStorage() calls.
  const lite = { app: { fetch: store } } as unknown as Lite;
  const { status } = await serveStorage(request, lite);
  return { status, isStored: store.mock.calls.length > 0 };
};

test("a content type of thousands of characters is refused", async () => {
  expect(await put(`text/${"x".repeat(9_000)}`)).toEqual({ status: 400, isStored: false });
  expect(await put("text/plain; charset=utf-8")).toEqual({ status: 200, isStored: true });
});
