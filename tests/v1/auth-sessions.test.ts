// A user's sessions and password: the list, the immediate end of a session everywhere, and isolation between users.
import { randomUUID } from "node:crypto";
import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { anyone, as, codeIn, mailTo, newPerson, owner, type Person } from "../support/api.ts";
import { findStack } from "../support/stack.ts";
import { cookieOf, postLogin } from "../support/web-session.ts";

async function logIn(person: Person, agent = "Test browser 1.0", password = person.password) {
  const body = { email: person.email, password, deviceId: "app" };
  const answer = await anyone.post("/v1/auth/login", body, { headers: { "User-Agent": agent } });
  expect(answer.status, answer.text).toBe(200);
  const { accessToken, refreshToken } = answer.body as { accessToken: string; refreshToken: string };
  return { ...as(accessToken), accessToken, refreshToken, id: String(decodeJwt(accessToken).session_id) };
}

/** The number of users a token sees through PostgREST: itself, or none. */
async function countDirectly(accessToken: string): Promise<number> {
  const { supabaseUrl, anonKey } = await findStack();
  const answer = await fetch(`${supabaseUrl}/rest/v1/users?select=id`, {
    headers: { apikey: anonKey, Authorization: `Bearer ${accessToken}` },
  });
  return ((await answer.json()) as unknown[]).length;
}

test("sessions are listed with their device; an ended one stops working at once everywhere", async () => {
  const person = await newPerson();
  const here = await logIn(person, "Laptop");
  const phone = await logIn(person, "Phone");
  const list = await here.get("/v1/auth/sessions");
  expect(list.status, list.text).toBe(200);
  expect(list.body).toEqual({
    data: [
      {
        id: here.id,
        createdAt: expect.any(String),
        usedAt: expect.any(String),
        userAgent: "Laptop",
        current: true,
      },
      expect.objectContaining({ id: phone.id, userAgent: "Phone", current: false }),
    ],
    page: 1,
    perPage: 20,
    total: 2,
  });
  const renewed = await anyone.post(
    "/v1/auth/refresh",
    { token: phone.refreshToken },
    { headers: { "User-Agent": "Phone, updated" } },
  );
  expect((await here.get("/v1/auth/sessions")).body.data[1]).toMatchObject({ userAgent: "Phone, updated" });

  expect(await countDirectly(phone.accessToken)).toBe(1);
  expect((await here.delete(`/v1/auth/sessions/${phone.id}`)).status).toBe(204);
  expect((await here.delete(`/v1/auth/sessions/${phone.id}`)).status).toBe(404);
  expect(await phone.get("/v1/auth/me")).toMatchObject({ status: 401, body: { code: "NOT_AUTHENTICATED" } });
  expect((await phone.get("/v1/teams")).status).toBe(401);
  expect(await countDirectly(phone.accessToken)).toBe(0);
  const token = (renewed.body as { refreshToken: string }).refreshToken;
  expect((await anyone.post("/v1/auth/refresh", { token })).status).toBe(401);
  expect((await here.get("/v1/auth/me")).status).toBe(200);

  expect((await here.delete("/v1/auth/sessions")).status).toBe(204);
  expect((await here.get("/v1/auth/me")).status).toBe(401);
});

test("nobody sees or ends another user's session", async () => {
  const [victim, other] = [await newPerson(), await newPerson()];
  const theirs = await logIn(victim);
  const mine = await logIn(other);
  for (const id of [theirs.id, randomUUID()])
    expect((await mine.delete(`/v1/auth/sessions/${id}`)).status).toBe(404);
  expect((await mine.delete("/v1/auth/sessions/not-an-id")).status).toBe(400);
  const { body } = await mine.get("/v1/auth/sessions?page=1&perPage=100");
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([mine.id]);
  expect((await theirs.get("/v1/auth/me")).status).toBe(200);
  for (const client of [anyone, as("prl_00000000_nothing")]) {
    expect((await client.get("/v1/auth/sessions")).status).toBe(401);
    expect((await client.delete("/v1/auth/sessions")).status).toBe(401);
  }
});

