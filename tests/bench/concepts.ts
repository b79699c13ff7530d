// Measures concepts learnt from a team's own texts (latent semantic analysis) in search with the built-in embedding, on collections with
// known answers: as a third list beside words and vectors, instead of the vectors, or instead of neighbours. The lists come from the
// product's own functions; their fusion is repeated here, and the first row verifies it against public.search_chunks. Prints; never fails.
import type { Sql } from "postgres";
import { hashEmbedding, hashModel } from "../../supabase/local/models/hash.ts";
import { asCaller } from "../sql/acting.ts";
import { startTestPostgres } from "../support/postgres.ts";
import {
  makeKnowledge,
  makeSpace,
  makeTeam,
  type SearchableTeam,
  type Space,
} from "../support/searchable.ts";
import { type Collection, collectionsIn, formOfCollections, ndcg, textsOf } from "./collections.ts";
import { fuse, type Hit, type Lists, mean, Nearness, today, variants } from "./fusion.ts";
import { type Concepts, dot, learnConcepts, placeAmong, unit, type Weighed } from "./latent.ts";

const howTo = `npx tsx tests/bench/concepts.ts FOLDER [--choose=NAME,NAME]
${formOfCollections}
A collection whose name ends in -fr is in French. The variant that is best on average on the collections of --choose is reported on
the others, too. --dimensions=256 says how many concepts are learnt, --cost=5000 how many texts they are timed with.`;

const option = (name: string) =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const dimensions = Number(option("dimensions") ?? 256);
const costTexts = Number(option("cost") ?? 5_000);
const depth = 100;

/** Parses {1:5,7:3}/1000000000 into pairs. */
const parse = (sparse: string) =>
  sparse
    .slice(1, sparse.indexOf("}"))
    .split(",")
    .filter(Boolean)
    .map((pair) => pair.split(":").map(Number) as [number, number]);

class Vocabulary {
  readonly #numbers = new Map<number, number>();
  readonly #rarity: number[] = [];
  readonly size: number;

  /** Words in at least two texts: a word of a single text links nothing. */
  constructor(texts: [number, number][][]) {
    const holders = new Map<number, number>();
    for (const text of texts) for (const [place] of text) holders.set(place, (holders.get(place) ?? 0) + 1);
    for (const [place, count] of holders) {
      if (count < 2) continue;
      this.#numbers.set(place, this.#rarity.length);
      this.#rarity.push(Math.log(1 + (texts.length - count + 0.5) / (count + 0.5)));
    }
    this.size = this.#rarity.length;
  }

