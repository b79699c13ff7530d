// Measures what one team's indexing costs another team on the embedded Postgres: the time of a search of 36 passages alone, while 500 short
// documents are indexed, and while one text of 4 million characters is. Prints; never fails. The indexing runs in a process of its own,
// with a model that answers at once. The first argument is the number of documents (500), the second the characters of the text.
import { fork } from "node:child_process";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { asCaller } from "../sql/acting.ts";
import { startIndexingStand } from "../support/indexing-stand.ts";
import { startTestPostgres, type TestLogin } from "../support/postgres.ts";
import { fillKnowledge, makeSpace, makeTeam } from "../support/searchable.ts";

const dimensions = 1024;
const documents = Number(process.argv[2] ?? 500);
const characters = Number(process.argv[3] ?? 4_000_000);

let seed = 7;
/** 0 to 1, the same numbers in every run (Lehmer). */
const random = () => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
};
/** Few words are frequent and many rare, as in a language. */
const sentence = () =>
  `${Array.from({ length: 14 }, () => `w${Math.floor(20_000 * random() ** 3).toString(36)}ord`).join(" ")}.`;

const textOf = (sections: number) =>
  Array.from(
    { length: sections },
    (_, i) => `# Part ${i}\n\n${Array.from({ length: 12 }, sentence).join(" ")}`,
  ).join("\n\n");

const work: Record<string, () => string[]> = {
  [`${documents} documents`]: () => Array.from({ length: documents }, () => textOf(8)),
  [`${characters} characters`]: () => [textOf(Math.ceil(characters / 1000)).slice(0, characters)],
};

/** In the child: indexes until nothing is left. */
async function index(what: string): Promise<void> {
  const urls = JSON.parse(process.env.BENCH_URLS ?? "{}") as Record<TestLogin, string>;
  process.env.DATABASE_PREPARE ??= "true";
  const given = {
    url: (login: TestLogin) => urls[login],
    connect: (login: TestLogin, options = {}) => postgres(urls[login], { onnotice: () => {}, ...options }),
    stop: async () => {},
  };
  const stand = await startIndexingStand(given, dimensions);
  const ids: string[] = [];
  for (const [i, text] of (work[what]?.() ?? []).entries()) ids.push(await stand.addFile(`${i}.md`, text));
  const knowledge = await stand.addKnowledge([await stand.addSource(ids)]);
  await stand.sql`update public.knowledges set chunk_max_tokens = default, chunk_overlap_tokens = default where id = ${knowledge}`;
  const task = await stand.enqueue("index", { knowledge });
  const vectors = Array.from({ length: 256 }, () =>
    Float32Array.from({ length: dimensions }, () => Math.random() - 0.5),
  );
  const ticker = stand.ticker({ turnMs: 15_000 }, 1, async (texts) =>
    texts.map((_, i) => vectors[i % vectors.length] ?? new Float32Array(dimensions)),
  );
  process.send?.("begins");
  const start = performance.now();
  const before = process.cpuUsage();
  let rss = 0;
  const watching = setInterval(() => {
    rss = Math.max(rss, process.memoryUsage().rss);
  }, 50);
  await stand.settle(ticker);
  clearInterval(watching);
  const cpu = process.cpuUsage(before);
  const { status, error } = await stand.task(task);
  const [row] =
    await stand.sql`select count(*)::int as chunks from public.chunks where knowledge_id = ${knowledge}`;
  console.log(
    `  ${what}: ${status}${error ? ` (${error})` : ""}, ${row?.chunks} chunks in ${((performance.now() - start) / 1000).toFixed(1)} s, worker's CPU ${((cpu.user + cpu.system) / 1e6).toFixed(1)} s, resident at most ${Math.round(rss / 2 ** 20)} MiB`,
  );
  process.exit(0);
}

async function ask(): Promise<void> {
  const database = await startTestPostgres();
  const sql = database.connect("postgres", { max: 1 });
  const login = database.connect("authenticator", { max: 1 });
  const space = await makeSpace(sql, "random", dimensions, () => []);
  const team = await makeTeam(sql);
  const passage = (n: number) =>
    Array.from({ length: 80 }, (_, i) => `word${(n * 7 + i * i) % 997}`).join(" ");
  let made = 0;
  const knowledge = await fillKnowledge(sql, team, space, 36, () => passage(made++));
  const [row] =
    await sql`select embedding::text as v from public.chunk_embeddings where knowledge_id = ${knowledge} limit 1`;
  const asked = JSON.stringify([{ vectorId: space.id, embedding: row?.v }]);
  const question = passage(3).split(" ").slice(0, 8).join(" ");
  /** Asks every 100 ms, as people do, until it is over. */
  const times = async (isOver: (asked: number) => boolean) => {
    const taken: number[] = [];
    while (!isOver(taken.length)) {
      const start = performance.now();
      await asCaller(
        login,
        team.owner,
        (tx) =>
          tx`select chunk_id from public.search_chunks(${[knowledge]}, ${question}, ${asked}::text::jsonb, 10)`,
      );
      taken.push(performance.now() - start);
      await sleep(100);
    }
    const sorted = taken.toSorted((a, b) => a - b);
    const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
    return `${at(0.5)} ms p50, ${at(0.9)} p90, ${at(0.99)} p99, ${at(1)} most, of ${taken.length} searches`;
  };
  await times((asked) => asked >= 20);
  for (const what of Object.keys(work)) {
    console.log(`alone: ${await times((asked) => asked >= 50)}`);
    const urls = { postgres: database.url("postgres"), authenticator: database.url("authenticator") };
    const child = fork(fileURLToPath(import.meta.url), [...process.argv.slice(2, 4), "index", what], {
      env: { ...process.env, BENCH_URLS: JSON.stringify(urls) },
    });
    let isOver = false;
    const ended = new Promise<void>((resolve) => {
      child.once("exit", () => {
        isOver = true;
        resolve();
      });
    });
    const before = process.cpuUsage();
    await new Promise((resolve) => child.once("message", resolve));
    console.log(`meanwhile: ${await times(() => isOver)}`);
    await ended;
    const cpu = process.cpuUsage(before);
    console.log(`  the database's process: ${((cpu.user + cpu.system) / 1e6).toFixed(1)} s of CPU`);
  }
  await database.stop();
}

const at = process.argv.indexOf("index");
await (at > 0 ? index(process.argv[at + 1] ?? "") : ask());
