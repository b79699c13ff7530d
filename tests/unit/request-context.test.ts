// A request's id: whose header is trusted, and that all its work, and no other, has the id.
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { log } from "../../edge-functions/_shared/operation/log.ts";
import {
  applicationName,
  currentRequestId,
  requestIdHeader,
  requestIdOf,
  withinRequest,
} from "../../edge-functions/_shared/requests/request-context.ts";
import { handler } from "../../edge-functions/indexing/server.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const idFor = (given: string) => requestIdOf(new Headers({ "X-Request-Id": given }));

test.each(["0193a5e0-7b1a-7cc0-8f3e-2f6d0c1a9b42", "deploy_42", "a".repeat(48)])(
  "a caller's plain id is kept: %s",
  (given) => {
    expect(idFor(given)).toBe(given);
  },
);

test.each([
  ["short", "seven77"],
  ["long", "a".repeat(49)],
  ["an API key", `prl_abcdefgh_${"k".repeat(43)}`],
  ["an e-mail address", "ada@example.com"],
  ["SQL", "x'; drop table agents"],
  ["a token", "eyJhbGciOi.eyJzdWIi.c2lnbmF0dXJl"],
  ["two of them", "deploy-42, deploy-43"],
])("any other value is replaced: %s", (_what, given) => {
  expect(idFor(given)).toMatch(uuid);
});

test("two concurrent requests keep their own id, in work that they start as well", async () => {
  const runWithin = (requestId: string) =>
    withinRequest({ requestId }, async () => {
      await nextTurn();
      const later = new Promise((resolve) => setTimeout(() => resolve(currentRequestId()), 1));
      return [currentRequestId(), await later, applicationName(), requestIdHeader()];
    });
  const [one, two] = await Promise.all([runWithin("request-one"), runWithin("request-two")]);
  expect(one).toEqual([
    "request-one",
    "request-one",
    "parley request-one",
    { "X-Request-Id": "request-one" },
  ]);
  expect(two).toEqual([
    "request-two",
    "request-two",
    "parley request-two",
    { "X-Request-Id": "request-two" },
  ]);
  expect([currentRequestId(), applicationName(), requestIdHeader()]).toEqual([undefined, "parley", {}]);
});

test("the longest name is not truncated by Postgres", () => {
  withinRequest({ requestId: idFor("a".repeat(48)) }, () => {
    expect(applicationName()).toHaveLength("parley ".length + 48);
    expect(applicationName().length).toBeLessThan(64);
  });
});

test("a log line has the id of its request", async () => {
  vi.useFakeTimers();
  const written = vi.spyOn(console, "log").mockImplementation(() => {});
  withinRequest({ requestId: "request-one" }, () => log("info", "within"));
  log("info", "without");
  vi.runAllTimers();
  vi.useRealTimers();
  const lines = written.mock.calls.flatMap(([text]) =>
    String(text)
      .split("\n")
      .map((line) => JSON.parse(line)),
  );
  written.mockRestore();
  expect(lines.map(({ message, requestId }) => [message, requestId])).toEqual([
    ["within", "request-one"],
    ["without", undefined],
  ]);
});

test("the indexing function answers with the caller's id", async () => {
  const serve = handler({ tick: async () => ({ claimed: 0, slices: 0, more: false }) });
  const call = (headers: Record<string, string>) =>
    serve(new Request("http://functions/indexing", { headers }));
  expect((await call({ "X-Request-Id": "request-one" })).headers.get("x-request-id")).toBe("request-one");
  expect((await call({})).headers.get("x-request-id")).toMatch(uuid);
});