  weigh(text: [number, number][], toLengthOne = true): Weighed {
    const known = text.flatMap(([place, share]) => {
      const number = this.#numbers.get(place);
      return number === undefined ? [] : [[number, share * (this.#rarity[number] ?? 0)] as const];
    });
    const weighed = Float64Array.from(known, ([, weight]) => weight);
    return {
      words: Int32Array.from(known, ([number]) => number),
      weights: toLengthOne ? unit(weighed) : weighed,
    };
  }
}

type Measured = { name: string; scores: Map<string, number[]>; asIs: number };

async function measure(
  sql: Sql,
  login: Sql,
  space: Space,
  team: SearchableTeam,
  collection: Collection,
): Promise<Measured> {
  const { name, queries, gains } = collection;
  const { texts, names } = textsOf(collection);
  const language = name.endsWith("-fr") ? "fr" : "en";
  const knowledge = await makeKnowledge(sql, team, texts, { space, language });
  await sql`vacuum analyze`;
  const rows = await sql<{ id: string; document: string; words: string }[]>`
    select c.id, c.document_id as document, w.words::text from public.chunks c
      join public.chunk_words w on w.chunk_id = c.id where c.knowledge_id = ${knowledge} order by c.id`;
  const byDocument = new Map(rows.map(({ id, document }) => [document, id]));
  const document = new Map(rows.map((row) => [row.id, names.get(row.document) ?? ""]));
  const vectors = new Map(
    texts.map(({ id = "", title, content }) => [
      byDocument.get(id) ?? "",
      unit(hashEmbedding(`${title}\n${content}`)),
    ]),
  );
  const parsed = rows.map(({ words }) => parse(words));
  const vocabulary = new Vocabulary(parsed);
  const weighed = parsed.map((text) => vocabulary.weigh(text));
  const concepts = learnConcepts(weighed, vocabulary.size, dimensions);
  const places = new Map(rows.map(({ id }, i) => [id, placeAmong(concepts, weighed[i] as Weighed)]));
  const scores = new Map<string, number[]>(variants.map((variant) => [variant.name, []]));
  let asIs = 0;
  for (const query of queries.filter(({ id }) => gains.has(id))) {
    const asked = await ask(
      { login, team, knowledge, space, language },
      query.text,
      vocabulary,
      concepts,
      places,
    );
    const judged = { ...asked, byHash: new Nearness(vectors), byConcepts: new Nearness(places) };
    const quality = (ids: string[]) =>
      ndcg(
        ids.map((id) => document.get(id) ?? ""),
        gains.get(query.id) ?? new Map(),
      );
    asIs += quality(asked.today);
    for (const variant of variants) scores.get(variant.name)?.push(quality(fuse(judged, variant)));
  }
  return { name, scores, asIs: asIs / (scores.get(today.name)?.length || 1) };
}

type Place = { login: Sql; team: SearchableTeam; knowledge: string; space: Space; language: string };

async function ask(
  { login, team, knowledge, space, language }: Place,
  question: string,
  vocabulary: Vocabulary,
  concepts: Concepts,
  places: Map<string, Float64Array>,
): Promise<Lists> {
  const embeddings = JSON.stringify([{ vectorId: space.id, embedding: [...hashEmbedding(question)] }]);
  const [row] = await asCaller(
    login,
    team.owner,
    (tx) => tx<{ text: Hit[] | null; vector: Hit[] | null; today: string[]; words: [number, number][] }[]>`
      with t as materialized (
        select t.ids, t.scores from private.rank_text(${[knowledge]}, ${question}, ${depth}) t
      ), asked as materialized (
        select extensions.l2_normalize(${JSON.stringify([...hashEmbedding(question)])}::text::extensions.halfvec) as question
      )
      select (select jsonb_agg(jsonb_build_object('id', u.id, 'score', u.score) order by u.score desc, u.id)
                from t cross join unnest(t.ids, t.scores) u (id, score)) as text,
             (select jsonb_agg(jsonb_build_object('id', u.id, 'score', u.score) order by u.score desc, u.id)
                from t cross join asked a
               cross join private.rank_vectors(${[knowledge]}, ${space.id}, a.question, t.ids[1:2], t.ids, false, ${depth}) v
               cross join unnest(v.ids, v.scores) u (id, score)) as vector,
             array(select s.chunk_id from public.search_chunks(${[knowledge]}, ${question}, ${embeddings}::text::jsonb, 50) s) as today,
             (select jsonb_agg(jsonb_build_array(1 + (hashtext(l.lexeme) & 536870911), cardinality(l.positions)))
                from unnest(to_tsvector(private.search_config(${language}), ${question})) l) as words`,
  );
  const own = vocabulary.weigh((row?.words ?? []).map(([place, count]) => [place, count]));
  const place = placeAmong(concepts, own);
  const text = row?.text ?? [];
  const trusted = text.slice(0, 2).map(({ id }) => places.get(id) ?? place);
  const pull = place.map(
    (value, k) =>
      value + (0.5 * trusted.reduce((sum, one) => sum + (one[k] ?? 0), 0)) / (trusted.length || 1),
  );
  const nearest = (target: Float64Array) =>
    [...places]
      .map(([id, one]) => ({ id, score: dot(one, target) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, depth);
  return {
    text,
    vector: row?.vector ?? [],
    today: row?.today ?? [],
    concepts: nearest(place),
    pulled: nearest(unit(pull)),
  };
}

const withSign = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(4)}`;

function compare({ name, scores }: Measured, variant: string): { line: string; gain: number } {
  const before = scores.get(today.name) ?? [];
  const differences = (scores.get(variant) ?? []).map((score, i) => score - (before[i] ?? 0));
  const gain = mean(differences);
  const error = Math.sqrt(
    mean(differences.map((one) => (one - gain) ** 2)) / Math.max(1, differences.length - 1),
  );
  const won = differences.filter((one) => one > 1e-9).length;
  const lost = differences.filter((one) => one < -1e-9).length;
  return {
    gain,
    line: [
      name.padEnd(18),
      String(before.length).padStart(4),
      mean(before).toFixed(4),
      mean(scores.get(variant) ?? []).toFixed(4),
      `${withSign(gain)} ± ${error.toFixed(4)}`,
      `${won} better, ${lost} worse`,
    ].join("  "),
  };
}

function judge(measured: Measured[], chosenOn: Set<string>): void {
  const groups = {
    chosen: measured.filter(({ name }) => chosenOn.has(name)),
    heldBack: measured.filter(({ name }) => !chosenOn.has(name)),
  };
  console.log(
    `\n${"nDCG@10, then what each variant adds to it".padEnd(52)}${measured.map(({ name }) => name.slice(0, 9).padStart(10)).join("")}`,
  );
  const gainOn = (sets: Measured[], variant: string) => mean(sets.map((one) => compare(one, variant).gain));
  const ranked = variants
    .map(({ name }) => ({ name, gain: gainOn(groups.chosen, name), heldBack: gainOn(groups.heldBack, name) }))
    .sort((a, b) => b.gain - a.gain);
  console.log(
    `${today.name.padEnd(52)}${measured
      .map((one) =>
        mean(one.scores.get(today.name) ?? [])
          .toFixed(4)
          .padStart(10),
      )
      .join("")}`,
  );
  for (const { name } of ranked)
    console.log(
      `${name.padEnd(52)}${measured.map((one) => withSign(compare(one, name).gain).padStart(10)).join("")}`,
    );
  console.log("\nvariants, by their mean gain on the collections that are chosen on; then on the others");
  for (const { name, gain, heldBack } of ranked)
    console.log(`${name.padEnd(52)} ${withSign(gain)}  ${withSign(heldBack)}`);
  const best = ranked[0]?.name ?? today.name;
  console.log(`\nchosen: ${best}\ncollection  questions  today  with it  difference ± standard error`);
  for (const one of groups.chosen) console.log(`  ${compare(one, best).line}`);
  console.log("held back:");
  for (const one of groups.heldBack) console.log(`  ${compare(one, best).line}`);
}

/** CPU seconds to learn the concepts of this many texts, and milliseconds per question. */
async function cost(sql: Sql, collection: Collection): Promise<void> {
  const texts = collection.docs.filter(({ title, text }) => `${title}${text}`.trim()).slice(0, costTexts);
  const rows = await sql<{ words: string }[]>`
    select private.chunk_words('en', t.title, '', t.content)::text as words
      from jsonb_to_recordset(${JSON.stringify(texts.map(({ title, text }) => ({ title, content: text || title })))}::text::jsonb)
        as t (title text, content text)`;
  const before = process.cpuUsage();
  const parsed = rows.map(({ words }) => parse(words));
  const vocabulary = new Vocabulary(parsed);
  const weighed = parsed.map((text) => vocabulary.weigh(text));
  const concepts = learnConcepts(weighed, vocabulary.size, dimensions);
  const places = weighed.map((text) => placeAmong(concepts, text));
  const { user, system } = process.cpuUsage(before);
  const asText = (place: Float64Array) => `[${Array.from(place, (value) => value.toFixed(5)).join(",")}]`;
  await sql`create temporary table if not exists places (place extensions.halfvec(${sql.unsafe(String(concepts.size))}))`;
  await sql`truncate places`;
  for (let from = 0; from < places.length; from += 500)
    await sql`insert into places select p::extensions.halfvec from unnest(${places.slice(from, from + 500).map(asText)}::text[]) p`;
  const times: number[] = [];
  for (let i = 0; i < 30; i++) {
    const began = performance.now();
    await sql`select place operator(extensions.<#>) ${asText(places[i] ?? new Float64Array())}::extensions.halfvec from places order by 1 limit 100`;
    times.push(performance.now() - began);
  }
  const megabytes = (concepts.basis.length * 2) / 1e6;
  console.log(
    `\n${collection.name}: ${texts.length} texts, ${vocabulary.size} words, ${concepts.size} concepts: learnt and placed in ` +
      `${((user + system) / 1e6).toFixed(1)} s of CPU; ${megabytes.toFixed(1)} MB of words and ` +
      `${((texts.length * concepts.size * 2) / 1e6).toFixed(1)} MB of texts as halves; a question ` +
      `${(times.sort((a, b) => a - b)[15] ?? 0).toFixed(1)} ms more (median)`,
  );
}

async function main() {
  const collections = collectionsIn(process.argv.slice(2).find((word) => !word.startsWith("-")) ?? "");
  if (collections.length === 0) return console.log(howTo);
  const database = await startTestPostgres();
  const sql = database.connect("postgres", { max: 1 });
  const login = database.connect("authenticator", { max: 1 });
  const space = await makeSpace(sql, hashModel, 1024, (texts) => texts.map((text) => hashEmbedding(text)));
  const measured: Measured[] = [];
  for (const collection of collections) {
    const one = await measure(sql, login, space, await makeTeam(sql), collection);
    measured.push(one);
    console.log(
      `${one.name.padEnd(18)} search_chunks ${one.asIs.toFixed(4)}, repeated here ${mean(one.scores.get(today.name) ?? []).toFixed(4)}`,
    );
  }
  judge(measured, new Set((option("choose") ?? collections.map(({ name }) => name).join()).split(",")));
  const largest = collections.toSorted((a, b) => b.docs.length - a.docs.length)[0];
  if (largest) await cost(sql, largest);
  await database.stop();
}

await main();
