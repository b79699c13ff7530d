// Limits of every function that PostgREST exposes: a limit only in /v1 would be none.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { makeTeam, type SearchableTeam } from "../support/searchable.ts";
import { asCaller, refusal } from "./acting.ts";

let database: TestPostgres;
let sql: Sql;
let login: Sql;
let team: SearchableTeam;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  login = database.connect("authenticator", { max: 1 });
  team = await makeTeam(sql);
});
afterAll(() => database?.stop());

/** The arguments by name, each as text that is cast to the parameter's type. */
type Arguments = Record<string, string | null>;

const call = (name: string, given: Arguments) =>
  asCaller(login, team.owner, async (tx) => {
    const names = Object.keys(given);
    const types = await tx<{ name: string; type: string }[]>`
      select p.proargnames[n] as name, format_type(p.proargtypes[n - 1], null) as type
        from pg_catalog.pg_proc p, generate_series(1, p.pronargs) n
       where p.pronamespace = 'public'::regnamespace and p.proname = ${name}`;
    const typed = names.map((one, at) => {
      const type = types.find((known) => known.name === one)?.type;
      return `${one} => $${at + 1}::text::${type?.replace("halfvec", "extensions.halfvec")}`;
    });
    return await tx.unsafe(`select * from public.${name}(${typed.join(", ")})`, Object.values(given));
  });

const range = { agent: null, first_day: "2026-01-01", last_day: "2026-01-31", grain: "day" };
const search = { query_text: "holiday", query_embeddings: "[]" };
const embedding = (id: string, numbers: number) =>
  `{"vectorId": "${id}", "embedding": [${Array(numbers).fill(1).join()}]}`;
const nobody = randomUUID();

/** Per function: rejected input and its code. PostgREST answers 22… and 23514 with 400, PT404 with 404. */
const refused: Record<string, [what: string, code: string, given: () => Arguments][]> = {
  chat_insights: [
    [
      "all years",
      "22023",
      () => ({ team: team.id, ...range, first_day: "0001-01-01", last_day: "9999-12-31" }),
    ],
    ["more than ten years", "22023", () => ({ team: team.id, ...range, first_day: "2015-12-31" })],
    ["no end", "22023", () => ({ team: team.id, ...range, last_day: "infinity" })],
    ["no beginning", "22023", () => ({ team: team.id, ...range, first_day: "-infinity" })],
    [
      "nothing but infinity",
      "22023",
      () => ({ team: team.id, ...range, first_day: "infinity", last_day: "infinity" }),
    ],
    [
      "years before any",
      "22023",
      () => ({ team: team.id, ...range, first_day: "4000-01-01 BC", last_day: "4000-01-02 BC" }),
    ],
    ["no days", "22023", () => ({ team: team.id, ...range, first_day: null, last_day: null })],
    ["an end before the start", "22023", () => ({ team: team.id, ...range, last_day: "2025-12-31" })],
    ["an unknown grain", "22023", () => ({ team: team.id, ...range, grain: "second" })],
    ["an unknown zone", "22023", () => ({ team: team.id, ...range, zone: "Europe/Atlantis" })],
    ["no zone", "22023", () => ({ team: team.id, ...range, zone: null })],
    ["no grain", "22023", () => ({ team: team.id, ...range, grain: null })],
    ["no team", "PT404", () => ({ team: null, ...range })],
    ["another team", "PT404", () => ({ team: nobody, ...range })],
  ],
  search_chunks: [
    ["an unknown mode", "22023", () => ({ knowledge_ids: `{${nobody}}`, ...search, mode: "all" })],
    [
      "a thousand and one knowledges",
      "22023",
      () => ({ knowledge_ids: `{${Array(1001).fill(nobody)}}`, ...search }),
    ],
    [
      "a megabyte of words",
      "22023",
      () => ({ knowledge_ids: `{${nobody}}`, query_text: "é".repeat(600_000), query_embeddings: "[]" }),
    ],
    [
      "a megabyte of translation",
      "22023",
      () => ({ knowledge_ids: `{${nobody}}`, ...search, translation: "é".repeat(600_000) }),
    ],
    [
      "embeddings that are no list",
      "22023",
      () => ({ knowledge_ids: `{${nobody}}`, query_text: "x", query_embeddings: '{"a": 1}' }),
    ],
    [
      "no embeddings at all",
      "22023",
      () => ({ knowledge_ids: `{${nobody}}`, query_text: "x", query_embeddings: null }),
    ],
    [
      "embeddings that are none",
      "22023",
      () => ({ knowledge_ids: `{${nobody}}`, query_text: "x", query_embeddings: "[1, null]" }),
    ],
    [
      "an embedding without a space",
      "22023",
      () => ({ knowledge_ids: `{${nobody}}`, query_text: "x", query_embeddings: '[{"embedding": [1]}]' }),
    ],
    [
      "an embedding of too many dimensions",
      "22023",
      () => ({
        knowledge_ids: `{${nobody}}`,
        query_text: "x",
        query_embeddings: `[${embedding(nobody, 4001)}]`,
      }),
    ],
    ...["7", `"[${"1,".repeat(40_000)}1]"`].map((written): [string, string, () => Arguments] => [
      `an embedding of ${written.slice(0, 10)}`,
      "22023",
      () => ({
        knowledge_ids: `{${nobody}}`,
        query_text: "x",
        query_embeddings: `[{"vectorId": "${nobody}", "embedding": ${written}}]`,
      }),
    ]),
    [
      "two embeddings in one space",
      "22023",
      () => ({
        knowledge_ids: `{${nobody}}`,
        query_text: "x",
        query_embeddings: `[${embedding(nobody, 2)},${embedding(nobody, 2)}]`,
      }),
    ],
    [
      "a hundred embeddings",
      "22023",
      () => ({
        knowledge_ids: `{${nobody}}`,
        query_text: "x",
        query_embeddings: `[${Array.from({ length: 100 }, () => embedding(randomUUID(), 2))}]`,
      }),
    ],
  ],
  create_team: [
    ["no name", "23502", () => ({ name: null })],
    ["an empty name", "23514", () => ({ name: "" })],
    ["a megabyte of name", "23514", () => ({ name: "É".repeat(1_000_000) })],
    ["a codename that is none", "23514", () => ({ name: "Team", codename: "../x" })],
    ["a megabyte of codename", "23514", () => ({ name: "Team", codename: "x".repeat(1_000_000) })],
  ],
  ...Object.fromEntries(
    ["index_source", "load_documents", "stop_indexing", "sync_source", "forget_indexes"].map((name) => [
      name,
      [
        ["nothing", "PT404", () => ({ source: null })],
        ["what is not there", "PT404", () => ({ source: nobody })],
      ],
    ]),
  ),
  index_knowledge: [
    ["nothing", "PT404", () => ({ knowledge: null })],
    ["what is not there", "PT404", () => ({ knowledge: nobody })],
  ],
  index_document: [
    ["nothing", "PT404", () => ({ document: null })],
    ["what is not there", "PT404", () => ({ document: nobody })],
  ],
};

