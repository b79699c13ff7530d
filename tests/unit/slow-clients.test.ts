// Clients that stall: an unfinished body and an unread stream hold nothing open.
import { Hono } from "hono";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { limitBody } from "../../edge-functions/v1/bodies.ts";
import { eventStreamResponse } from "../../edge-functions/v1/event-stream.ts";
import { measureUpload } from "../../edge-functions/v1/files/upload.ts";
import { renderError, toApiError } from "../../edge-functions/v1/problems.ts";
import { findDeclaration } from "../../edge-functions/v1/route.ts";
import type { AppEnv } from "../../edge-functions/v1/router.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A body that starts and then stalls. */
function stall(beginning: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(beginning)),
  });
}

/** The types of Node's and the DOM's requests have no `duplex`, which a streamed body needs. */
const request = (path: string, body: ReadableStream<Uint8Array>, type: string) =>
  new Request(`http://here${path}`, {
    method: "POST",
    body,
    headers: { "Content-Type": type },
    duplex: "half",
  } as RequestInit);

test("a stalled JSON body is refused, and its call does not run", async () => {
  const made = vi.fn();
  const app = new Hono<AppEnv>();
  app.use("*", findDeclaration(app), limitBody);
  app.post("/things", (c) => {
    made();
    return c.text("made");
  });
  app.onError((error, c) => c.json({ code: toApiError(error).code }, toApiError(error).status));
  const answer = app.fetch(request("/things", stall('{"name":'), "application/json"));
  await vi.advanceTimersByTimeAsync(31_000);
  expect((await answer).status).toBe(400);
  expect(made).not.toHaveBeenCalled();
});

test("a body that breaks off is the client's failure, and no error of the platform", async () => {
  const logged = vi.spyOn(console, "error");
  const app = new Hono<AppEnv>();
  app.use("*", findDeclaration(app), limitBody);
  app.post("/things", (c) => c.text("made"));
  app.onError(renderError);
  const broken = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error("the connection was closed")),
  });
  const answer = await app.fetch(request("/things", broken, "application/json"));
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ details: [{ path: "", code: "uploadCut" }] });
  expect(logged).not.toHaveBeenCalled();
});

test("a stalled upload times out", async () => {
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nsome of it';
  const upload = measureUpload(request("/upload", stall(head), "multipart/form-data; boundary=x"));
  const refused = expect(upload).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  await vi.advanceTimersByTimeAsync(31_000);
  await refused;
});

test("an unread stream is closed, and a silent one is not", async () => {
  const ended = vi.fn();
  async function* talkative(): AsyncGenerator<string> {
    try {
      for (;;) yield "data: more\n\n";
    } finally {
      ended();
    }
  }
  const untaken = eventStreamResponse(talkative());
  await vi.advanceTimersByTimeAsync(50_000);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(ended).toHaveBeenCalledOnce();
  await expect(untaken.text()).rejects.toThrow("the reader has stalled");

  let say: ((text: string) => void) | undefined;
  async function* silent(): AsyncGenerator<string> {
    yield await new Promise<string>((resolve) => {
      say = resolve;
    });
  }
  const heard = eventStreamResponse(silent()).text();
  await vi.advanceTimersByTimeAsync(200_000);
  say?.("data: at last\n\n");
  expect(await heard).toMatch(/^(: still here\n\n)+data: at last\n\n$/);
});
