// An account through /auth/v1, step by step as /v1/auth uses it, and what a browser may not call itself.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { signToken, startTestGateway, type TestGateway } from "../support/gateway.ts";
import { sayIn } from "../support/words.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const password = "a long enough password";

async function post(path: string, body: object, headers: HeadersInit = {}) {
  const response = await gateway.asService(`/auth/v1${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers,
  });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : undefined };
}

const signUp = (email: string, locale = "en") =>
  post("/signup", { email, password, data: { name: "Zoë", locale } });
const logIn = (email: string, word = password) =>
  post("/token?grant_type=password", { email, password: word });

function lastMail(email: string) {
  const mail = gateway.mails.list().findLast(({ to }) => to.some(({ address }) => address === email));
  const link = new URL(/http\S+/.exec(mail?.text ?? "")?.[0] ?? "http://no.link");
  return { subject: mail?.subject, link, code: link.searchParams.get("code") ?? "" };
}

async function confirmAccount(email: string) {
  await signUp(email);
  const { code } = lastMail(email);
  // As /v1/auth does before it redeems a code: otherwise confirming the address removes the password.
  await gateway.sql`select private.prove_registration(${email}, ${code})`;
  await post("/verify", { type: "signup", token_hash: code });
}

describe("an account", () => {
  it("is confirmed by the link in a mail in its own language, once", async () => {
    const { status, body } = await signUp("fr@x.test", "fr");
    expect(status).toBe(200);
    expect(body.identities).toHaveLength(1);
    expect(body).not.toHaveProperty("access_token");
    const { subject, link, code } = lastMail("fr@x.test");
    expect(subject).toBe(sayIn("fr")("mails:confirmation.subject"));
    expect(link.origin + link.pathname).toBe("http://127.0.0.1:3000/confirm");
    const session = await post("/verify", { type: "signup", token_hash: code });
    expect(session.body).toMatchObject({ token_type: "bearer", expires_in: 3600 });
    expect((await post("/verify", { type: "signup", token_hash: code })).body.error_code).toBe("otp_expired");
  });

  it("cannot log in before, and a wrong password reveals nothing about that", async () => {
    await signUp("new@x.test");
    expect((await logIn("new@x.test")).body.error_code).toBe("email_not_confirmed");
    expect((await logIn("new@x.test", "wrong password")).body.error_code).toBe("invalid_credentials");
    expect((await logIn("nobody@x.test")).body.error_code).toBe("invalid_credentials");
  });

  it("gets its mail again, with a code that replaces the old one", async () => {
    await signUp("again@x.test");
    const first = lastMail("again@x.test").code;
    expect(await post("/resend", { type: "signup", email: "again@x.test" })).toMatchObject({
      status: 200,
      body: {},
    });
    const second = lastMail("again@x.test").code;
    expect(second).not.toBe(first);
    expect((await post("/verify", { type: "signup", token_hash: first })).status).toBe(403);
    expect((await post("/verify", { type: "signup", token_hash: second })).status).toBe(200);
    const mails = gateway.mails.list().length;
    expect((await post("/resend", { type: "signup", email: "again@x.test" })).status).toBe(200);
    expect((await post("/resend", { type: "signup", email: "nobody@x.test" })).status).toBe(200);
    expect(gateway.mails.list()).toHaveLength(mails);
  });

  it("is not created while its mail cannot be sent, and one that exists stays", async () => {
    await signUp("waiting@x.test");
    const add = vi.spyOn(gateway.mails, "add").mockRejectedValue(new Error("the disk is full"));
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const answers = [await signUp("unsent@x.test"), await signUp("waiting@x.test")];
    add.mockRestore();
    log.mockRestore();
    expect(answers.map(({ status }) => status)).toEqual([500, 503]);
    const rows =
      await gateway.sql`select email from auth.users where email in ('unsent@x.test', 'waiting@x.test')`;
    expect(rows).toEqual([{ email: "waiting@x.test" }]);
    expect((await signUp("unsent@x.test")).body.identities).toHaveLength(1);
    expect(lastMail("unsent@x.test").code).not.toBe("");
  });

  it("that exists looks the same on a second sign-up, as on hosted Supabase", async () => {
    await signUp("twice@x.test");
    const pending = await signUp("twice@x.test");
    expect(pending.status).toBe(200);
    expect(pending.body.identities).toHaveLength(1);
    await post("/verify", { type: "signup", token_hash: lastMail("twice@x.test").code });
    const known = await signUp("TWICE@x.test");
    expect(known.status).toBe(200);
    expect(known.body.identities).toEqual([]);
    const [row] =
      await gateway.sql`select count(*)::int as count from auth.users where email = 'twice@x.test'`;
    expect(row?.count).toBe(1);
  });

  it("gets a new password by the recovery mail; its sessions can all be ended", async () => {
    await confirmAccount("lost@x.test");
    const old = (await logIn("lost@x.test")).body;
    expect(await post("/recover", { email: "lost@x.test" })).toEqual({ status: 200, body: {} });
    expect(await post("/recover", { email: "nobody@x.test" })).toEqual({ status: 200, body: {} });
    const { link, code } = lastMail("lost@x.test");
    expect(link.pathname).toBe("/forgot-password");
    const { body } = await post("/verify", { type: "recovery", token_hash: code });
    const authorization = `Bearer ${body.access_token}`;
    const changed = await gateway.asService("/auth/v1/user", {
      method: "PUT",
      headers: { authorization },
      body: JSON.stringify({ password: "another long password" }),
    });
    expect(changed.status).toBe(200);
    expect((await logIn("lost@x.test")).body.error_code).toBe("invalid_credentials");
    expect((await logIn("lost@x.test", "another long password")).status).toBe(200);
    expect((await post("/logout?scope=global", {}, { authorization })).status).toBe(204);
    const refreshed = await post("/token?grant_type=refresh_token", { refresh_token: old.refresh_token });
    expect(refreshed.status).toBe(400);
  });

  it("is created once by concurrent sign-ups", async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => signUp("crowd@x.test")));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it("has one valid token after concurrent refreshes", async () => {
    await confirmAccount("tabs@x.test");
    const { body } = await logIn("tabs@x.test");
    const refresh = (token: string) => post("/token?grant_type=refresh_token", { refresh_token: token });
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => refresh(body.refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const rows = await gateway.sql`
      select 1 from auth.refresh_tokens where not revoked and session_id =
        (select session_id from auth.refresh_tokens where token = ${body.refresh_token})`;
    expect(rows).toHaveLength(1);
  });

  it("that is banned gets no session, by password or refresh", async () => {
    await confirmAccount("banned@x.test");
    const { body } = await logIn("banned@x.test");
    await gateway.sql`update auth.users set banned_until = now() + interval '1 day' where email = 'banned@x.test'`;
    expect((await logIn("banned@x.test")).body.error_code).toBe("user_banned");
    const refreshed = await post("/token?grant_type=refresh_token", { refresh_token: body.refresh_token });
    expect(refreshed.status).toBe(400);
    const rows = await gateway.sql`
      select 1 from auth.sessions s join auth.users u on u.id = s.user_id where u.email = 'banned@x.test'`;
    expect(rows).toHaveLength(0);
  });

  it("is never created by a login code: lite would confirm any address", async () => {
    for (const path of ["/otp", "/magiclink"]) {
      expect((await post(path, { email: "otp@x.test" })).body.error_code).toBe("otp_disabled");
    }
    expect(await gateway.sql`select 1 from auth.users where email = 'otp@x.test'`).toHaveLength(0);
  });

  it("has tokens signed by its own installation only, valid for an hour", async () => {
    await confirmAccount("token@x.test");
    const { body } = await logIn("token@x.test");
    const [header = "", claims = ""] = String(body.access_token).split(".");
    const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
    expect(read(header).alg).toBe("HS256");
    expect(read(claims)).toMatchObject({ role: "authenticated", sub: body.user.id });
    expect(read(claims).exp - read(claims).iat).toBe(3600);
    const own = await fetch(`${gateway.url}/auth/v1/user`, {
      headers: { authorization: `Bearer ${body.access_token}` },
    });
    expect(await own.json()).toMatchObject({ email: "token@x.test" });
  });
});

describe("a browser", () => {
  it("may not call /v1/auth's endpoints, and gets GoTrue's error", async () => {
    const response = await fetch(`${gateway.url}/auth/v1/signup`, {
      method: "POST",
      headers: { apikey: gateway.anonKey, "content-type": "application/json" },
      body: JSON.stringify({ email: "browser@x.test", password }),
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error_code: "not_allowed" });
    expect(await gateway.sql`select 1 from auth.users where email = 'browser@x.test'`).toHaveLength(0);
  });

  it.each([
    "/_system/info",
    "//_system/info",
    "/rest/v1/../../_system/info",
    "/rest/v1/%2e%2e/%2e%2e/_system/info",
    "/rest/v1/..%2f..%2f_system/info",
  ])("gets 404 at %s", async (path) => {
    const response = await gateway.asService(path);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain("postgres");
  });

  it("may call from any origin, never with cookies", async () => {
    const headers = { origin: "https://elsewhere.test", "access-control-request-method": "GET" };
    for (const path of ["/auth/v1/user", "/rest/v1/teams", "/functions/v1/v1/teams"]) {
      const preflight = await fetch(gateway.url + path, { method: "OPTIONS", headers });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
      expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
    }
    for (const init of [{}, { method: "OPTIONS", headers: { apikey: gateway.serviceKey } }]) {
      const answer = await fetch(`${gateway.url}/auth/v1/health`, init);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    }
  });

  it("is rejected with a token that names a Postgres role", async () => {
    const token = await signToken({ role: "postgres", sub: crypto.randomUUID() });
    const response = await fetch(`${gateway.url}/rest/v1/users?select=*`, {
      headers: { apikey: gateway.anonKey, authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(401);
  });

  it("may not send more than the body limit", async () => {
    const response = await fetch(`${gateway.url}/auth/v1/signup`, {
      method: "POST",
      headers: { apikey: gateway.anonKey, "content-type": "application/json" },
      body: JSON.stringify({ email: "x".repeat(300_000) }),
    });
    expect(response.status).toBe(413);
  });
});
