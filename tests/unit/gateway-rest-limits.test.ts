// The limits of /rest/v1: embedded tables, changes without a filter, and the concurrent requests of one caller.
import { setImmediate as nextTurn } from "node:timers/promises";
import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import type { Lite } from "../../supabase/local/gateway/lite.ts";
import { readCall } from "../../supabase/local/gateway/rest-calls.ts";
import {
  CallersPauses,
  CallersTurns,
  callerOf,
  refuseEmbeds,
  refuseEstimates,
  refuseNul,
  refuseUnfiltered,
  wasEnded,
} from "../../supabase/local/gateway/rest-limits.ts";
import { answerErrorsAsPostgrest, statusFor } from "../../supabase/local/gateway/rest-repairs.ts";
import { createGateway } from "../../supabase/local/gateway/server.ts";
import type { GatewaySettings } from "../../supabase/local/gateway/settings.ts";
import { jwtSecret, signToken } from "../support/gateway.ts";

/** A gateway whose rows come from `fetch`. It uses nothing else of lite for them, and of its settings the secret alone. */
const gatewayOver = (fetch: () => Promise<Response>) =>
  // Neither has its other parts.
  createGateway({ jwtSecret } as GatewaySettings, { app: { fetch } } as unknown as Lite);

describe("embedded tables", () => {
  const isRefused = (select: string) => refuseEmbeds(new URLSearchParams({ select })) !== undefined;

  it.each(["", "*", "id,name", "name,knowledge_sources(source_id)", "a(id),b(id),c(id),d(id),e(id)"])(
    "may be one level deep: %s",
    (select) => expect(isRefused(select)).toBe(false),
  );

  it.each(["a(b(id))", "a(id),b(id),c(id),d(id),e(id),f(id)", "...a(...b(id))", 'a("x",b(id))'])(
    "may not be deeper or more: %s",
    (select) => expect(isRefused(select)).toBe(true),
  );

  it("count in every select of a request, and parentheses in a quoted name do not", () => {
    expect(refuseEmbeds(new URLSearchParams("select=id&select=a(b(id))"))).toBeDefined();
    expect(isRefused('"a(b(c(" ,d(id)')).toBe(false);
  });
});

describe("a count", () => {
  const isRefused = (prefer?: string) =>
    refuseEstimates(new Headers(prefer === undefined ? {} : { prefer })) !== undefined;

  it.each(["count=planned", "count=estimated", 'return=minimal, Count = "planned"'])(
    "is no estimate of everybody's rows: %s",
    (prefer) => expect(isRefused(prefer)).toBe(true),
  );

  it.each([undefined, "", "count=exact", "return=representation"])("may be exact: %s", (prefer) =>
    expect(isRefused(prefer)).toBe(false),
  );
});

describe("a query", () => {
  it.each(["%00=eq.1", "order=a%00", 'select="a%00"', "name=eq.a%00b"])("has no NUL: %s", (query) => {
    expect(refuseNul(new URLSearchParams(query))).toMatchObject({ status: 400, code: "22021" });
  });

  it.each(["", "name=eq.%2500", "name=eq.\\u0000"])("has other text: %s", (query) => {
    expect(refuseNul(new URLSearchParams(query))).toBeUndefined();
  });
});

describe("a change of rows", () => {
  const isRefused = (method: string, query: string) =>
    refuseUnfiltered(method, readCall(new Request(`http://localhost/rest/v1/agents?${query}`)).call) !==
    undefined;

  const shapes = [
    "",
    "select=id",
    "limit=1&order=id",
    "columns=name",
    "apikey=x",
    "sources.limit=1",
    "sources.id=eq.1",
  ];
  it.each(shapes)("names them: %s", (query) => {
    expect(isRefused("DELETE", query)).toBe(true);
    expect(isRefused("PATCH", query)).toBe(true);
    expect(isRefused("GET", query)).toBe(false);
    expect(isRefused("POST", query)).toBe(false);
  });

  it.each(["id=eq.1", "select=id&name=like.a*", "or=(id.eq.1,id.eq.2)"])("with a filter: %s", (query) => {
    expect(isRefused("DELETE", query)).toBe(false);
    expect(isRefused("PATCH", query)).toBe(false);
  });
});

describe("a caller's requests", () => {
  it("run two at a time beside others', and are refused when they would wait too long", async () => {
    const turns = new CallersTurns();
    let running = 0;
    let most = 0;
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await finished;
      running -= 1;
      return "done";
    };
    const all = Array.from({ length: 53 }, () => turns.run("me", work));
    expect(await Promise.race(all)).toBeUndefined();
    expect(await turns.run("somebody else", async () => "at once")).toBe("at once");
    finish();
    expect((await Promise.all(all)).filter((one) => one === "done")).toHaveLength(52);
    expect(most).toBe(2);
    expect(await turns.run("me", async () => "again")).toBe("again");
  });

  it("take the place of one that is done, and of no other", async () => {
    const turns = new CallersTurns();
    const running = new Set<string>();
    const end = new Map<string, () => void>();
    const start = (name: string) =>
      turns.run("me", async () => {
        running.add(name);
        await new Promise<void>((resolve) => end.set(name, resolve));
        running.delete(name);
      });
    const first = start("first");
    const rest = [start("second")];
    end.get("first")?.();
    await first;
    rest.push(start("third"), start("fourth"));
    await nextTurn();
    expect([...running]).toEqual(["second", "third"]);
    for (const name of ["second", "third", "fourth"]) {
      end.get(name)?.();
      await nextTurn();
    }
    await Promise.all(rest);
  });

  it("continue after a failed one", async () => {
    const turns = new CallersTurns();
    const fail = () => turns.run("me", () => Promise.reject(new Error("lost")));
    const all = await Promise.allSettled([fail(), fail(), fail(), turns.run("me", async () => "fine")]);
    expect(all.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected", "fulfilled"]);
  });

  it("are grouped by caller", async () => {
    const callers = await Promise.all(
      [{ sub: "a" }, { sub: "b" }, { api_key_id: "a" }, { visitor_id: "a" }, {}].map(async (claims) => {
        const token = await signToken({ role: "authenticated", ...claims });
        return callerOf({ role: "authenticated", keyRole: null, token });
      }),
    );
    expect(new Set(callers).size).toBe(5);
  });
});

