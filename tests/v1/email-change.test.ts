// Changing an account's email: requested with the password, applied when both mailboxes confirm, invisible to strangers.
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import {
  anyone,
  as,
  codeIn,
  mailsTo,
  mailTo,
  newMember,
  newPerson,
  newTeam,
  owner,
  type Person,
  uniqueEmail,
} from "../support/api.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { say } from "../support/words.ts";

async function logIn(person: Person, email = person.email, password = person.password) {
  const answer = await anyone.post("/v1/auth/login", { email, password, deviceId: "app" });
  return { status: answer.status, ...as(answer.body.accessToken ?? "none") };
}
const ask = (client: Pick<Person, "put">, email: unknown, currentPassword: unknown, more = {}) =>
  client.put("/v1/auth/email", { email, currentPassword, ...more });
const confirm = (code: string) => anyone.post("/v1/auth/email/confirm", { code });
const asks = ({ text }: { text: string }) => text.includes("/confirm-email?");
const codeFor = async (address: string) => codeIn(await mailTo(address, asks));
const spent = {
  status: 400,
  body: {
    code: "VALIDATION_FAILED",
    details: [expect.objectContaining({ path: "code", code: "codeSpent" })],
  },
};

test("an address changes once both mailboxes confirm, and memberships follow", async () => {
  const team = await newTeam();
  const person = await newMember(team, "editor");
  const [here, elsewhere] = [await logIn(person), await logIn(person)];
  const email = uniqueEmail("moved");
  const key = await team.owner.post(`${team.path}/apiKeys`, { name: "Stays" });
  // Invited twice: to a team they have joined, and to another.
  const members = `/v1/teamUsers/${team.id}/users`;
  await team.owner.post(members, { email, roleId: systemRoleIds.viewer });
  const other = await newTeam("Other");
  await other.owner.post(`/v1/teamUsers/${other.id}/users`, { email, roleId: systemRoleIds.viewer });

  const asked = await ask(here, email.toUpperCase(), person.password);
  expect(asked.status, asked.text).toBe(202);
  expect(asked.body).toEqual({
    email: person.email,
    pending: {
      email,
      askedAt: expect.any(String),
      expiresAt: expect.any(String),
      confirmedByCurrent: false,
      confirmedByNew: false,
    },
  });
  const [ofNew, ofCurrent] = [await codeFor(email), await codeFor(person.email)];
  expect(await confirm(ofNew)).toMatchObject({
    status: 200,
    body: { status: "waiting", waitsFor: "current" },
  });
  // The same mailbox does not count twice.
  expect(await confirm(ofNew)).toMatchObject({ body: { status: "waiting", waitsFor: "current" } });
  const waiting = await here.get("/v1/auth/email");
  expect(waiting.body).toMatchObject({
    email: person.email,
    pending: { confirmedByNew: true, confirmedByCurrent: false },
  });
  expect((await logIn(person, email)).status).toBe(401);

  const done = await confirm(ofCurrent);
  expect([done.status, done.body]).toEqual([200, { status: "changed", waitsFor: null }]);
  for (const code of [ofNew, ofCurrent]) expect(await confirm(code)).toMatchObject(spent);
  expect((await here.get("/v1/auth/email")).body).toEqual({ email, pending: null });
  expect((await here.get("/v1/auth/me")).body).toMatchObject({ id: person.id, email });
  expect((await elsewhere.get("/v1/auth/me")).status).toBe(401);
  expect((await logIn(person)).status).toBe(401);
  expect((await logIn(person, email)).status).toBe(200);
  expect(
    (await team.owner.get(members)).body.data.filter((row: { email: string }) => row.email === email),
  ).toEqual([expect.objectContaining({ userId: person.id, role: "editor", status: "accepted" })]);
  expect((await here.get("/v1/teams/pending-invites")).body.data).toEqual([
    expect.objectContaining({ id: other.id }),
  ]);
  expect((await as(key.body.key).get(`${team.path}/agents`)).status).toBe(200);
  const notice = await mailTo(
    person.email,
    ({ subject }) => subject === say("mails:addressChange.changedSubject"),
  );
  expect(notice.text).toContain(email);
  // The old address is free, and its mailbox opens nothing of the account.
  expect(
    (
      await anyone.post("/v1/auth/register", {
        name: "Next",
        email: person.email,
        password: "another-one-1",
        deviceId: "app",
      })
    ).status,
  ).toBe(201);
});

test("a request is rejected without the password, for an invalid address, and from callers who are not users", async () => {
  const person = await newPerson();
  const here = await logIn(person);
  const email = uniqueEmail();
  const refusals: [string, string, unknown, unknown, object?][] = [
    ["currentPassword", "passwordWrong", email, "not-mine-at-all"],
    ["currentPassword", "required", email, undefined],
    ["email", "email", "not an address", person.password],
    ["email", "tooLong", `${"a".repeat(250)}@parley.test`, person.password],
    ["email", "emailSame", person.email.toUpperCase(), person.password],
    ["id", "unknown", email, person.password, { id: person.id }],
  ];
  for (const [path, code, to, password, more] of refusals) {
    expect(await ask(here, to, password, more), `${path} ${code}`).toMatchObject({
      status: 400,
      body: { details: [expect.objectContaining({ path, code })] },
    });
  }
  expect((await here.get("/v1/auth/email")).body.pending).toBeNull();
  expect(await mailsTo(email)).toEqual([]);
  const team = await newTeam();
  const key = await team.owner.post(`${team.path}/apiKeys`, { name: "Key" });
  for (const [client, status] of [
    [anyone, 401],
    [as(key.body.key), 403],
  ] as const) {
    expect((await ask(client, email, person.password)).status).toBe(status);
    expect((await client.get("/v1/auth/email")).status).toBe(status);
    expect((await client.post("/v1/auth/email/resend")).status).toBe(status);
    expect((await client.delete("/v1/auth/email/pending")).status).toBe(status);
  }
  expect((await here.post("/v1/auth/email/resend")).status).toBe(404);
  expect((await here.delete("/v1/auth/email/pending")).status).toBe(404);
  for (const code of ["", "a b", "x".repeat(300), 7, null]) {
    expect((await anyone.post("/v1/auth/email/confirm", { code })).status).toBe(400);
  }
  expect(await confirm(randomUUID())).toMatchObject(spent);
});

