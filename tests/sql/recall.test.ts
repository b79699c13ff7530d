// Recall under row-level security, against an exact search without it: a hundred teams of very different sizes in the same tables. Each
// finds its own nearest passages, nobody else's, and reads no other's on the way.
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { makeSpace, makeTeam, type SearchableTeam } from "../support/searchable.ts";
import { asCaller } from "./acting.ts";

const teamsCount = 100;
const largest = 1_500;
/** Enough for the comparison of signs first. */
const dimensions = 256;
const depth = 10;

let database: TestPostgres;
let sql: Sql;
let login: Sql;
let space: string;
const searchers: { team: SearchableTeam; size: number; rank: number }[] = [];
const isSearched = (rank: number) => rank <= 10 || rank % 9 === 0;
/** A realistic distribution: the tenth has a tenth of the first's size. */
const sizeOf = (rank: number) => Math.ceil(largest / rank);

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  login = database.connect("authenticator", { max: 1 });
  space = (await makeSpace(sql, "random", dimensions, () => [])).id;
  const ranks = Array.from({ length: teamsCount }, (_, i) => i + 1);
  for (const rank of ranks.filter(isSearched)) {
    searchers.push({ team: await makeTeam(sql), size: sizeOf(rank), rank });
  }
  const others = await sql<{ id: string; rank: number }[]>`
    insert into public.teams (name, codename)
    select 'Team', 'recall-' || rank from unnest(${ranks.filter((rank) => !isSearched(rank))}::int[]) rank
    returning id, split_part(codename, '-', 2)::int as rank`;
  const teams = [...searchers.map(({ team, rank }) => ({ id: team.id, rank })), ...others];
  const ids = teams.map(({ id }) => id);
  await sql`insert into public.knowledges (team_id, name, vector_id, status)
            select t, 'K', ${space}, 'ready' from unnest(${ids}::uuid[]) t`;
  await sql`insert into public.sources (team_id, type, name) select t, 'file', 'S' from unnest(${ids}::uuid[]) t`;
  await sql`insert into public.documents (team_id, source_id, external_id, type, title, content)
            select s.team_id, s.id, 'd', 'file', 'D', 'words' from public.sources s where s.name = 'S'`;
  await sql`
    insert into public.chunks (team_id, knowledge_id, source_id, document_id, position, content, start_offset, end_offset,
           tokens, content_hash)
    select d.team_id, k.id, d.source_id, d.id, n, 'words', 0, 5, 1, ''
      from unnest(${ids}::uuid[], ${teams.map(({ rank }) => sizeOf(rank))}::int[]) as t (id, size)
      join public.documents d on d.team_id = t.id join public.knowledges k on k.team_id = t.id
     cross join lateral generate_series(1, t.size) n`;
  await sql`insert into public.chunk_words (team_id, knowledge_id, chunk_id, words)
            select c.team_id, c.knowledge_id, c.id, private.chunk_words('simple', 'D', '', c.content) from public.chunks c`;
  await sql`select setseed(0.5)`;
  await sql`
    insert into public.chunk_embeddings (team_id, knowledge_id, vector_id, chunk_id, dimensions, embedding)
    select c.team_id, c.knowledge_id, ${space}, c.id, ${dimensions},
           (select array_agg(random() - 0.5 + (n + c.position) * 0) from generate_series(1, ${dimensions}::int) n)::extensions.halfvec
      from public.chunks c`;
});
afterAll(() => database?.stop());

it("a search finds what an exact search finds, for large teams and small ones", async () => {
  const counts = { large: { expected: 0, found: 0 }, small: { expected: 0, found: 0 } };
  const knowledges = await sql<
    { id: string; team: string }[]
  >`select id, team_id as team from public.knowledges`;
  // The largest twelve times, since few are large enough for signs to omit anything.
  const asking = [
    ...searchers,
    ...Array.from({ length: 11 }, () => searchers.find(({ rank }) => rank === 1)),
  ];
  for (const [turn, searcher] of asking.entries()) {
    if (!searcher) throw new Error("A team of the first rank searches");
    const { team, size, rank } = searcher;
    // Mostly zeros, like a short question embedded by its words.
    const question = Array.from({ length: dimensions }, (_, i) =>
      i % 8 ? 0 : Math.sin((turn + 1) * (i + 1)),
    );
    const exact = await sql`
      select e.chunk_id from public.chunk_embeddings e where e.team_id = ${team.id}
       order by (e.embedding operator(extensions.<=>) ${JSON.stringify(question)}::text::extensions.halfvec), e.chunk_id limit ${depth}`;
    // A list of numbers, or the same as a text.
    const embedding = turn % 2 ? question : JSON.stringify(question);
    const asked = JSON.stringify([{ vectorId: space, embedding }]);
    // A search over everybody's knowledge bases returns the caller's own.
    const everything = knowledges.map(({ id }) => id);
    const own = knowledges.filter((one) => one.team === team.id).map(({ id }) => id);
    const rows = await asCaller(
      login,
      team.owner,
      (tx) => tx`
        select chunk_id, knowledge_id from public.search_chunks(${everything}, 'any', ${asked}::text::jsonb, ${depth}, 'vector')`,
    );
    expect(new Set(rows.map((row) => row.knowledge_id))).toEqual(new Set(own));
    expect(rows).toHaveLength(Math.min(depth, size));
    const got = new Set(rows.map((row) => row.chunk_id));
    const count = rank === 1 ? counts.large : counts.small;
    count.expected += exact.length;
    count.found += exact.filter((row) => got.has(row.chunk_id)).length;
  }
  expect(counts.small.expected).toBeGreaterThan(150);
  expect(counts.small.found).toBe(counts.small.expected);
  expect(counts.large.found / counts.large.expected).toBeGreaterThanOrEqual(0.98);
});

it("a search reads by index, and no rows of other teams", async () => {
  await sql`analyze`;
  const searcher = searchers.find(({ rank }) => rank === 9);
  if (!searcher) throw new Error("A team of the ninth rank searches");
  const { team, size } = searcher;
  const [knowledge] = await sql<
    { id: string }[]
  >`select id from public.knowledges where team_id = ${team.id} and name = 'K'`;
  const vector = Array.from({ length: dimensions }, (_, i) => Math.sin(i));
  const asked = JSON.stringify([{ vectorId: space, embedding: vector }]);
  // Counters of earlier transactions are delayed for a second.
  await login`select pg_stat_force_next_flush()`;
  const read = await asCaller(login, team.owner, async (tx) => {
    const ids = [knowledge?.id ?? ""];
    const rows =
      await tx`select chunk_id from public.search_chunks(${ids}, 'words', ${asked}::text::jsonb, ${depth})`;
    expect(rows).toHaveLength(depth);
    return await tx<{ name: string; scanned: number; fetched: number }[]>`
      select relname as name, seq_tup_read::int as scanned, coalesce(idx_tup_fetch, 0)::int as fetched
        from pg_catalog.pg_stat_xact_user_tables where relname in ('chunk_words', 'chunk_embeddings', 'chunks')`;
  });
  expect(read.map(({ name, scanned }) => [name, scanned]).toSorted()).toEqual([
    ["chunk_embeddings", 0],
    ["chunk_words", 0],
    ["chunks", 0],
  ]);
  for (const { name, fetched } of read)
    expect([name, fetched, fetched <= 4 * size]).toEqual([name, fetched, true]);
});