describe("a caller whose statement was ended at the limit", () => {
  it("pauses, twice as long each time, up to an hour", () => {
    const pauses = new CallersPauses();
    let now = 0;
    const waits = Array.from({ length: 9 }, () => {
      pauses.pause("me", now);
      // Another one of theirs, which ran at the same time.
      pauses.pause("me", now + 1);
      const seconds = pauses.secondsLeft("me", now);
      expect(pauses.secondsLeft("somebody else", now)).toBe(0);
      now += seconds * 1000;
      expect(pauses.secondsLeft("me", now)).toBe(0);
      return seconds;
    });
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
    now += 2 * 3_600_000;
    pauses.pause("somebody else", now);
    pauses.pause("me", now);
    expect(pauses.secondsLeft("me", now)).toBe(30);
  });

  it.each([
    ["57014", 503, 8100, true],
    ["CONNECTION_CLOSED", 503, 9000, true],
    ["53300", 503, 15_000, false],
    ["CONNECTION_CLOSED", 503, 200, false],
    ["23514", 400, 9000, false],
  ])("is recognized: %s, %i after %i ms", async (code, status, ms, expected) => {
    expect(await wasEnded(Response.json({ code }, { status }), ms)).toBe(expected);
  });

  it("is refused by the gateway, and nobody else is", async () => {
    const now = performance.now.bind(performance);
    let ahead = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + ahead);
    const fetch = async () => {
      ahead += 8100;
      return Response.json({ code: "57014" }, { status: 503 });
    };
    const gateway = gatewayOver(fetch);
    const read = async (sub: string) => {
      const authorization = `Bearer ${await signToken({ role: "authenticated", sub })}`;
      const answer = await gateway.request("/rest/v1/documents", { headers: { authorization } });
      return [answer.status, answer.headers.get("retry-after")];
    };
    expect(await read("me")).toEqual([503, null]);
    expect(await read("me")).toEqual([429, "30"]);
    expect(await read("somebody else")).toEqual([503, null]);
    clock.mockRestore();
  });
});

it("a caller who has left is no error of the gateway", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  const fetch = async () => {
    throw new Error("aborted");
  };
  const gateway = gatewayOver(fetch);
  const authorization = `Bearer ${await signToken({ role: "authenticated", sub: "me" })}`;
  const read = async (signal?: AbortSignal) =>
    (await gateway.request("/rest/v1/documents", { headers: { authorization }, signal })).status;
  expect(await read(AbortSignal.abort())).toBe(499);
  expect(logged).not.toHaveBeenCalled();
  expect(await read()).toBe(503);
  expect(logged).toHaveBeenCalledOnce();
  logged.mockRestore();
});

it.each([
  ["23514", 400],
  ["23505", 409],
  ["P0001", 400],
  ["P0404", 500],
  ["53300", 503],
  ["57014", 503],
  ["0LP01", 403],
  ["CONNECTION_CLOSED", 503],
])("the code %s is the status %i", (code, status) => expect(statusFor(code)).toBe(status));

describe("a statement that Postgres rejects", () => {
  it.each([
    ["select * from notes where body ~ $1", "invalid memory alloc request size 4229307300", "2201B"],
    ["select * from notes where body ~* $1", "invalid memory alloc request size 4229307300", "2201B"],
    ["select * from notes where id = $1", "invalid memory alloc request size 4229307300", "XX000"],
    // The size that a damaged value has.
    [
      "select * from notes where body ~ $1",
      "invalid memory alloc request size 18446744073709551613",
      "XX000",
    ],
    ["select * from notes where body ~ $1", "missing chunk number 0 for toast value 1", "XX000"],
  ])(
    "as an internal error stays one, unless its regular expression is to blame: %s, %s",
    (query, message, code) => {
      const log = vi.spyOn(console, "error").mockImplementation(() => {});
      const connection = { normalizeDbError: (thrown: unknown) => thrown };
      answerErrorsAsPostgrest(connection);
      const thrown = Object.assign(new Error(message), { code: "XX000", query });
      const answered = JSON.stringify(connection.normalizeDbError(thrown), ["message", "detail"]);
      expect(answered).toContain(code === "XX000" ? "failed inside the database" : code);
      const logged = log.mock.calls.map(([line]) => JSON.parse(line));
      const time = expect.any(String);
      expect(logged).toEqual(
        code === "XX000" ? [{ time, level: "error", process: "gateway", message, code }] : [],
      );
      log.mockRestore();
    },
  );

  it.each(["23514", "42501"])("with %s is logged by its code, without the row's values", (code) => {
    const connection = { normalizeDbError: (thrown: unknown) => thrown };
    answerErrorsAsPostgrest(connection);
    const detail = "Failing row contains (a secret).";
    const answered = connection.normalizeDbError(Object.assign(new Error("refused"), { code, detail }));
    const { message } = answered as Error;
    expect(message).toContain(code.startsWith("53") ? "busy" : "refused");
    expect(JSON.parse(inspect(answered))).toEqual({
      time: expect.any(String),
      level: "info",
      process: "gateway",
      message: "a statement was refused",
      code,
    });
  });
});
