// Registering another person's address: the owner of the mailbox gets the account, and a stranger's password for it never works.
import { beforeEach, describe, expect, test } from "vitest";
import {
  anyone,
  as,
  codeIn,
  type Mail,
  mailsTo,
  mailTo,
  newTeam,
  owner,
  uniqueEmail,
} from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { findStack } from "../support/stack.ts";

const strangers = "strangers-horse-1";
const own = "my-own-horse-2";

let email: string;
beforeEach(() => {
  email = uniqueEmail("victim");
});

const register = (password: string, name: string) =>
  anyone.post("/v1/auth/register", { name, email, password, deviceId: "app" });
const login = (password: string) => anyone.post("/v1/auth/login", { email, password, deviceId: "app" });
const confirm = (mail: Mail) =>
  anyone.get(`/v1/auth/confirm?code=${codeIn(mail)}&username=${encodeURIComponent(email)}`);
const nthMail = async (n: number, path = "/confirm") => {
  await mailTo(email, (mail) => mail.text.includes(path));
  return await eventually(async () => {
    const mail = (await mailsTo(email)).filter(({ text }) => text.includes(path))[n - 1];
    if (!mail) throw new Error(`Mail ${n} with ${path} has not come`);
    return mail;
  });
};
const refused = { status: 401, body: { code: "USER_NOT_AUTHORIZED" } };

/** Each mail replaces those before: their codes stop working. */
const recovery = (n: number) => nthMail(n, "forgot-password");
const choose = async (password: string, mail: Mail) => {
  const body = { code: codeIn(mail), username: email, password };
  return await anyone.post("/v1/auth/forgotPassword/confirm", body);
};
const known = { status: 409, body: { code: "USER_EXISTS" } };

describe("an address that a stranger registered first", () => {
  test("belongs to the mailbox's owner: registering again is refused, and no earlier password survives the confirmation", async () => {
    expect((await register(strangers, "Stranger")).status).toBe(201);
    expect(await register(own, "Owner")).toMatchObject(known);
    // A caller who knows one of its passwords learns that none counts; nobody else learns anything.
    expect(await login(strangers)).toMatchObject({ status: 403, body: { code: "USER_NOT_VERIFIED" } });
    expect(await login(own)).toMatchObject(refused);
    await recovery(1);
    expect(await confirm(await nthMail(1))).toMatchObject({
      status: 200,
      body: { status: "ok", verified: false },
    });
    expect(await login(strangers)).toMatchObject(refused);
    expect(await login(own)).toMatchObject(refused);
    expect((await choose(own, await recovery(2))).status).toBe(200);
    expect((await login(own)).status).toBe(200);
    expect(await login(strangers)).toMatchObject(refused);
  });

  test("sends its owner a mail to set a password as soon as they register", async () => {
    await register(strangers, "Stranger");
    await register(own, "Owner");
    expect((await choose(own, await recovery(1))).status).toBe(200);
    expect((await login(own)).status).toBe(200);
    // The registration's mail does not restore that registration's password either.
    await confirm(await nthMail(1));
    expect(await login(strangers)).toMatchObject(refused);
    expect((await login(own)).status).toBe(200);
  });

  test("distinguishes unconfirmed from unknown only for those who know the password", async () => {
    await register(strangers, "Stranger");
    expect(await login(strangers)).toMatchObject({ status: 403, body: { code: "USER_NOT_CONFIRMED" } });
    expect(await login("no-such-horse-3")).toMatchObject(refused);
  });

  test("is recovered through the mailbox, and the stranger's password is removed", async () => {
    await register(strangers, "Stranger");
    expect((await anyone.post("/v1/auth/forgotPassword", { email })).status).toBe(202);
    const mail = await mailTo(email, ({ text }) => text.includes("forgot-password"));
    const body = { code: codeIn(mail), username: email, password: own };
    expect((await anyone.post("/v1/auth/forgotPassword/confirm", body)).status).toBe(200);
    expect(await login(strangers)).toMatchObject(refused);
    expect((await login(own)).status).toBe(200);
  });

  test("shows its invitations to nobody before the address is confirmed", async () => {
    const team = await newTeam();
    const invitation = { email, roleId: systemRoleIds.editor };
    await register(strangers, "Stranger");
    await team.owner.post(`/v1/teamUsers/${team.id}/users`, invitation);
    const { token } = await findStack();
    const sql = await owner();
    const [row] = await sql`select id from auth.users where email = ${email}`;
    // Even with a token, which an auth server without confirmations issues.
    const stranger = as(await token({ role: "authenticated", sub: row?.id }));
    expect((await stranger.get("/v1/teams/pending-invites")).body.total).toBe(0);
    expect((await stranger.get("/v1/teams")).body.data).toEqual([]);
    const answer = { status: "accepted", roleId: "" };
    const accept = `/v1/teamUsers/${team.id}/users/${row?.id}/invites`;
    expect((await stranger.put(accept, answer)).status).toBe(404);
    await confirm(await nthMail(1));
    expect((await stranger.get("/v1/teams/pending-invites")).body.total).toBe(1);
    expect((await stranger.put(accept, answer)).status).toBe(200);
  });
});

