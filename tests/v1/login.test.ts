// Logging in: what a refusal reveals, slowing of repeated attempts, and that strangers' attempts lock nobody out.
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { anyone, newPerson, newTeam, owner, uniqueEmail } from "../support/api.ts";
import { findStack } from "../support/stack.ts";

/** bcrypt with the cost of the auth server: that of a test's person is faster. */
const hashOfAUser = "$2b$10$IJzNAmrTxn35HwW1cLzbFOcsLmw6INHHiKn4M1GRtEgDVeg56AkwS";

const login = (email: string, password: string) =>
  anyone.post("/v1/auth/login", { email, password, deviceId: "app" });

/** Records failed logins without the time that they take, in the next window too: it may begin during the test. */
async function countFailures(email: string, times: number) {
  const key = `login:for:${createHash("sha256").update(email).digest("base64url")}`;
  const sql = await owner();
  await sql`
    insert into private.rate_limits (key, window_start, hits)
    select ${key}, to_timestamp((floor(extract(epoch from clock_timestamp()) / 300) + later) * 300), ${times}::int
      from generate_series(0, 1) as later
    on conflict (key, window_start) do update set hits = rate_limits.hits + excluded.hits`;
}

describe("logging in", () => {
  test("looks the same for a wrong password and an unknown email, and takes the same time", async () => {
    const person = await newPerson();
    const sql = await owner();
    await sql`update auth.users set encrypted_password = ${hashOfAUser} where id = ${person.id}`;
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 8; round++) {
      for (const [email, times] of [
        [person.email, known],
        [uniqueEmail(), unknown],
      ] as const) {
        const started = performance.now();
        const answer = await login(email, "wrong-wrong");
        times.push(performance.now() - started);
        expect(answer).toMatchObject({
          status: 401,
          body: { code: "USER_NOT_AUTHORIZED", message: "The email or the password is wrong." },
        });
      }
    }
    // Both answers are delayed to the same time. Otherwise, on an idle machine, every one of the one kind is slower than every one of the
    // other; with it, that happens by chance in 1 of 6,000 runs.
    expect(Math.min(...known)).toBeLessThan(Math.max(...unknown));
    expect(Math.min(...unknown)).toBeLessThan(Math.max(...known));
    expect(Math.min(...known, ...unknown)).toBeGreaterThan(550);
  });

  test("is slowed after failures for one email, and never blocked for the right password", async () => {
    const person = await newPerson();
    await countFailures(person.email, 60);
    const started = performance.now();
    for (let guess = 0; guess < 2; guess++) {
      expect((await login(person.email, "wrong-wrong")).status).toBe(401);
    }
    expect((await login(person.email, person.password)).status).toBe(200);
    // Three turns: at least one full turn lies between the first and the last.
    expect(performance.now() - started).toBeGreaterThan(1900);
    // Another account is not affected.
    expect((await login((await newPerson()).email, "a-long-enough-1")).status).toBe(200);
  });

  test("refuses most of many concurrent attempts, with the seconds until the next turn", async () => {
    const person = await newPerson();
    await countFailures(person.email, 60);
    const guesses = await Promise.all(Array.from({ length: 20 }, () => login(person.email, "wrong-wrong")));
    const refused = guesses.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(10);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeLessThan(10);
  });

  test("is not slowed from an address that has logged in before, whatever strangers try", async () => {
    const person = await newPerson();
    const from = (address: string, password: string) =>
      anyone.post(
        "/v1/auth/login",
        { email: person.email, password, deviceId: "app" },
        { headers: { "X-Forwarded-For": address } },
      );
    expect((await from("203.0.113.77", person.password)).status).toBe(200);
    await countFailures(person.email, 60);
    const answers = await Promise.all(Array.from({ length: 8 }, () => from("203.0.113.77", person.password)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  test("is blocked for an address that keeps failing with one email, and only for it", async () => {
    const person = await newPerson();
    const from = (address: string, password: string) =>
      anyone.post(
        "/v1/auth/login",
        { email: person.email, password, deviceId: "app" },
        { headers: { "X-Forwarded-For": address } },
      );
    const answers = await Promise.all(Array.from({ length: 12 }, () => from("198.51.100.7", "wrong-wrong")));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(await from("198.51.100.7", person.password)).toMatchObject({
      status: 429,
      body: { code: "RATE_LIMITED" },
    });
    expect((await from("198.51.100.8", person.password)).status).toBe(200);
  });

  test("does not count successes", async () => {
    const person = await newPerson();
    await countFailures(person.email, 29);
    for (let round = 0; round < 3; round++) {
      expect((await login(person.email, person.password)).status).toBe(200);
    }
  });

  test("refuses banned users, whose tokens stop working at once everywhere", async () => {
    const team = await newTeam();
    const { owner: person } = team;
    const before = await login(person.email, person.password);
    const sql = await owner();
    await sql`update public.users set banned_at = now() where id = ${person.id}`;
    const renewed = await anyone.post("/v1/auth/refresh", { token: before.body.refreshToken });
    expect(renewed).toMatchObject({ status: 403, body: { code: "USER_BANNED" } });
    expect(await anyone.post("/v1/auth/refresh", { token: before.body.refreshToken })).toMatchObject({
      status: 401,
    });
    expect(await login(person.email, person.password)).toMatchObject({
      status: 403,
      body: { code: "USER_BANNED" },
    });
    expect(await login(person.email, "wrong-wrong")).toMatchObject({ body: { code: "USER_NOT_AUTHORIZED" } });
    expect(await person.get("/v1/auth/me")).toMatchObject({ status: 403, body: { code: "USER_BANNED" } });
    expect((await person.get(team.path)).status).toBe(404);
    const { supabaseUrl, anonKey } = await findStack();
    const rows = await fetch(`${supabaseUrl}/rest/v1/teams?select=id`, {
      headers: { apikey: anonKey, Authorization: `Bearer ${person.token}` },
    });
    expect(await rows.json()).toEqual([]);
  });
});
