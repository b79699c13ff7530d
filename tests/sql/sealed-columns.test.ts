// Every column with a long-lived sealed secret is found when SECRETS_KEY changes.
import { randomBytes, randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sealedColumns } from "../../edge-functions/_shared/secrets/sealed-columns.ts";
import { Sealing } from "../../edge-functions/_shared/secrets/sealing.ts";
import { type Keys, resealSecrets, surveySecrets } from "../../supabase/local/rotation/reseal.ts";
import { makeSmallTeams } from "../native/teams.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

/** Columns of bytes without a secret older than a day, and why. */
const others: Record<string, string> = {
  "public.api_keys.secret_hash": "a hash",
  "private.email_changes.new_code": "a hash",
  "private.email_changes.current_code": "a hash",
  "private.token_rotations.token_hash": "a hash",
  "private.token_rotations.answer": "sealed for a minute",
  "private.slack_states.state_hash": "a hash",
  "private.slack_states.challenge": "a hash",
  "private.slack_states.ticket_hash": "a hash",
  "private.slack_states.code": "sealed for minutes",
  "private.slack_states.granted": "sealed for minutes",
};

let database: TestPostgres;
let sql: Sql;
/** The command's login on a hosted project. */
let login: Sql;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  login = database.connect("authenticator", { max: 1 });
});
afterAll(() => database.stop());

const [old, fresh, foreign] = ["o", "n", "f"].map((letter) => letter.repeat(32)) as [string, string, string];

async function fill(count: number, key: string): Promise<void> {
  const [team] = await makeSmallTeams(sql, 1);
  const sealing = new Sealing([key]);
  for (let number = 0; number < count; number++) {
    const source = randomUUID();
    await sql`insert into public.sources (id, team_id, type, name) values (${source}, ${team?.id ?? ""}, 'jira', 'Jira')`;
    await sql`insert into private.source_credentials (source_id, team_id, ciphertext)
              values (${source}, ${team?.id ?? ""}, ${sealing.seal("credentials", `source:${source}`)})`;
  }
  const workspace = `T${randomUUID()}`;
  await sql`insert into private.slack_installations (workspace_id, bot_user_id, tokens)
            values (${workspace}, 'U1', ${sealing.seal("tokens", `slack:${workspace}`)})`;
  const model = randomUUID();
  await sql`insert into private.models (id, team_id, role, provider, base_url, model, api_key)
            values (${model}, ${team?.id ?? ""}, 'chat', 'custom', 'https://models.example/v1', 'm',
                    ${sealing.seal("model key", `model:${model}`)})`;
}

async function openAll(keys: Keys): Promise<string[]> {
  const sealing = new Sealing(keys);
  const rows = await sql<{ sealed: Uint8Array; context: string }[]>`
    select ciphertext as sealed, 'source:' || source_id as context from private.source_credentials
    union all select tokens, 'slack:' || workspace_id from private.slack_installations
    union all select api_key, 'model:' || id from private.models`;
  return rows.map(({ sealed, context }) => sealing.unseal(sealed, context));
}

test("columns of bytes are listed, or hold nothing for long", async () => {
  const rows = await sql<{ name: string }[]>`
    select table_schema || '.' || table_name || '.' || column_name as name from information_schema.columns
     where table_schema in ('public', 'private') and data_type = 'bytea'`;
  const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`);
  expect(rows.map(({ name }) => name).sort()).toEqual([...Object.keys(others), ...listed].sort());
});

test("values of an earlier key are resealed, more rows than one batch, and open without that key", async () => {
  await fill(120, old);
  await fill(2, fresh);
  expect(await surveySecrets(login, [fresh, old])).toEqual({ current: 4, earlier: 122, unreadable: [] });
  expect(await resealSecrets(login, [fresh, old])).toEqual({ current: 4, earlier: 122, unreadable: [] });
  expect(await surveySecrets(login, [fresh])).toEqual({ current: 126, earlier: 0, unreadable: [] });
  const plain = await openAll([fresh]);
  expect([plain.length, new Set(plain)]).toEqual([126, new Set(["credentials", "tokens", "model key"])]);
});

test("a value that no key opens is named, kept, and does not block the others", async () => {
  await sql`delete from private.source_credentials`;
  await sql`delete from private.slack_installations`;
  await sql`delete from private.models`;
  await fill(1, foreign);
  await sql`insert into private.slack_installations (workspace_id, bot_user_id, tokens)
            values ('T-cut', 'U1', ${randomBytes(4)})`;
  const read = () => sql`select * from private.slack_installations order by 1`;
  const before = await read();
  expect(await resealSecrets(login, [fresh, old])).toMatchObject({ current: 0, earlier: 0 });
  expect(await read()).toEqual(before);
  await fill(1, old);
  const survey = await resealSecrets(login, [fresh, old]);
  expect([survey.earlier, survey.unreadable.length]).toEqual([3, 4]);
  expect(survey.unreadable).toContain("private.slack_installations T-cut");
});