test("a taken address looks the same to the requester, and its mailbox is informed", async () => {
  const [person, victim] = [await newPerson(), await newPerson()];
  const here = await logIn(person);
  const asked = await ask(here, victim.email, person.password);
  expect(asked).toMatchObject({
    status: 202,
    body: { pending: { email: victim.email, confirmedByNew: false } },
  });
  const told = await mailTo(victim.email);
  expect(told.subject).toBe(say("mails:addressChange.inUseSubject"));
  expect(told.text).not.toContain("http");
  expect(told.text).not.toContain(person.email);
  expect(await confirm(await codeFor(person.email))).toMatchObject({
    body: { status: "waiting", waitsFor: "new" },
  });
  expect((await logIn(victim)).status).toBe(200);
  expect((await here.get("/v1/auth/me")).body.email).toBe(person.email);
});

test("a change that another session resends ends that session, not the one that asked", async () => {
  const person = await newPerson();
  const [here, thief] = [await logIn(person), await logIn(person)];
  const email = uniqueEmail();
  await ask(here, email, person.password);
  const first = await Promise.all([email, person.email].map(codeFor));
  expect((await thief.post("/v1/auth/email/resend")).status).toBe(202);
  for (const [at, address] of [email, person.email].entries()) {
    const mail = await mailTo(address, (one) => asks(one) && codeIn(one) !== first[at]);
    expect((await confirm(codeIn(mail))).status).toBe(200);
  }
  expect((await here.get("/v1/auth/me")).body.email).toBe(email);
  expect((await thief.get("/v1/auth/me")).status).toBe(401);
});

test("resending invalidates earlier links; a cancel or a new password ends the change", async () => {
  const person = await newPerson();
  const here = await logIn(person);
  const email = uniqueEmail();
  await ask(here, email, person.password);
  const first = await codeFor(email);
  const again = await here.post("/v1/auth/email/resend");
  expect(again).toMatchObject({ status: 202, body: { pending: { email } } });
  const second = codeIn(await mailTo(email, (mail) => asks(mail) && codeIn(mail) !== first));
  expect(await confirm(first)).toMatchObject(spent);
  expect(await confirm(second)).toMatchObject({ status: 200 });
  expect((await here.delete("/v1/auth/email/pending")).status).toBe(204);
  expect((await here.get("/v1/auth/email")).body.pending).toBeNull();
  expect(await confirm(second)).toMatchObject(spent);

  expect((await ask(here, email, person.password)).status).toBe(202);
  // One person gets three mails in ten minutes.
  expect(await ask(here, uniqueEmail(), person.password)).toMatchObject({
    status: 429,
    body: { code: "RATE_LIMITED" },
  });
  const change = { currentPassword: person.password, password: "chosen-again-1" };
  expect((await here.put("/v1/auth/password", change)).status).toBe(200);
  expect((await here.get("/v1/auth/email")).body.pending).toBeNull();
});

test("links expire after a day, and codes of the old mailbox do not survive the change", async () => {
  const [person, late] = [await newPerson(), await newPerson()];
  const sql = await owner();
  const lateEmail = uniqueEmail();
  await ask(await logIn(late), lateEmail, late.password);
  const lateCode = await codeFor(lateEmail);
  await sql`update private.email_changes set asked_at = now() - interval '25 hours' where user_id = ${late.id}`;
  expect(await confirm(lateCode)).toMatchObject(spent);
  expect((await (await logIn(late)).get("/v1/auth/email")).body.pending).toBeNull();

  const email = uniqueEmail();
  await ask(await logIn(person), email, person.password);
  await anyone.post("/v1/auth/forgotPassword", { email: person.email });
  const stale = codeIn(await mailTo(person.email, ({ text }) => text.includes("/forgot-password")));
  await confirm(await codeFor(email));
  expect(await confirm(await codeFor(person.email))).toMatchObject({ body: { status: "changed" } });
  // The new address first: a code works once.
  for (const username of [email, person.email]) {
    const body = { code: stale, username, password: "taken-over-1" };
    expect((await anyone.post("/v1/auth/forgotPassword/confirm", body)).status).toBe(400);
  }
  expect((await logIn(person, email)).status).toBe(200);
});

test("of two concurrent confirmations of one address one wins; both links at once change it once", async () => {
  const email = uniqueEmail("wanted");
  const people = [await newPerson(), await newPerson()];
  const codes = [];
  for (const person of people) {
    await ask(await logIn(person), email, person.password);
    const mine = codes.flat();
    const ofNew = codeIn(await mailTo(email, (mail) => asks(mail) && !mine.includes(codeIn(mail))));
    codes.push([ofNew, await codeFor(person.email)]);
  }
  const answers = await Promise.all(codes.flat().map(confirm));
  const outcomes = answers.map(({ status, body }) => (status === 200 ? body.status : status)).sort();
  expect(outcomes).toEqual([409, "changed", "waiting", "waiting"]);
  const sql = await owner();
  const rows = await sql`select id from public.users where email = ${email}`;
  expect(rows).toHaveLength(1);
  expect(await sql`select 1 from private.email_changes where new_email = ${email}`).toHaveLength(0);
});
