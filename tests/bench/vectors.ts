// Measures exact vector search under row-level security where a hundred teams of very different sizes share the tables: how
// long one question takes, and whether it finds what an unrestricted scan finds. Prints; never fails. The argument says how
// many passages the largest team has (50,000).
import { performance } from "node:perf_hooks";
import type { Sql } from "postgres";
import { asCaller } from "../sql/acting.ts";
import { startTestPostgres } from "../support/postgres.ts";
import { makeKnowledge, makeSpace, makeTeam, type SearchableTeam } from "../support/searchable.ts";

const largest = Number(process.argv[2] ?? 50_000);
const dimensions = 1024;
const depth = 10;
const questions = 5;
const searched = [largest, largest / 2.5, largest / 10, largest / 50, 100].map(Math.ceil);
/** The teams besides, in one go. */
const others = { count: 95, size: 100 };

/** Passages as alike as real ones are: each is the sum of two of a thousand directions. */
async function fill(sql: Sql, space: string, knowledge: string, size: number): Promise<void> {
  for (let from = 0; from < size; from += 5_000) {
    const count = Math.min(5_000, size - from);
    await sql`
      with made as (
        insert into public.chunks (team_id, knowledge_id, source_id, document_id, position, content, start_offset,
               end_offset, tokens, content_hash, lexemes)
        select d.team_id, ${knowledge}, d.source_id, d.id, ${from} + n, 'words', 0, 5, 1, '', ''
          from public.document_indexes i join public.documents d on d.id = i.document_id
         cross join generate_series(1, ${count}::int) n where i.knowledge_id = ${knowledge}
        returning id, team_id, position)
      insert into public.chunk_embeddings (team_id, knowledge_id, vector_id, chunk_id, dimensions, embedding)
      select m.team_id, ${knowledge}, ${space}, m.id, ${dimensions},
             one.v operator(extensions.+) other.v
        from made m join pool one on one.id = m.position % 1000
        join pool other on other.id = (m.position * 7 + m.position / 1000) % 1000`;
  }
}

async function main() {
  const database = await startTestPostgres();
  const sql = database.connect("postgres", { max: 1 });
  const login = database.connect("authenticator", { max: 1 });
  const space = await makeSpace(sql, "random", dimensions, () => []);
  await sql`
    create temporary table pool as
    select n as id, (select array_agg(random() - 0.5 + (n + d) * 0) from generate_series(1, ${dimensions}::int) d)::extensions.halfvec as v
      from generate_series(0, 999) n`;
  const teams: { team: SearchableTeam; knowledge: string; size: number }[] = [];
  const sizes = [...searched, ...Array.from({ length: others.count }, () => others.size)];
  for (const size of sizes) {
    const team = await makeTeam(sql);
    const knowledge = await makeKnowledge(sql, team, [{ title: "D", content: "words" }]);
    await sql`update public.knowledges set vector_id = ${space.id} where id = ${knowledge}`;
    await sql`delete from public.chunks where knowledge_id = ${knowledge}`;
    await fill(sql, space.id, knowledge, size);
    teams.push({ team, knowledge, size });
  }
  await sql`vacuum analyze public.chunk_embeddings`;
  console.log(
    `${sizes.length} teams, ${sizes.reduce((sum, size) => sum + size, 0)} passages, ${dimensions} dimensions`,
  );
  console.log("passages  ms p50  ms most  recall@10");
  for (const { team, knowledge, size } of teams.slice(0, searched.length)) {
    const times: number[] = [];
    let found = 0;
    for (let q = 0; q < questions; q++) {
      const question = Array.from({ length: dimensions }, (_, i) => Math.sin((q + 1) * (i + 1) * 0.37));
      const exact = await sql`
        with asked as materialized (select ${JSON.stringify(question)}::text::extensions.halfvec as v)
        select e.chunk_id from public.chunk_embeddings e, asked where e.team_id = ${team.id}
         order by (e.embedding operator(extensions.<=>) asked.v), e.chunk_id limit ${depth}`;
      const asked = JSON.stringify([{ vectorId: space.id, embedding: question }]);
      const began = performance.now();
      const rows = await asCaller(
        login,
        team.owner,
        (tx) => tx`
          select chunk_id from public.search_chunks(${[knowledge]}, 'any', ${asked}::text::jsonb, ${depth}, 'vector')`,
      );
      times.push(performance.now() - began);
      const got = new Set(rows.map((row) => row.chunk_id));
      found += exact.filter((row) => got.has(row.chunk_id)).length;
    }
    times.sort((a, b) => a - b);
    const middle = times[Math.floor(times.length / 2)] ?? 0;
    console.log(
      [
        String(size).padStart(8),
        middle.toFixed(0).padStart(7),
        (times.at(-1) ?? 0).toFixed(0).padStart(8),
        (found / (questions * depth)).toFixed(3).padStart(10),
      ].join(" "),
    );
  }
  await database.stop();
}

await main();
