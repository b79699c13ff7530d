// Accounts: registration, confirmation, recovery, refresh tokens, and forged access tokens.
import { createHash } from "node:crypto";
import { SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { anyone, as, codeIn, mailsTo, mailTo, newPerson, owner, uniqueEmail } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { findStack } from "../support/stack.ts";

const password = "correct-horse-1";
const login = (email: string, given = password) =>
  anyone.post("/v1/auth/login", { email, password: given, deviceId: "app" });

async function register(extra: Record<string, string> = {}) {
  const email = uniqueEmail();
  const answer = await anyone.post("/v1/auth/register", {
    name: "Ada",
    email,
    password,
    deviceId: "app",
    ...extra,
  });
  return { email, answer };
}

async function confirm() {
  const { email } = await register();
  const code = codeIn(await mailTo(email));
  const answer = await anyone.get(`/v1/auth/confirm?code=${code}&username=${encodeURIComponent(email)}`);
  expect(answer.status).toBe(200);
  return { email, code };
}

describe("registering", () => {
  test("leads from the form through the mailbox to the account", async () => {
    const { email, answer } = await register();
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      user: expect.objectContaining({ name: "Ada", email, locale: "en", isAdmin: false }),
      confirmationRequired: true,
    });
    expect(await login(email)).toMatchObject({ status: 403, body: { code: "USER_NOT_CONFIRMED" } });
    expect(await login(email, "wrong-wrong")).toMatchObject({
      status: 401,
      body: { code: "USER_NOT_AUTHORIZED" },
    });

    const code = codeIn(await mailTo(email));
    const { webUrl } = await findStack();
    const query = new URLSearchParams({ code, username: email, redirectUrl: `${webUrl}/login?confirmed` });
    const answered = await anyone.get(`/v1/auth/confirm?${query}`);
    expect(answered.status).toBe(302);
    expect(answered.headers.get("location")).toBe(`${webUrl}/login?confirmed`);
    expect((await anyone.get(`/v1/auth/confirm?${query}`)).status).toBe(400);

    const session = await login(email);
    expect(session.status).toBe(200);
    expect(session.body).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresIn: expect.any(Number),
      user: answer.body.user,
    });
    expect((await as(session.body.accessToken).get("/v1/auth/me")).body).toEqual(answer.body.user);
  });

  test("rejects a taken email, in any case", async () => {
    const person = await newPerson();
    for (const email of [person.email, person.email.toUpperCase()]) {
      expect(
        await anyone.post("/v1/auth/register", { name: "Eve", email, password, deviceId: "app" }),
      ).toMatchObject({
        status: 409,
        body: { code: "USER_EXISTS" },
      });
    }
  });

  test("of one email by two at once creates one account, with the winner's password", async () => {
    const email = uniqueEmail();
    const passwords = ["first-password-1", "second-password-2"];
    const answers = await Promise.all(
      passwords.map((one) =>
        anyone.post("/v1/auth/register", { name: "A", email, password: one, deviceId: "app" }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const winner = passwords[answers.findIndex(({ status }) => status === 201)] ?? "";
    // Nobody can tell which of the two reads the mailbox.
    expect((await login(email, winner)).body.code).toBe("USER_NOT_VERIFIED");
  });

  test("sends the mail in the chosen language", async () => {
    const { email } = await register({ locale: "fr" });
    expect((await mailTo(email)).subject).toContain("Confirmez");
  });

  test.each([
    ["a short password", { password: "seven77" }, "password"],
    ["a long password", { password: "x".repeat(73) }, "password"],
    ["no e-mail", { email: "nobody" }, "email"],
    ["an empty name", { name: "  " }, "name"],
    ["another device", { deviceId: "toaster" }, "deviceId"],
    ["an unknown field", { isAdmin: true }, "isAdmin"],
  ])("is refused with %s", async (_what, change, path) => {
    const body = { name: "Ada", email: uniqueEmail(), password, deviceId: "app", ...change };
    const { status, body: answer } = await anyone.post("/v1/auth/register", body);
    expect(status).toBe(400);
    expect(answer).toMatchObject({ code: "VALIDATION_FAILED", requestId: expect.any(String) });
    expect(answer.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });
});

describe("confirming", () => {
  test("never redirects to another site", async () => {
    for (const redirectUrl of ["https://evil.example/", "//evil.example", "javascript:alert(1)", "x"]) {
      const { email } = await register();
      const query = new URLSearchParams({ code: codeIn(await mailTo(email)), username: email, redirectUrl });
      const answer = await anyone.get(`/v1/auth/confirm?${query}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("location")).toBeNull();
    }
  });

  test("rejects a wrong code and another user's code", async () => {
    const { email } = await register();
    const other = await register();
    for (const code of ["0123456789", codeIn(await mailTo(other.email))]) {
      const wrong = await anyone.get(`/v1/auth/confirm?code=${code}&username=${encodeURIComponent(email)}`);
      expect(wrong).toMatchObject({ status: 400, body: { details: [{ path: "code" }] } });
    }
    expect((await login(email)).body.code).toBe("USER_NOT_CONFIRMED");
    // The other user's code was not used up, and confirms their own password.
    const query = new URLSearchParams({ code: codeIn(await mailTo(other.email)), username: other.email });
    expect((await anyone.get(`/v1/auth/confirm?${query}`)).status).toBe(200);
    expect((await login(other.email)).status).toBe(200);
  });

  test("can be requested again, and the new code works", async () => {
    const { email } = await register();
    const first = codeIn(await mailTo(email));
    expect((await anyone.post("/v1/auth/resendConfirm", { name: email })).status).toBe(202);
    const second = codeIn(await mailTo(email, (mail) => codeIn(mail) !== first));
    const answer = await anyone.get(`/v1/auth/confirm?code=${second}&username=${encodeURIComponent(email)}`);
    expect(answer.status).toBe(200);
  });
});

describe("a forgotten password", () => {
  test("is replaced with a mailed code, and every session ends", async () => {
    const { email } = await confirm();
    const before = await login(email);
    expect((await anyone.post("/v1/auth/forgotPassword", { email })).status).toBe(202);
    const code = codeIn(await mailTo(email, ({ text }) => text.includes("forgot-password")));
    const body = { code, username: email, password: "another-horse-2" };
    expect(
      await anyone.post("/v1/auth/forgotPassword/confirm", { ...body, username: uniqueEmail() }),
    ).toMatchObject({ status: 400 });
    expect(
      await anyone.post("/v1/auth/forgotPassword/confirm", { ...body, password: "short" }),
    ).toMatchObject({
      status: 400,
      body: { details: [{ path: "password" }] },
    });
    // Neither used the code up.
    expect((await anyone.post("/v1/auth/forgotPassword/confirm", body)).status).toBe(200);
    expect((await login(email)).body.code).toBe("USER_NOT_AUTHORIZED");
    expect((await login(email, "another-horse-2")).status).toBe(200);
    const old = await anyone.post("/v1/auth/refresh", { token: before.body.refreshToken });
    expect(old).toMatchObject({ status: 401, body: { code: "NOT_AUTHENTICATED" } });
    expect((await anyone.post("/v1/auth/forgotPassword/confirm", body)).status).toBe(400);
  });

  test("sends few mails to one address, with the same answer", async () => {
    const { email } = await confirm();
    const answers = [];
    for (let count = 0; count < 15; count++)
      answers.push(await anyone.post("/v1/auth/forgotPassword", { email }));
    expect(answers.map(({ status, text }) => `${status} ${text}`)).toEqual(
      Array(15).fill('202 {"status":"accepted"}'),
    );
    const recoveries = async () =>
      (await mailsTo(email)).filter(({ text }) => text.includes("forgot-password")).length;
    await eventually(async () => expect(await recoveries()).toBe(3));
    // The mail of a later request has arrived: earlier ones would have too.
    const later = (await confirm()).email;
    await anyone.post("/v1/auth/forgotPassword", { email: later });
    await mailTo(later, ({ text }) => text.includes("forgot-password"));
    expect(await recoveries()).toBe(3);
  });

  test("and a confirmation reveal nothing about who has an account", async () => {
    const stranger = uniqueEmail("stranger");
    const person = await newPerson();
    for (const [path, field] of [
      ["forgotPassword", "email"],
      ["resendConfirm", "name"],
    ] as const) {
      const known = await anyone.post(`/v1/auth/${path}`, { [field]: person.email });
      const unknown = await anyone.post(`/v1/auth/${path}`, { [field]: stranger });
      expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
      expect(known.status).toBe(202);
    }
    await mailTo(person.email);
    expect(await mailsTo(stranger)).toEqual([]);
  });
});

describe("a refresh token", () => {
  test("gets its answer again for half a minute with an Idempotency-Key", async () => {
    const person = await newPerson();
    const { body: first } = await login(person.email, person.password);
    const renew = () =>
      anyone.post(
        "/v1/auth/refresh",
        { token: first.refreshToken },
        { headers: { "idempotency-key": "lost" } },
      );
    const second = await renew();
    expect(await renew()).toMatchObject({ status: 200, body: second.body });
    const sql = await owner();
    await sql`update private.token_rotations set finished_at = finished_at - interval '31 seconds'
               where token_hash = ${createHash("sha256").update(String(first.refreshToken)).digest()}`;
    expect(await renew()).toMatchObject({ status: 401, body: { code: "NOT_AUTHENTICATED" } });
    expect(await anyone.post("/v1/auth/refresh", { token: second.body.refreshToken })).toMatchObject({
      status: 401,
    });
  });

  test("works once; reuse ends the session", async () => {
    const person = await newPerson();
    const { body: first } = await login(person.email, person.password);
    const second = await anyone.post("/v1/auth/refresh", { token: first.refreshToken });
    expect(second.status).toBe(200);
    expect(second.body.refreshToken).not.toBe(first.refreshToken);
    const again = await anyone.post("/v1/auth/refresh", { token: first.refreshToken });
    expect(again).toMatchObject({ status: 401, body: { code: "NOT_AUTHENTICATED" } });
    // The whole family is revoked: a thief has nothing either.
    expect((await anyone.post("/v1/auth/refresh", { token: second.body.refreshToken })).status).toBe(401);
    expect((await login(person.email, person.password)).status).toBe(200);
  });

  test("used by many at once leaves one open session", async () => {
    const person = await newPerson();
    const { body: first } = await login(person.email, person.password);
    // Opens a connection for each: one that still connects while another's use ends is not at once.
    await Promise.all(Array.from({ length: 10 }, () => anyone.get("/v1/auth/me")));
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => anyone.post("/v1/auth/refresh", { token: first.refreshToken })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(1);
    const sql = await owner();
    const live = await sql`select 1 from auth.refresh_tokens where user_id = ${person.id} and not revoked`;
    expect(live).toHaveLength(1);
    expect((await anyone.post("/v1/auth/refresh", { token: answers[0]?.body.refreshToken })).status).toBe(
      200,
    );
  });

  test.each(["nonsense", "01a1fbb6-c993-7414-a334-ae0ee20e559a"])(
    "is rejected when malformed: %s",
    async (token) => {
      expect(await anyone.post("/v1/auth/refresh", { token })).toMatchObject({ status: 401 });
    },
  );

  test("cannot be read from the database", async () => {
    const person = await newPerson();
    const { body } = await login(person.email, person.password);
    const renewed = await anyone.post("/v1/auth/refresh", { token: body.refreshToken });
    const sql = await owner();
    const rows = await sql<
      { answer: Uint8Array }[]
    >`select answer from private.token_rotations where answer is not null`;
    const kept = rows.map(({ answer }) => Buffer.from(answer).toString("latin1")).join();
    expect(kept).not.toContain(renewed.body.refreshToken);
  });
});

describe("a forged token", () => {
  const claims = { sub: "019a0000-0000-7000-8000-000000000001", role: "authenticated", aud: "authenticated" };
  const key = (text: string) => new TextEncoder().encode(text);
  const sign = (payload: Record<string, unknown>, secret: string, expires: string | number = "1h") =>
    new SignJWT(payload).setProtectedHeader({ alg: "HS256" }).setExpirationTime(expires).sign(key(secret));
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const forged: [string, (secret: string) => Promise<string> | string][] = [
    ["without a signature", () => `${encode({ alg: "none" })}.${encode({ ...claims, exp: 4e9 })}.`],
    ["signed with another key", () => sign(claims, "x".repeat(48))],
    ["of another role", (secret) => sign({ ...claims, role: "postgres" }, secret)],
    ["of the service's role", (secret) => sign({ ...claims, role: "service_role" }, secret)],
    ["that has expired", (secret) => sign(claims, secret, 1)],
    ["for another audience", (secret) => sign({ ...claims, aud: "visitor" }, secret)],
    ["without a subject", (secret) => sign({ ...claims, sub: undefined }, secret)],
    ["with a subject that is no id", (secret) => sign({ ...claims, sub: "' or true" }, secret)],
    ["cut in two", async (secret) => (await sign(claims, secret)).slice(0, 40)],
    ["that is no token", () => "hello"],
    ["shaped like an API key", () => `prl_AAAAAAAA_${"A".repeat(43)}`],
    ["almost like an API key", () => "prl_x"],
  ];
  let secret: string;
  beforeAll(async () => {
    secret = (await findStack()).jwtSecret;
  });

  test.each(forged)("is rejected: %s", async (_what, make) => {
    const stranger = as(await make(secret));
    for (const path of ["/v1/auth/me", "/v1/teams", "/v1/users", "/v1/vectors"]) {
      expect(await stranger.get(path)).toMatchObject({ status: 401, body: { code: "NOT_AUTHENTICATED" } });
    }
  });

  test("is accepted when the same claims are signed properly", async () => {
    expect((await as(await sign(claims, secret)).get("/v1/auth/me")).status).toBe(200);
  });

  test("does not block a login", async () => {
    const person = await newPerson();
    const body = { email: person.email, password: person.password, deviceId: "app" };
    expect((await as("expired").post("/v1/auth/login", body)).status).toBe(200);
  });

  test("is rejected in another scheme", async () => {
    for (const header of ["Basic ZGVtbzpkZW1v", "Bearer", "Bearer a b", "bearer\t"]) {
      expect((await anyone.get("/v1/auth/me", { headers: { Authorization: header } })).status).toBe(401);
    }
  });
});
