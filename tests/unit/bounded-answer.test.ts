// The size limit of a service's answer: what passes, what fails, and what is left behind.
import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { boundedAnswer } from "../../edge-functions/_shared/outbound/bounded-answer.ts";

const problem = (made: Promise<unknown>) =>
  made.then(
    () => "none",
    (error: Error) => error.message,
  );

describe("a bounded answer", () => {
  const of = (text: string, maxBytes: number, signal?: AbortSignal) =>
    boundedAnswer(new Response(text, { status: 202, headers: { "x-one": "1" } }), maxBytes, signal);

  test("is unchanged up to its limit, and fails beyond it", async () => {
    const whole = of("12345", 5);
    expect([whole.status, whole.headers.get("x-one"), await whole.text()]).toEqual([202, "1", "12345"]);
    expect(await problem(of("123456", 5).text())).toBe("the answer is larger than can be taken");
  });

  test("counts all pieces together", async () => {
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of ["123", "456"]) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    });
    expect(await problem(boundedAnswer(new Response(pieces), 5, null).text())).toMatch("larger");
  });

  test("without a body is unchanged", () => {
    const empty = new Response(null, { status: 204 });
    expect(boundedAnswer(empty, 1, null)).toBe(empty);
  });

  /** An answer of these pieces, and what it was told. */
  function answerOf(pieces: string[], error?: Error) {
    const told = { pulled: 0, cancelled: undefined as unknown };
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const piece = pieces[told.pulled++];
          if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
          else if (error) controller.error(error);
          else controller.close();
        },
        cancel(reason) {
          told.cancelled = reason;
        },
      },
      { highWaterMark: 0 },
    );
    return { told, response: new Response(body) };
  }

  test("breaks off as the service's does, and is read no faster than its reader reads", async () => {
    const broken = new Error("broken");
    const { told, response } = answerOf(["one", "two"], broken);
    const reader = boundedAnswer(response, 9, null).body?.getReader();
    await new Promise((resolve) => setImmediate(resolve));
    expect(told.pulled).toBe(0);
    await reader?.read();
    expect(told.pulled).toBe(1);
    await reader?.read();
    await expect(reader?.read()).rejects.toBe(broken);
  });

  test("is no longer fetched when its reader stops", async () => {
    const { told, response } = answerOf(["one", "two"]);
    await boundedAnswer(response, 9, null).body?.cancel("enough");
    expect(told).toEqual({ pulled: 0, cancelled: "enough" });
  });

  test("that is over leaves nothing on the signal, which may outlive many calls", async () => {
    const { signal } = new AbortController();
    const waiting = () => getEventListeners(signal, "abort").length;
    const open = (maxBytes: number, error?: Error) =>
      boundedAnswer(answerOf(["one", "two"], error).response, maxBytes, signal);
    const endings = [
      () => open(6).text(),
      () => problem(open(5).text()),
      () => problem(open(6, new Error("broken")).text()),
      () => open(6).body?.cancel(),
    ];
    for (const end of endings) {
      await end();
      expect(waiting()).toBe(0);
    }
    const unread = open(6);
    expect(waiting()).toBe(1);
    await unread.body?.cancel();
  });

  test("of an aborted call fails", async () => {
    const aborted = AbortSignal.abort(new Error("stopped"));
    const { told, response } = answerOf(["one"]);
    await expect(boundedAnswer(response, 9, aborted).text()).rejects.toThrow("stopped");
    expect(told.cancelled).toMatchObject({ message: "stopped" });
  });

  test("fails when the call is aborted, though its body stalls", async () => {
    const call = new AbortController();
    const silent = boundedAnswer(new Response(new ReadableStream()), 5, call.signal).text();
    call.abort(new Error("stopped"));
    await expect(silent).rejects.toThrow("stopped");
  });
});
