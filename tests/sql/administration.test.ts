// Platform admins' changes to accounts: the function checks its caller, whoever opened the transaction.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { asCaller, refusal } from "./acting.ts";

let database: TestPostgres;
let sql: Sql;
let login: Sql;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  login = database.connect("authenticator", { max: 1 });
});
afterAll(() => database?.stop());

async function account(): Promise<string> {
  const id = randomUUID();
  await sql`insert into auth.users (id, email, raw_user_meta_data) values (${id}, ${`${id}@admin.test`}, '{}')`;
  return id;
}

const admin = async () => {
  const id = await account();
  await sql`update public.users set is_admin = true where id = ${id}`;
  return { role: "authenticated", sub: id, admin: true } as const;
};

const administer = (claims: Parameters<typeof asCaller>[1], id: string, banned: boolean | null) =>
  asCaller(
    login,
    claims,
    (tx) => tx`select private.administer_account(${id}, true, ${banned}, 'New name', 'fr') as is_there`,
  );

test("only an acting platform admin administers accounts, and the service has no other way", async () => {
  const target = await account();
  const boss = await admin();
  const before = await sql`select * from public.users where id = ${target}`;
  const { admin: _, ...atRest } = boss;
  const nobody = { role: "authenticated", sub: await account(), admin: true } as const;
  for (const claims of [atRest, nobody, { role: "authenticated", sub: target } as const]) {
    expect(await refusal(administer(claims, target, true))).toBe("42501");
  }
  expect(await refusal(administer({ role: "service_role" }, target, true))).toBe("42501");
  expect(await refusal(administer({ role: "anon" }, target, true))).toBe("42501");
  expect(await sql`select * from public.users where id = ${target}`).toEqual(before);
});

test("an account changes as requested, and a banned one loses its sessions", async () => {
  const target = await account();
  const boss = await admin();
  await sql`insert into auth.sessions (id, user_id) values (${randomUUID()}, ${target})`;
  expect(await administer(boss, randomUUID(), null)).toMatchObject([{ is_there: false }]);
  expect(await administer(boss, target, null)).toMatchObject([{ is_there: true }]);
  const read = () =>
    sql`select is_admin, name, locale, banned_at is not null as banned from public.users where id = ${target}`;
  const sessions = () => sql`select 1 from auth.sessions where user_id = ${target}`;
  expect(await read()).toMatchObject([{ is_admin: true, name: "New name", locale: "fr", banned: false }]);
  expect(await sessions()).toHaveLength(1);
  await administer(boss, target, true);
  expect(await read()).toMatchObject([{ banned: true }]);
  expect(await sessions()).toHaveLength(0);
  await administer(boss, target, false);
  expect(await read()).toMatchObject([{ banned: false }]);
});
