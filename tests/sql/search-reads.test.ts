// What a search reads of a large knowledge base.
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { stubSettings } from "../support/function-settings.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { makeKnowledge, makeTeam } from "../support/searchable.ts";
import { actAs, rollBack } from "./acting.ts";

let database: TestPostgres;
let sql: Sql;
let db: typeof import("../../edge-functions/_shared/database/db.ts");

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  stubSettings({ DATABASE_URL: database.url("authenticator"), DATABASE_POOL_SIZE: "1" });
  db = await import("../../edge-functions/_shared/database/db.ts");
});
afterAll(async () => {
  await db?.closeDatabase();
  vi.unstubAllEnvs();
  await database?.stop();
});

it("an answering agent's search reads the documents of its passages, and no list of all", async () => {
  const team = await makeTeam(sql);
  const texts = Array.from({ length: 300 }, (_, i) => ({
    title: `Text ${i}`,
    content: i === 7 ? "A harbour." : "A river.",
  }));
  const knowledge = await makeKnowledge(sql, team, texts);
  await rollBack(sql, async (tx) => {
    const reads = async () => {
      const [row] = await tx<{ rows: number }[]>`
        select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows
          from pg_catalog.pg_stat_xact_user_tables where relid = 'public.document_indexes'::regclass`;
      return row?.rows ?? 0;
    };
    const before = await reads();
    const found = await actAs(
      tx,
      team.agent,
      () => tx`select title from public.search_chunks(${[knowledge]}, 'harbour', '[]', 50, 'text')`,
    );
    expect(found).toEqual([{ title: "Text 7" }]);
    // That of the passage's document, not of all.
    expect((await reads()) - before).toBe(1);
    // The next statement is not narrowed.
    const all = await actAs(tx, team.agent, () => tx`select from public.documents`);
    expect(all).toHaveLength(texts.length);
  });
});

it("a passage's words have whole weights, as a search reads them, however long it is", async () => {
  const [row] = await sql<{ words: string[] }[]>`
    select array_agg(private.chunk_words('en', t.title, '', t.content)::text) as words
      from (values ('', 'Harbour.'), ('Harbour', repeat('harbour ', 300)),
                   ('River', (select string_agg('word' || i, ' ') || repeat(' harbour', 9) from generate_series(1, 900) i)))
           t (title, content)`;
  for (const words of row?.words ?? []) expect(words).toMatch(/^\{\d+:[1-9]\d?(,\d+:[1-9]\d?)*\}\//);
  expect(row?.words).toHaveLength(3);
});

it("a read of passages shows an answering agent their documents alone, and none of another agent's", async () => {
  const team = await makeTeam(sql);
  const stranger = await makeTeam(sql);
  const knowledge = await makeKnowledge(sql, team, [
    { title: "One", content: "A river." },
    { title: "Two", content: "A lake." },
  ]);
  const secret = await makeKnowledge(sql, stranger, [{ title: "Secret", content: "A well." }]);
  const chunks = await sql<{ id: string; content: string }[]>`
    select id, content from public.chunks where knowledge_id = any (${[knowledge, secret]}::uuid[])`;
  const agent = { role: "authenticated", agent_id: team.agentId } as const;
  const idOf = (text: string) => chunks.find(({ content }) => content === text)?.id ?? "";
  const titles = async (passages: string[]) => {
    const read = await db.readOfPassages(
      agent,
      passages,
      (tx) => tx<{ title: string }[]>`select title from public.documents order by title`,
    );
    return read.map(({ title }) => title);
  };
  expect(await titles([idOf("A lake."), idOf("A well.")])).toEqual(["Two"]);
  // The next transaction on the same connection is not narrowed.
  expect(await db.readAsCaller(agent, (tx) => tx`select title from public.documents order by title`)).toEqual(
    [{ title: "One" }, { title: "Two" }],
  );
});
