// Who may still have what a call gave before, when access may have ended since: a repeated call's answer, and the rest of a reply.
import { Hono } from "hono";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Caller } from "../../edge-functions/_shared/requests/auth.ts";
import { ApiError } from "../../edge-functions/_shared/requests/errors.ts";
import type { Declared } from "../../edge-functions/v1/route.ts";
import type { AppEnv } from "../../edge-functions/v1/router.ts";
import { stubSettings } from "../support/function-settings.ts";
import { answer, callers, reset, statements } from "../support/scripted-database.ts";

vi.mock("../../edge-functions/_shared/database/db.ts", () => import("../support/scripted-database.ts"));

let admitAgain: typeof import("../../edge-functions/v1/repeating.ts").admitAgain;
let watchAdmission: typeof import("../../edge-functions/v1/messages/admission.ts").watchAdmission;
let route: typeof import("../../edge-functions/v1/route.ts");
beforeAll(async () => {
  stubSettings();
  ({ admitAgain } = await import("../../edge-functions/v1/repeating.ts"));
  ({ watchAdmission } = await import("../../edge-functions/v1/messages/admission.ts"));
  route = await import("../../edge-functions/v1/route.ts");
});
beforeEach(reset);
afterEach(() => vi.useRealTimers());

const claims = { role: "authenticated", sub: "u" } as const;
const caller: Caller = { kind: "user", id: "u", token: "t", claims };

describe("a repeated call", () => {
  /** "in", or the refusal's code. */
  async function repeat(path: string, called: string, declared: Partial<Declared>, body?: unknown) {
    const app = new Hono<AppEnv>();
    app.use(route.findDeclaration(app));
    app.post(path, route.declare({ access: "anyone", ...declared }), async (c) => {
      c.set("caller", caller);
      c.set("isTeamAsked", true);
      await admitAgain(c, body);
      return c.text("in");
    });
    app.onError((error, c) => c.text(error instanceof ApiError ? error.code : String(error)));
    return await (await app.request(called, { method: "POST" })).text();
  }
  const values = () => statements.map((statement) => statement.values);

  test.each<[string, string, string, Partial<Declared>, unknown]>([
    ["its path", "/:teamId/agents", "/acme/agents", {}, {}],
    ["another parameter of its path", "/teams/:id", "/teams/acme", { team: "id" }, {}],
    ["its body", "/roles", "/roles", {}, { teamId: "acme" }],
  ])("needs the permission in the team of %s", async (_where, path, called, more, body) => {
    const declared = { permission: "agents.write", ...more };
    answer([{ id: "team", allowed: true }]);
    expect(await repeat(path, called, declared, body)).toBe("in");
    // Its codename, or a former one.
    expect(values()).toEqual([["agents.write", "acme", "acme"]]);
    expect(callers).toEqual([claims]);
    answer([{ id: "team", allowed: false }], []);
    expect(await repeat(path, called, declared, body)).toBe("FORBIDDEN");
    expect(await repeat(path, called, declared, body)).toBe("NOT_FOUND");
  });

  test("needs its chat", async () => {
    answer([{ agentId: "a" }]);
    expect(await repeat("/chats/:chatId/messages", "/chats/c/messages", {})).toBe("in");
    expect(values()).toEqual([["c"]]);
    expect(await repeat("/chats/:chatId/messages", "/chats/c/messages", {})).toBe("NOT_FOUND");
  });

  test.each<[string, string, string, Partial<Declared>, unknown]>([
    ["path", "/agents/:agentId/chats", "/agents/a/chats", {}, {}],
    ["body", "/completions", "/completions", { agentIn: "model" }, { model: "a" }],
  ])("needs the agent of its %s", async (_where, path, called, declared, body) => {
    answer([{}]);
    expect(await repeat(path, called, declared, body)).toBe("in");
    expect(values()).toEqual([["a", "a"]]);
    expect(await repeat(path, called, declared, body)).toBe("NOT_FOUND");
  });

  test("that names none of them needs what its transaction checks", async () => {
    for (const body of [undefined, null, "text", { teamId: 7, model: 7 }]) {
      expect(
        await repeat("/users/me", "/users/me", { permission: "team.read", agentIn: "model" }, body),
      ).toBe("in");
      expect(await repeat("/users/me", "/users/me", {}, { teamId: "acme", model: "a" })).toBe("in");
    }
    expect(statements).toEqual([]);
    expect(callers).toHaveLength(8);
  });
});

describe("the reader of a reply", () => {
  const later = (ms: number) => vi.advanceTimersByTime(ms);
  const watch = () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"], now: 1_800_000_000_000 });
    return watchAdmission(claims, async (tx) => (await tx`select 1`)[0]);
  };

  test("is looked up at most once a second, as themselves", async () => {
    const admit = watch();
    await admit();
    later(999);
    await admit();
    expect(statements).toHaveLength(0);
    answer([{}], [{}]);
    later(1);
    await admit();
    await admit();
    expect(statements).toHaveLength(1);
    expect(callers).toEqual([claims]);
    later(1_000);
    await admit();
    expect(statements).toHaveLength(2);
  });

  test("is looked up on time when the machine's clock is set back", async () => {
    const admit = watch();
    vi.setSystemTime(Date.now() - 3_600_000);
    later(1_000);
    answer([]);
    await expect(admit()).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test.each<[string, unknown[] | Error, string]>([
    ["the chat is gone", [], "NOT_FOUND"],
    ["the session ended", new ApiError("NOT_AUTHENTICATED"), "NOT_AUTHENTICATED"],
    ["Postgres refuses", Object.assign(new Error("denied"), { code: "42501" }), "FORBIDDEN"],
  ])("gets nothing more when %s", async (_why, found, code) => {
    const admit = watch();
    later(1_000);
    answer(found);
    await expect(admit()).rejects.toMatchObject({ code });
  });

  test("gets the rest while the database is briefly down, and is looked up again a second later", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const admit = watch();
    later(1_000);
    answer(Object.assign(new Error("the connection is gone"), { code: "08006" }), []);
    await admit();
    await admit();
    expect(statements).toHaveLength(1);
    expect(logged).toHaveBeenCalledOnce();
    logged.mockRestore();
    later(1_000);
    await expect(admit()).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
