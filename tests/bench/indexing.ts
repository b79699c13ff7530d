// Measures indexing end to end with an instant model: chunks a second, time by step, and whether memory grows with the number of documents.
// Prints; never fails. The first argument is the number of documents (500).
import { performance } from "node:perf_hooks";
import { Budget } from "../../edge-functions/indexing/budget.ts";
import { startFuse } from "../support/fuse.ts";
import { startIndexingStand } from "../support/indexing-stand.ts";

const documents = Number(process.argv[2] ?? 500);
/** As the built-in model's. */
const dimensions = 1024;
const sections = 12;
/** A source's settings hold at most this many. */
const filesPerSource = 1000;

const textOf = (file: number) =>
  Array.from(
    { length: sections },
    (_, i) =>
      `# Part ${i} of ${file}\n\n${Array.from({ length: 6 }, (_, n) => `In file ${file}, part ${i}, sentence ${n} says something of its own.`).join(" ")}`,
  ).join("\n\n");

/** Prepared in advance, all different, without zeros. */
const vectors = Array.from({ length: 256 }, () =>
  Float32Array.from({ length: dimensions }, () => Math.random() - 0.5),
);
const none = new Float32Array(dimensions);

const spent = { parsing: 0, model: 0 };

/** Counts the CPU time of slices as parsing and chunking. */
function watchComputing(): void {
  const turnOf = Budget.prototype.turn;
  Budget.prototype.turn = function watched() {
    const turn = turnOf.call(this);
    return {
      ...turn,
      compute: async (work) => {
        const before = performance.now();
        try {
          return await turn.compute(work);
        } finally {
          spent.parsing += performance.now() - before;
        }
      },
    };
  };
}

async function main(): Promise<void> {
  watchComputing();
  // As the stack does for the embedded Postgres.
  process.env.DATABASE_PREPARE ??= "true";
  const stand = await startIndexingStand(undefined, dimensions);
  const url = new URL(process.env.DATABASE_URL ?? "");
  const fuse = await startFuse(Number(url.port));
  url.port = String(fuse.port);
  process.env.DATABASE_URL = url.href;
  const sources: string[] = [];
  for (let from = 0; from < documents; from += filesPerSource) {
    const ids: string[] = [];
    for (let i = from; i < Math.min(documents, from + filesPerSource); i++)
      ids.push(await stand.addFile(`${i}.md`, textOf(i)));
    sources.push(await stand.addSource(ids));
  }
  const knowledge = await stand.addKnowledge(sources);
  const task = await stand.enqueue("index", { knowledge });
  let next = 0;
  const ticker = stand.ticker({ turnMs: 5_000, wallMs: 5_000 }, 1, async (texts) => {
    const before = performance.now();
    const answer = texts.map(() => vectors[next++ % vectors.length] ?? none);
    spent.model += performance.now() - before;
    return answer;
  });
  const startedAt = performance.now();
  const cpuAtStart = process.cpuUsage();
  const memory: string[] = [];
  for (let more = true; more; ) {
    more = (await ticker.tick()).more;
    const { done } = await stand.task(task);
    const { rss, heapUsed } = process.memoryUsage();
    memory.push(`${done}: ${Math.round(heapUsed / 2 ** 20)} / ${Math.round(rss / 2 ** 20)}`);
  }
  const wall = performance.now() - startedAt;
  const cpu = process.cpuUsage(cpuAtStart);
  const [row] = await stand.sql`select count(*)::int as chunks from public.chunks`;
  const { busyMs, messages } = fuse.traffic();
  const share = (ms: number) => `${((100 * ms) / wall).toFixed(1)} %`;
  console.log(`${documents} documents, ${row?.chunks} chunks in ${(wall / 1000).toFixed(1)} s`);
  console.log(`chunks a second      ${(((row?.chunks ?? 0) * 1000) / wall).toFixed(0)}`);
  console.log(`messages a document  ${(messages / documents).toFixed(1)}`);
  const cpuSeconds = (cpu.user + cpu.system) / 1e6;
  console.log(`CPU of the process, database included: ${cpuSeconds.toFixed(1)} s`);
  console.log(`chunks a second of it ${((row?.chunks ?? 0) / cpuSeconds).toFixed(0)}`);
  console.log(`parsing and cutting  ${share(spent.parsing)}`);
  console.log(`model                ${share(spent.model)}`);
  console.log(`database             ${share(busyMs)}`);
  console.log(`everything else      ${share(wall - spent.parsing - spent.model - busyMs)}`);
  console.log(
    `MiB of heap / resident after n documents: ${memory.filter((_, i) => i % Math.ceil(memory.length / 12) === 0).join(", ")}`,
  );
  await fuse.stop();
  await stand.stop();
}

await main();
