// Measures hybrid search under row-level security with a hundred teams of very different sizes in the same tables: the time of a question
// by words, by vectors and by both, the recall of its vectors against an unrestricted exact scan, and what a small team waits while a large
// one searches. Prints; never fails. The arguments are the passages of the largest team (50,000), the dimensions of a vector (1,024) and the
// passages' languages, in turn (their knowledge bases'). On the embedded Postgres, then on a native one if TEST_DATABASE_URL names it.
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import type { Sql } from "postgres";
import { asCaller } from "../sql/acting.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { fillKnowledge, makeSpace, makeTeam, type SearchableTeam } from "../support/searchable.ts";

const largest = Number(process.argv[2] ?? 50_000);
const dimensions = Number(process.argv[3] ?? 1024);
const languages = process.argv.slice(4);
const depth = 10;
const questions = 15;
const searched = [largest, largest / 2.5, largest / 50, 36].map(Math.ceil);
/** The other teams, created at once. */
const others = { count: 96, size: 100 };
const modes = ["text", "vector", "hybrid"] as const;

/** Words with natural frequencies (Zipf and Mandelbrot), without a language's stop words. */
class Writer {
  readonly #shares: number[] = [];
  #seed = 7;

  constructor(vocabulary = 20_000) {
    let sum = 0;
    for (let rank = 1; rank <= vocabulary; rank++) {
      sum += 1 / (rank + 30);
      this.#shares.push(sum);
    }
  }

  /** 0 to 1, the same numbers in every run (Lehmer). */
  random(): number {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#seed / 2_147_483_647;
  }

