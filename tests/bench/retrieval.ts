// Measures search on collections with known answers, through the product's own search on the embedded Postgres. Collections are never part
// of the repository: the first argument names their folder.
import type { Sql } from "postgres";
import { modelClient } from "../../edge-functions/_shared/models/models.ts";
import { asCaller } from "../sql/acting.ts";
import { startOfflineModels } from "../support/offline-models.ts";
import { startTestPostgres } from "../support/postgres.ts";
import {
  makeKnowledge,
  makeSpace,
  makeTeam,
  type SearchableTeam,
  type Space,
} from "../support/searchable.ts";
import { type Collection, collectionsIn, formOfCollections, ndcg, recall, textsOf } from "./collections.ts";

const howTo = `npx tsx tests/bench/retrieval.ts FOLDER
${formOfCollections}
With --simulated, searches each with embeddings that know the answers to a degree, from poor to nearly perfect, and says by how
much the search by both falls behind the better of the two lists. It shows the fusion, not a model.`;

const modes = ["text", "vector", "hybrid"] as const;

type Search = { sql: Sql; login: Sql; space: Space };

/** @returns nDCG@10 by mode */
async function measure(
  { sql, login, space }: Search,
  team: SearchableTeam,
  collection: Collection,
  label = collection.name,
): Promise<Map<string, number>> {
  const { queries, gains } = collection;
  const { texts, names } = textsOf(collection);
  const knowledge = await makeKnowledge(sql, team, texts, { space });
  await sql`vacuum analyze`;
  const judged = queries.filter(({ id }) => gains.has(id));
  const embeddings = await space.embed(judged.map(({ text }) => text));
  const found = new Map<string, number>();
  for (const mode of modes) {
    const scores = { ndcg: 0, recall: 0, ms: [] as number[] };
    for (const [i, { id, text }] of judged.entries()) {
      const asked = JSON.stringify([{ vectorId: space.id, embedding: [...(embeddings[i] ?? [])] }]);
      const began = performance.now();
      const rows = await asCaller(
        login,
        team.owner,
        (tx) => tx<{ document_id: string }[]>`
          select document_id from public.search_chunks(${[knowledge]}, ${text}, ${asked}::text::jsonb, 50, ${mode})`,
      );
      scores.ms.push(performance.now() - began);
      const ranked = rows.map((row) => names.get(row.document_id) ?? "");
      scores.ndcg += ndcg(ranked, gains.get(id) ?? new Map());
      scores.recall += recall(ranked, gains.get(id) ?? new Map());
    }
    report({ ...collection, name: label }, mode, judged.length, scores);
    found.set(mode, scores.ndcg / judged.length);
  }
  return found;
}

const simulatedDimensions = 256;
/** The share of a question's direction in a text that answers it, beside its own direction. */
const knowing = [0.12, 0.16, 0.2, 0.25, 0.3, 0.4, 0.6];

/** The same numbers in every run: mulberry32, with two per normal number (Box and Muller). */
function normalNumbers(seed: number): () => number {
  let state = seed;
  const even = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return () => Math.sqrt(-2 * Math.log(1 - even())) * Math.cos(2 * Math.PI * even());
}

function direction(next: () => number): Float32Array {
  const vector = Float32Array.from({ length: simulatedDimensions }, next);
  const length = Math.hypot(...vector);
  return vector.map((one) => one / length);
}

/**
 * Simulated embeddings of a collection: each question has a direction, shared in part by the texts that answer it, and all have one in
 * common.
 */
function simulateEmbeddings({ docs, queries, gains }: Collection, share: number): Space["embed"] {
  const next = normalNumbers(1);
  const common = direction(next);
  const questions = queries.map((query) => ({ ...query, vector: direction(next) }));
  const vectors = new Map<string, Float32Array>();
  const most = Math.max(...[...gains.values()].flatMap((own) => [...own.values()]));
  for (const { id, title, text } of docs) {
    const vector = direction(next).map((one, i) => one + 0.6 * (common[i] ?? 0));
    for (const { id: asked, vector: aim } of questions) {
      const gain = gains.get(asked)?.get(id);
      if (gain)
        for (const i of vector.keys())
          vector[i] = (vector[i] ?? 0) + share * (0.5 + gain / most) * (aim[i] ?? 0);
    }
    vectors.set(`${title.slice(0, 500).trim() || id}\n${text || title}`, vector);
  }
  for (const { text, vector } of questions)
    vectors.set(
      text,
      vector.map((one, i) => one + 0.6 * (common[i] ?? 0)),
    );
  return (texts) => texts.map((text) => vectors.get(text) ?? direction(next));
}

async function simulate(sql: Sql, login: Sql, collection: Collection) {
  for (const share of knowing) {
    const embed = simulateEmbeddings(collection, share);
    const space = await makeSpace(sql, `simulated-${collection.name}-${share}`, simulatedDimensions, embed);
    const label = `${collection.name} ~${share}`;
    const found = await measure({ sql, login, space }, await makeTeam(sql), collection, label);
    const better = Math.max(found.get("text") ?? 0, found.get("vector") ?? 0);
    console.log(
      `${label.padEnd(16)} both: ${((found.get("hybrid") ?? 0) - better).toFixed(4)} beside the better list`,
    );
  }
}

function report(
  { name, docs }: Collection,
  mode: string,
  count: number,
  scores: { ndcg: number; recall: number; ms: number[] },
) {
  const median = scores.ms.toSorted((a, b) => a - b)[Math.floor(count / 2)] ?? 0;
  console.log(
    [
      name.padEnd(16),
      String(docs.length).padStart(7),
      String(count).padStart(8),
      mode.padEnd(7),
      (scores.ndcg / count).toFixed(4).padStart(8),
      (scores.recall / count).toFixed(4).padStart(10),
      median.toFixed(1).padStart(8),
    ].join(" "),
  );
}

async function main() {
  const folder = process.argv.slice(2).find((word) => !word.startsWith("-"));
  const collections = collectionsIn(folder ?? "");
  if (collections.length === 0) return console.log(howTo);
  const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_EMBEDDING_MODEL } = process.env;
  const offline = await startOfflineModels();
  const models = modelClient(
    OPENAI_API_KEY || OPENAI_BASE_URL
      ? { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_EMBEDDING_MODEL }
      : { OPENAI_BASE_URL: offline.baseUrl, OPENAI_EMBEDDING_MODEL: "offline-hash-2" },
  );
  const database = await startTestPostgres();
  const sql = database.connect("postgres", { max: 1 });
  const { embedding, dimensions } = models.inUse;
  const space = await makeSpace(sql, embedding, dimensions, (texts) => models.embed(texts));
  console.log(`embedding: ${embedding}, ${dimensions} dimensions`);
  console.log("collection          docs  queries mode     nDCG@10  recall@20   ms p50");
  const login = database.connect("authenticator", { max: 1 });
  for (const collection of collections) {
    if (process.argv.includes("--simulated")) await simulate(sql, login, collection);
    else await measure({ sql, login, space }, await makeTeam(sql), collection);
  }
  await database.stop();
  await offline.stop();
}

await main();