test("a password change needs the current one and ends every other session", async () => {
  const person = await newPerson();
  const here = await logIn(person);
  const other = await logIn(person);
  const change = (currentPassword: unknown, password: unknown, more = {}) =>
    here.put("/v1/auth/password", { currentPassword, password, ...more });
  const next = "another-long-one-2";
  const refusals: [string, string, unknown, unknown, object?][] = [
    ["currentPassword", "passwordWrong", "not-mine-at-all", next],
    ["currentPassword", "required", undefined, next],
    ["password", "tooShort", person.password, "short"],
    ["password", "passwordTooLong", person.password, "é".repeat(37)],
    ["id", "unknown", person.password, next, { id: 1 }],
  ];
  for (const [path, code, current, password, more] of refusals) {
    expect(await change(current, password, more)).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_FAILED", details: [{ path, code, message: expect.any(String) }] },
    });
  }
  expect((await other.get("/v1/auth/me")).status).toBe(200);
  expect((await here.get("/v1/auth/sessions")).body.total).toBe(2);

  const changed = await change(person.password, next);
  expect([changed.status, changed.body]).toEqual([200, { status: "ok" }]);
  expect((await here.get("/v1/auth/sessions")).body.data).toEqual([
    expect.objectContaining({ id: here.id, current: true }),
  ]);
  expect((await other.get("/v1/auth/me")).status).toBe(401);
  const body = { email: person.email, password: person.password, deviceId: "app" };
  expect((await anyone.post("/v1/auth/login", body)).status).toBe(401);
  await logIn(person, "again", next);
  expect((await anyone.put("/v1/auth/password", { currentPassword: next, password: "x" })).status).toBe(401);
});

test("a page reports a refusal whose form is gone as a notification, and at no other form", async () => {
  const person = await newPerson();
  const [gone] = [await logIn(person, "Phone"), await logIn(person, "Laptop")];
  const cookie = cookieOf(await postLogin(person));
  expect((await gone.delete(`/v1/auth/sessions/${gone.id}`)).status).toBe(204);
  const { webUrl } = await findStack();
  const answer = await fetch(`${webUrl}/account`, {
    method: "POST",
    headers: { origin: webUrl, cookie },
    body: new URLSearchParams({ form: "session", id: gone.id }),
  });
  const html = await answer.text();
  expect(answer.status).toBe(404);
  expect(html.match(/role="alert"/g) ?? []).toEqual([]);
  expect(html.match(/class="toast" data-variant="destructive"/g)).toHaveLength(1);
});

describe("a stolen session", () => {
  /** Ends the person's other sessions in the moment in which their password is written, as the thief would. */
  async function racePassword(person: Person, thief: string): Promise<() => Promise<void>> {
    const sql = await owner();
    const name = `race_${person.id.replaceAll("-", "")}`;
    await sql.unsafe(`
      create function private.${name}() returns trigger language plpgsql security definer set search_path = '' as $$
      begin
        delete from auth.sessions where user_id = '${person.id}' and id <> '${thief}';
        return null;
      end $$;
      create trigger ${name} after update of encrypted_password on auth.users for each row
        when (new.id = '${person.id}') execute function private.${name}()`);
    return async () => {
      await sql.unsafe(`drop trigger ${name} on auth.users; drop function private.${name}()`);
    };
  }
  test.each(["change", "reset"])("does not outlive the %s of the password that it raced", async (how) => {
    const person = await newPerson();
    const thief = await logIn(person);
    const stop = await racePassword(person, thief.id);
    try {
      if (how === "change") {
        const here = await logIn(person);
        const change = { currentPassword: person.password, password: `${person.password}-new` };
        expect((await here.put("/v1/auth/password", change)).status).toBeLessThan(500);
      } else {
        await anyone.post("/v1/auth/forgotPassword", { email: person.email });
        const code = codeIn(await mailTo(person.email, ({ text }) => text.includes("forgot-password")));
        const reset = { username: person.email, code, password: `${person.password}-new` };
        expect((await anyone.post("/v1/auth/forgotPassword/confirm", reset)).status).toBeLessThan(500);
      }
      expect((await thief.get("/v1/auth/me")).status).toBe(401);
    } finally {
      await stop();
    }
  });
});