  #word(): string {
    const at = this.random() * (this.#shares.at(-1) ?? 1);
    let [low, high] = [0, this.#shares.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#shares[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return `w${low.toString(36)}ord`;
  }

  passage(): string {
    return Array.from({ length: 160 }, () => this.#word()).join(" ");
  }

  /** Eight words of a passage and two others. */
  question(passage: string): string {
    const words = passage.split(" ");
    const some = Array.from({ length: 8 }, () => words[Math.floor(this.random() * words.length)]);
    return [...some, this.#word(), this.#word()].join(" ");
  }
}

const middle = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** Milliseconds of CPU that the database has used: its process for us, or our own when it is embedded. */
async function cpuOf(login: Sql, isNative: boolean): Promise<() => number> {
  if (!isNative) return () => process.cpuUsage().user / 1000;
  const [row] = await login<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return () => Number(readFileSync(`/proc/${row?.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}

/** The vector of one of a knowledge base's passages plus an equal amount of noise: like a question near it. */
async function questionNear(sql: Sql, knowledge: string, writer: Writer): Promise<number[]> {
  const [row] = await sql<{ embedding: string }[]>`
    select embedding::text from public.chunk_embeddings where knowledge_id = ${knowledge}
     offset floor(random() * 20) limit 1`;
  const numbers: number[] = JSON.parse(row?.embedding ?? "[]");
  return numbers.map((number) => Math.round(10_000 * (number + writer.random() - 0.5)));
}

async function nearest(sql: Sql, team: string, question: number[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with asked as materialized (select ${JSON.stringify(question)}::text::extensions.halfvec as v)
    select e.chunk_id as id from public.chunk_embeddings e, asked where e.team_id = ${team}
     order by (e.embedding operator(extensions.<=>) asked.v), e.chunk_id limit ${depth}`;
  return rows.map(({ id }) => id);
}

type Searched = { team: SearchableTeam; knowledge: string; size: number; samples: string[] };

function searchOnce(
  login: Sql,
  space: string,
  { team, knowledge }: Searched,
  text: string,
  vector: number[],
) {
  const asked = JSON.stringify([{ vectorId: space, embedding: JSON.stringify(vector) }]);
  return asCaller(
    login,
    team.owner,
    (tx) =>
      tx`select chunk_id from public.search_chunks(${[knowledge]}, ${text}, ${asked}::text::jsonb, ${depth})`,
  );
}

/** Prints how long a small team's search takes alone, and while a large team searches without a pause. */
async function measureWaiting(
  database: TestPostgres,
  sql: Sql,
  space: string,
  teams: Searched[],
  writer: Writer,
) {
  const small = teams.find(({ size }) => size === 36);
  if (!small) return;
  const connect = () => database.connect("authenticator", { max: 1 });
  const [own, others] = [connect(), connect()];
  const ask = async (login: Sql, one: Searched) =>
    searchOnce(
      login,
      space,
      one,
      writer.question(one.samples[0] ?? ""),
      await questionNear(sql, one.knowledge, writer),
    );
  const vector = await questionNear(sql, small.knowledge, writer);
  const text = writer.question(small.samples[0] ?? "");
  const times = async () => {
    const taken: number[] = [];
    for (let turn = 0; turn < 30; turn++) {
      const start = performance.now();
      await searchOnce(own, space, small, text, vector);
      taken.push(performance.now() - start);
    }
    return `${middle(taken).toFixed(1)} ms p50, ${Math.max(...taken).toFixed(1)} most`;
  };
  await times();
  console.log(`36 passages alone: ${await times()}`);
  for (const large of teams.filter(({ size }) => size > 1_000)) {
    let isOver = false;
    const searching = (async () => {
      while (!isOver) await ask(others, large);
    })();
    console.log(`36 passages while a team of ${large.size} searches: ${await times()}`);
    isOver = true;
    await searching;
  }
}

async function measure(engine: "embedded" | "native") {
  const isNative = engine === "native";
  const database = await startTestPostgres();
  const sql = database.connect("postgres", { max: 1 });
  const login = database.connect("authenticator", { max: 1 });
  const space = await makeSpace(sql, "random", dimensions, () => []);
  const writer = new Writer();
  const teams: Searched[] = [];
  const sizes = [...searched, ...Array.from({ length: others.count }, () => others.size)];
  const began = performance.now();
  for (const size of sizes) {
    const team = await makeTeam(sql);
    const samples: string[] = [];
    const passage = () => {
      const made = writer.passage();
      if (samples.length < questions) samples.push(made);
      return made;
    };
    const knowledge = await fillKnowledge(
      sql,
      team,
      space,
      size,
      passage,
      languages.length > 0 ? languages : undefined,
    );
    teams.push({ team, knowledge, size, samples });
  }
  await sql`vacuum analyze`;
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(
    `${engine}: ${sizes.length} teams, ${total} passages, ${dimensions} dimensions, made in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  );
  console.log("passages  mode     ms p50  ms most  CPU ms p50  recall@10");
  const cpu = await cpuOf(login, isNative);
  for (const { team, knowledge, size, samples } of teams.slice(0, searched.length)) {
    for (const mode of modes) {
      const times: number[] = [];
      const busy: number[] = [];
      let found = 0;
      for (let q = 0; q < questions; q++) {
        const vector = await questionNear(sql, knowledge, writer);
        const asked = JSON.stringify([{ vectorId: space.id, embedding: JSON.stringify(vector) }]);
        const text = writer.question(samples[q % samples.length] ?? "");
        const start = performance.now();
        const before = cpu();
        const rows = await asCaller(
          login,
          team.owner,
          (tx) => tx`
            select chunk_id from public.search_chunks(${[knowledge]}, ${text}, ${asked}::text::jsonb, ${depth}, ${mode})`,
        );
        times.push(performance.now() - start);
        busy.push(cpu() - before);
        if (mode !== "vector") continue;
        const got = new Set(rows.map((row) => row.chunk_id));
        found += (await nearest(sql, team.id, vector)).filter((id) => got.has(id)).length;
      }
      const recall = mode === "vector" ? (found / (questions * Math.min(depth, size))).toFixed(3) : "";
      console.log(
        [
          String(size).padStart(8),
          mode.padEnd(7),
          middle(times).toFixed(1).padStart(7),
          Math.max(...times)
            .toFixed(1)
            .padStart(8),
          middle(busy).toFixed(1).padStart(11),
          recall.padStart(10),
        ].join(" "),
      );
    }
  }
  await measureWaiting(database, sql, space.id, teams.slice(0, searched.length), writer);
  await database.stop();
}

const server = process.env.TEST_DATABASE_URL;
delete process.env.TEST_DATABASE_URL;
await measure("embedded");
if (server) {
  process.env.TEST_DATABASE_URL = server;
  await measure("native");
}