describe("an address that a stranger registers while its owner waits for the mail", () => {
  test("is confirmed by the owner's mail, and gets a password by mail", async () => {
    await register(own, "Owner");
    expect(await register(strangers, "Stranger")).toMatchObject(known);
    await recovery(1);
    expect((await confirm(await nthMail(1))).status).toBe(200);
    expect(await login(strangers)).toMatchObject(refused);
    expect((await choose(own, await recovery(2))).status).toBe(200);
    expect(await login(own)).toMatchObject({ status: 200, body: { user: { name: "Owner" } } });
  });

  test("gets few mails however often it is registered", async () => {
    const answers = [];
    for (let count = 0; count < 6; count++) answers.push(await register(`${strangers}${count}`, "Stranger"));
    expect(answers.map(({ status }) => status)).toEqual([201, 409, 409, 409, 409, 409]);
    await recovery(1);
    // A later registration: once its mail has arrived, earlier ones would have too.
    const later = uniqueEmail("later");
    await anyone.post("/v1/auth/register", { name: "Later", email: later, password: own, deviceId: "app" });
    await mailTo(later, ({ text }) => text.includes("/confirm"));
    expect((await mailsTo(email)).length).toBeLessThanOrEqual(4);
  });
});

test("a session whose address is no longer confirmed ends, and its owner is told", async () => {
  await register(own, "Owner");
  const begun = await anyone.get(
    `/v1/auth/confirm?code=${codeIn(await nthMail(1))}&username=${encodeURIComponent(email)}&signIn=true`,
  );
  expect(begun).toMatchObject({ status: 200, body: { verified: true } });
  const sql = await owner();
  await sql`update auth.users set email_confirmed_at = null where email = ${email}`;
  const { accessToken, refreshToken } = begun.body;
  const unverified = { status: 403, body: { code: "USER_NOT_VERIFIED" } };
  expect(await anyone.post("/v1/auth/refresh", { token: refreshToken })).toMatchObject(unverified);
  expect((await as(accessToken).get("/v1/auth/me")).status).toBe(401);
  expect(await login(own)).toMatchObject({ status: 403, body: { code: "USER_NOT_CONFIRMED" } });
});

describe("a confirmation that bypasses the API", () => {
  test("proves the mailbox and removes every earlier password", async () => {
    const { supabaseUrl, serviceKey } = await findStack();
    await register(strangers, "Stranger");
    const code = codeIn(await nthMail(1));
    const verified = await fetch(`${supabaseUrl}/auth/v1/verify`, {
      method: "POST",
      headers: {
        apikey: serviceKey,
        Authorization: `Bearer ${serviceKey}`,
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ type: "signup", token_hash: code }),
    });
    expect(verified.status).toBe(200);
    expect(await login(strangers)).toMatchObject(refused);
  });

  test.each(["signup", "otp", "magiclink", "resend", "verify", "recover", "token?grant_type=password"])(
    "is not for a browser: %s",
    async (call) => {
      const { supabaseUrl, anonKey } = await findStack();
      const answer = await fetch(`${supabaseUrl}/auth/v1/${call}`, {
        method: "POST",
        headers: { apikey: anonKey, "Content-Type": "application/json" },
        body: JSON.stringify({ email, password: strangers, type: "signup" }),
      });
      expect(answer.status).toBe(403);
    },
  );
});
