// Which callers each kind of access admits: every caller against every kind.
import { Hono } from "hono";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Caller } from "../../edge-functions/_shared/requests/auth.ts";
import { ApiError } from "../../edge-functions/_shared/requests/errors.ts";
import type { Access } from "../../edge-functions/v1/access.ts";
import type { AppEnv } from "../../edge-functions/v1/router.ts";
import { stubSettings } from "../support/function-settings.ts";
import { answer, callers, reset } from "../support/scripted-database.ts";

vi.mock("../../edge-functions/_shared/database/db.ts", () => import("../support/scripted-database.ts"));

let admit: typeof import("../../edge-functions/v1/access.ts").admit;
beforeAll(async () => {
  stubSettings();
  ({ admit } = await import("../../edge-functions/v1/access.ts"));
});
beforeEach(reset);

const claims = { role: "authenticated", sub: "u" } as const;
const user: Caller = { kind: "user", id: "u", token: "t", claims };
const everyone: Record<string, Caller> = {
  anonymous: { kind: "anonymous", claims: { role: "anon" } },
  visitor: { kind: "visitor", id: "v", claims: { role: "anon", visitor_id: "v" } },
  apiKey: {
    kind: "apiKey",
    id: "k",
    teamId: "t",
    claims: { role: "authenticated", api_key_id: "k", team_id: "t" },
  },
  service: { kind: "service", claims: { role: "service_role" } },
  user,
};

/** A call's outcome: "in", or its refusal's code; and the caller that the call sees. */
async function outcome(access: Access, caller: Caller): Promise<{ code: string; caller?: Caller }> {
  let seen: Caller | undefined;
  const app = new Hono<AppEnv>();
  app.get("/", async (c) => {
    c.set("caller", caller);
    await admit(access, c);
    seen = c.var.caller;
    return c.text("in");
  });
  app.onError((error, c) => c.text(error instanceof ApiError ? error.code : String(error)));
  return { code: await (await app.request("/")).text(), caller: seen };
}

const all = (anonymous: string, visitor: string, apiKey: string, service: string, person: string) => ({
  anonymous,
  visitor,
  apiKey,
  service,
  user: person,
});
const [out, no, gone] = ["NOT_AUTHENTICATED", "FORBIDDEN", "NOT_FOUND"];

test.each([
  ["open", all("in", "in", "in", "in", "in")],
  ["anyone", all("in", "in", "in", "in", "in")],
  ["someone", all(out, "in", "in", "in", "in")],
  ["account", all(out, out, "in", "in", "in")],
  ["user", all(out, out, no, out, "in")],
  ["operator", all(out, out, no, "in", no)],
  ["platformAdmin", all(gone, gone, gone, gone, gone)],
] as [Access, Record<string, string>][])("%s", async (access, expected) => {
  for (const [name, caller] of Object.entries(everyone)) {
    reset();
    answer([{ isAdmin: false, is_admin: false }]);
    expect([name, (await outcome(access, caller)).code]).toEqual([name, expected[name]]);
  }
});

test("a platform admin is an operator, and acts as admin only in the calls of platform admins", async () => {
  const atWork = { ...claims, admin: true };
  for (const access of ["operator", "platformAdmin"] as const) {
    reset();
    answer([{ isAdmin: true }]);
    const { code, caller } = await outcome(access, user);
    expect(code).toBe("in");
    expect(callers).toEqual([atWork]);
    expect(caller).toEqual(access === "operator" ? user : { ...user, claims: atWork });
  }
});

test("no other caller acts as a platform admin, whatever the database says of it", async () => {
  for (const [name, caller] of Object.entries(everyone)) {
    if (caller.kind === "user") continue;
    reset();
    answer([{ isAdmin: true }]);
    expect([name, (await outcome("platformAdmin", caller)).code]).toEqual([name, "NOT_FOUND"]);
    expect(callers).toEqual([]);
  }
});
