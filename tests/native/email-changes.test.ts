// Races about a change of an account's address: two confirmations, one address for two accounts, a new password.
import { randomBytes } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { expect, test } from "vitest";
import { type Outcome, openTrack, type Side, testRace } from "./racing.ts";
import { emailOf, makeUsers, service } from "./teams.ts";

const track = openTrack();

interface Round {
  account: string;
  address: string;
  codes: { new: Buffer; current: Buffer };
}

async function ask(sql: Sql, account: string, address: string): Promise<Round> {
  const codes = { new: randomBytes(32), current: randomBytes(32) };
  await sql`select private.ask_email_change(${account}, null, ${address}, ${codes.new}, ${codes.current})`;
  return { account, address, codes };
}

const prepare = async (sql: Sql, count: number): Promise<Round[]> =>
  await Promise.all((await makeUsers(sql, count)).map((id) => ask(sql, id, `new-${emailOf(id)}`)));

const confirm = async (tx: Sql | TransactionSql, code: Buffer) =>
  (await tx`select outcome from private.confirm_email_change(${code})`)[0]?.outcome;
const confirming = (code: Buffer): Side => ({ claims: service, work: (tx) => confirm(tx, code) });
const valuesOf = (outcomes: Outcome[]) =>
  outcomes.map((outcome) => ("value" in outcome ? outcome.value : outcome.refused));
const readAddress = async (sql: Sql, account: string) =>
  (await sql`select email from public.users where id = ${account}`)[0]?.email;

testRace("a change that both mailboxes confirm at once is made", track, {
  prepare,
  sides: ({ codes }) => [confirming(codes.new), confirming(codes.current)],
  check: async (sql, { account, address }, outcomes) => {
    const [first, second] = valuesOf(outcomes);
    expect([
      ["current", "changed"],
      ["changed", "new"],
    ]).toContainEqual([first, second]);
    expect(await readAddress(sql, account)).toBe(address);
  },
});

testRace("an address that two accounts change to at once is given to one", track, {
  prepare: async (sql, count) => {
    const others = await makeUsers(sql, count);
    const rounds = await prepare(sql, count);
    return await Promise.all(
      rounds.map(async (one, number) => {
        const other = await ask(sql, others[number] ?? "", one.address);
        for (const { codes } of [one, other]) await confirm(sql, codes.current);
        return { one, other };
      }),
    );
  },
  sides: ({ one, other }) => [confirming(one.codes.new), confirming(other.codes.new)],
  check: async (sql, { one, other }, outcomes) => {
    expect(valuesOf(outcomes).sort()).toEqual(["changed", "taken"]);
    const addresses = [await readAddress(sql, one.account), await readAddress(sql, other.account)];
    expect(addresses.filter((address) => address === one.address)).toHaveLength(1);
  },
});

test("a confirmation waits for a new password before it locks the change that the password cancels", async () => {
  const { sql } = track();
  const [round] = await prepare(sql, 1);
  if (!round) throw new Error("Nothing was prepared");
  const { account, codes } = round;
  await confirm(sql, codes.current);
  let confirmed: Promise<unknown> = Promise.resolve();
  await sql.begin(async (auth) => {
    await auth`select 1 from auth.users where id = ${account} for no key update`;
    confirmed = confirm(sql, codes.new);
    await expect
      .poll(
        async () =>
          await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      .toHaveLength(1);
    // Refused where the confirmation holds the row already: each would wait for the other.
    await auth`select 1 from private.email_changes where user_id = ${account} for update nowait`;
    await auth`update auth.users set encrypted_password = 'another' where id = ${account}`;
  });
  expect(await confirmed).toBe("spent");
  expect(await readAddress(sql, account)).toBe(emailOf(account));
});
