// The functions' settings: empty variables, accepted project keys, and a changed SECRETS_KEY.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readEnv } from "../../edge-functions/_shared/env.ts";

const legacy = { SUPABASE_ANON_KEY: "eyJanon", SUPABASE_SERVICE_ROLE_KEY: "eyJservice" };
const newer = {
  SUPABASE_PUBLISHABLE_KEYS: '{"default":"sb_publishable_1","web":"sb_publishable_2"}',
  SUPABASE_SECRET_KEYS: '{"default":"sb_secret_1"}',
};
const rest = {
  SUPABASE_DB_URL: "postgres://hosted",
  SUPABASE_URL: "https://x.supabase.co",
  WEB_URL: "https://app.example.com",
  SECRETS_KEY: "a".repeat(32),
};

describe("settings", () => {
  test("an empty variable counts as missing", () => {
    const empty = {
      DATABASE_URL: "",
      OPENAI_MODEL: "",
      SLACK_API_URL: "",
      STORAGE_TIMEOUT_SECONDS: " ",
      PORT: "",
    };
    const read = readEnv({ ...rest, ...legacy, ...empty });
    expect(read).toMatchObject({
      DATABASE_URL: "postgres://hosted",
      SLACK_API_URL: "https://slack.com/api",
      STORAGE_TIMEOUT_SECONDS: 20,
    });
    expect(read.OPENAI_MODEL).toBeUndefined();
    expect(read.PORT).toBeUndefined();
  });

  test("project keys are of the new kind, legacy, or both", () => {
    expect(readEnv({ ...rest, ...legacy })).toMatchObject({
      publicKeys: ["eyJanon"],
      serviceKeys: ["eyJservice"],
    });
    expect(readEnv({ ...rest, ...newer })).toMatchObject({
      publicKeys: ["sb_publishable_1", "sb_publishable_2"],
      serviceKeys: ["sb_secret_1"],
    });
    expect(readEnv({ ...rest, ...newer, ...legacy }).serviceKeys).toEqual(["sb_secret_1", "eyJservice"]);
  });

  test.each([
    [{ ...legacy, SECRETS_KEY: "short" }, "SECRETS_KEY"],
    [{ ...legacy, SECRETS_KEY: `${"a".repeat(32)},short` }, "SECRETS_KEY"],
    [{ SUPABASE_ANON_KEY: "eyJanon" }, "SUPABASE_SECRET_KEYS"],
    [{ ...newer, SUPABASE_SECRET_KEYS: "sb_secret_1" }, "SUPABASE_SECRET_KEYS"],
    [{ ...legacy, DATABASE_POOL_SIZE: "many" }, "DATABASE_POOL_SIZE"],
    [{ ...legacy, WEB_URL: "" }, "WEB_URL"],
  ])("an invalid setting is named, without its value: %j", (wrong, name) => {
    expect(() => readEnv({ ...rest, ...wrong })).toThrow(
      new Error(`These settings are missing or malformed: ${name}. See .env.example.`),
    );
  });
});

/** Loads the modules as a process with these settings does. */
async function load(settings: Record<string, string>) {
  vi.resetModules();
  for (const [name, value] of Object.entries({ ...rest, ...settings })) vi.stubEnv(name, value);
  const [keys, secrets, auth] = await Promise.all([
    import("../../edge-functions/_shared/requests/platform-keys.ts"),
    import("../../edge-functions/_shared/secrets/secrets.ts"),
    import("../../edge-functions/_shared/requests/auth.ts"),
  ]);
  return { ...keys, ...secrets, ...auth };
}

beforeEach(() => {
  for (const name of [...Object.keys(legacy), ...Object.keys(newer)]) vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

describe("a project's keys", () => {
  test("are bearer tokens when legacy, and never when of the newer kind", async () => {
    expect((await load(legacy)).platformHeaders()).toEqual({
      apikey: "eyJservice",
      Authorization: "Bearer eyJservice",
    });
    const { platformHeaders } = await load(newer);
    expect(platformHeaders()).toEqual({ apikey: "sb_secret_1" });
    expect(platformHeaders("token")).toEqual({ apikey: "sb_secret_1", Authorization: "Bearer token" });
  });

  test("identify the service in either header, and nobody else", async () => {
    const { authenticate, isFromService } = await load({ ...newer, ...legacy });
    const apikey = (key: string) => new Headers({ apikey: key });
    const bearer = (key: string) => new Headers({ authorization: `Bearer ${key}` });
    for (const shown of [apikey("sb_secret_1"), bearer("eyJservice")]) {
      expect(isFromService(shown)).toBe(true);
      expect((await authenticate(shown)).kind).toBe("service");
    }
    const others = [new Headers(), apikey("sb_publishable_1"), apikey("sb_secret_"), bearer("eyJservic")];
    for (const shown of others) expect(isFromService(shown)).toBe(false);
    expect((await authenticate(bearer("sb_publishable_2"))).kind).toBe("anonymous");
  });
});

describe("a changed SECRETS_KEY", () => {
  const [old, fresh] = ["o".repeat(32), "n".repeat(32)];

  test("opens what the earlier key sealed, and seals with the new one", async () => {
    const before = await load({ ...legacy, SECRETS_KEY: old });
    const sealed = before.seal("secret", "source:1");
    const token = await before.signVisitorToken("019a0000-0000-7000-8000-000000000001");
    const both = await load({ ...legacy, SECRETS_KEY: `${fresh},${old}` });
    expect(both.unseal(sealed, "source:1")).toBe("secret");
    expect((await both.authenticate(new Headers({ "x-visitor-token": token }))).kind).toBe("visitor");
    const resealed = both.seal("secret", "source:1");

    const after = await load({ ...legacy, SECRETS_KEY: fresh });
    expect(after.unseal(resealed, "source:1")).toBe("secret");
    expect(() => after.unseal(sealed, "source:1")).toThrow();
    await expect(after.authenticate(new Headers({ "x-visitor-token": token }))).rejects.toMatchObject({
      code: "NOT_AUTHENTICATED",
    });
  });

  test("opens nothing for another context", async () => {
    const { seal, unseal } = await load({ ...legacy, SECRETS_KEY: `${fresh},${old}` });
    expect(() => unseal(seal("secret", "source:1"), "source:2")).toThrow();
  });
});