test("every function that a client may call through PostgREST is tested here", async () => {
  // Those of sql/83_relations.sql take a row: PostgREST embeds by them, and tests/v1/rest-relations.test.ts tests them.
  const offered = await sql<{ name: string }[]>`
    select distinct p.proname as name from pg_catalog.pg_proc p
     where p.pronamespace = 'public'::regnamespace
       and not exists (select from pg_catalog.pg_type t where t.oid = p.proargtypes[0] and t.typtype = 'c')
       and (has_function_privilege('authenticated', p.oid, 'execute') or has_function_privilege('anon', p.oid, 'execute'))`;
  expect(Object.keys(refused).sort()).toEqual(offered.map(({ name }) => name).sort());
});

describe.each(Object.entries(refused))("%s rejects", (name, cases) => {
  test.each(cases)("%s", async (_what, code, given) => {
    expect(await refusal(call(name, given()))).toBe(code);
  });
});

test("ten years of daily insights, and the longest allowed search, are answered", async () => {
  const days = await call("chat_insights", { team: team.id, ...range, first_day: "2016-02-01" });
  expect(days).toHaveLength(3653);
  const many = `[${Array.from({ length: 16 }, () => embedding(randomUUID(), 4000))}]`;
  const knowledges = `{${Array.from({ length: 1000 }, () => randomUUID())}}`;
  const given = { knowledge_ids: knowledges, query_text: "word ".repeat(100_000), query_embeddings: many };
  expect(await call("search_chunks", { ...given, max_results: "2147483647" })).toHaveLength(0);
});

test.each([
  ["prompts", "suggested_prompts", [`${"p".repeat(3601)}`]],
  ["origins", "allowed_origins", Array.from({ length: 50 }, () => `https://${"h".repeat(400)}`)],
])("an agent's %s have /v1's maximum length", async (_what, column, value) => {
  const insert = asCaller(
    login,
    team.owner,
    (tx) => tx`insert into public.agents ${tx({ team_id: team.id, name: "Long", [column]: value })}`,
  );
  expect(await refusal(insert)).toBe("23514");
});
