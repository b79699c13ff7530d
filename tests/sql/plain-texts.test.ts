// Names and titles: Postgres and TypeScript share one rule, and every name column is checked by it.
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isPlainText, plainText } from "../../edge-functions/_shared/text/plain-text.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

let database: TestPostgres;
let sql: Sql;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
});

afterAll(() => database.stop());

/** Every character of the basic plane except surrogates, and of the planes with invisible ones. */
const characters = [
  ...Array.from({ length: 0xffff }, (_none, index) => index + 1).filter(
    (code) => code < 0xd800 || code > 0xdfff,
  ),
  ...Array.from({ length: 0x200 }, (_none, index) => 0xe0000 + index),
  0x1f600,
].map((code) => String.fromCodePoint(code));

test("every character, alone and in a word, is the same to Postgres and to TypeScript", async () => {
  const texts = characters.flatMap((one) => [one, `a${one}b`]);
  const rows = await sql<{ text: string; isPlain: boolean; plain: string }[]>`
    select t.text, private.is_plain_text(t.text) as "isPlain", private.plain_text(t.text) as plain
      from unnest(${texts}::text[]) as t (text)`;
  expect(rows.length).toBe(texts.length);
  expect(rows.filter(({ text, isPlain }) => isPlain !== isPlainText(text))).toEqual([]);
  // At the ends TypeScript also trims the spaces of other scripts, which Postgres keeps.
  const inWords = rows.filter(({ text }) => text.length > 2);
  expect(inWords.filter(({ text, plain }) => plain !== plainText(text))).toEqual([]);
  expect(rows.filter(({ plain }) => plain !== "" && !isPlainText(plain))).toEqual([]);
});

test("every column named name, title or subject has the check", async () => {
  const rows = await sql<{ column: string }[]>`
    select c.relname || '.' || a.attname as column
      from pg_catalog.pg_class c
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'permissions'
       and a.attname ~ '(^|_)(name|title|subject)$'
       and not exists (select 1 from pg_catalog.pg_constraint k
                        where k.conrelid = c.oid and a.attnum = any (k.conkey)
                          and pg_get_constraintdef(k.oid) like '%is_plain_text(' || a.attname || ')%')`;
  expect(rows, "sql/80_plain_texts.sql has a check for each of them").toEqual([]);
});
