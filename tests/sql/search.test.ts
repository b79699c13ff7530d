// Search in Postgres: results, their order, and that nobody finds what they may not read.
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { translationOf } from "../../edge-functions/answering/lexicon.ts";
import { hashEmbedding, hashModel } from "../../supabase/local/models/hash.ts";
import type { Claims } from "../support/actors.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import {
  makeKnowledge,
  makeSpace,
  makeTeam,
  type SearchableTeam,
  type Space,
} from "../support/searchable.ts";
import { asCaller, refusal } from "./acting.ts";

type Row = {
  document_id: string;
  title: string;
  content: string;
  score: number;
  vector_score: number | null;
  vector_rank: number | null;
  text_score: number | null;
  text_rank: number | null;
};
type Options = { mode?: string; results?: number; spaces?: Space[]; askedIn?: string; translation?: string };

let database: TestPostgres;
let sql: Sql;
let login: Sql;
let team: SearchableTeam;
let other: SearchableTeam;
let space: Space;
let handbook: string;

const texts = [
  {
    title: "Returns",
    content: "Goods can be sent back within 30 days of delivery. Shipping is never refunded.",
  },
  { title: "Opening hours", content: "We open at nine and close at six, from Monday to Friday." },
  { title: "Holidays", content: "Everyone has 25 days of holiday a year, and may carry five of them over." },
  { title: "Odd signs", content: "The tag '&|!()\\ %' and O'Brien's back\\slash:* are in this one." },
];

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  login = database.connect("authenticator", { max: 1 });
  team = await makeTeam(sql);
  other = await makeTeam(sql);
  space = await makeSpace(sql, "offline-hash-2", 1024, (list) => list.map((text) => hashEmbedding(text)));
  handbook = await makeKnowledge(sql, team, texts, { space });
});
afterAll(() => database?.stop());

async function search(
  claims: Claims,
  knowledges: string[],
  question: string,
  options: Options = {},
): Promise<Row[]> {
  const { mode = "hybrid", results = 50, spaces = [space], askedIn = null, translation = "" } = options;
  const embeddings = await Promise.all(
    spaces.map(async ({ id, embed }) => ({
      vectorId: id,
      embedding: [...((await embed([question]))[0] ?? [])],
    })),
  );
  return await asCaller(
    login,
    claims,
    (tx) => tx<Row[]>`
      select * from public.search_chunks(${knowledges}, ${question}, ${JSON.stringify(embeddings)}::text::jsonb,
                                         ${results}, ${mode}, ${askedIn}, ${translation})`,
  );
}

const titles = (rows: Row[]) => rows.map(({ title }) => title);

describe("a semantic embedding", () => {
  const near: Record<string, number> = { Sea: 0.95, Sky: 0.2, Tree: 0.1 };
  /** At this cosine to every question. */
  const embed = (list: string[]) =>
    list.map((text) => {
      const cosine = near[text.split("\n")[0] ?? ""] ?? 1;
      return Float32Array.from([cosine, Math.sqrt(1 - cosine ** 2), 0, 0, 0, 0, 0, 0]);
    });

  it("counts by its confidence: one word match does not outvote it, and the last of few is still found", async () => {
    const sure = await makeSpace(sql, "knows-meaning", 8, embed);
    const knowledge = await makeKnowledge(
      sql,
      team,
      [
        { title: "Sky", content: "Blue is the colour above." },
        { title: "Sea", content: "The ocean is deep and salty." },
        { title: "Tree", content: "It has leaves and a bark." },
      ],
      { space: sure },
    );
    const rows = await search(team.owner, [knowledge], "What is blue?", { spaces: [sure] });
    expect(titles(rows)).toEqual(["Sea", "Sky", "Tree"]);
    const scores = rows.map(({ score }) => score);
    expect(scores[0]).toBeCloseTo(0.65, 3);
    expect(scores[2]).toBeGreaterThan(0.1);
    // With one list there is nothing to weigh.
    const [first] = await search(team.owner, [knowledge], "What is blue?", {
      spaces: [sure],
      mode: "vector",
    });
    expect(first?.score).toBeCloseTo(0.95, 2);
    const byWords = await search(team.owner, [knowledge], "What is blue?", { spaces: [sure], mode: "text" });
    expect(byWords).toMatchObject([{ title: "Sky", score: byWords[0]?.text_score }]);
  });
});

describe("results", () => {
  it.each(["hybrid", "text", "vector"])("start with the passage that answers, by %s", async (mode) => {
    const rows = await search(team.owner, [handbook], "How many days of holiday do I have?", { mode });
    expect(rows[0]).toMatchObject({ title: "Holidays", content: texts[2]?.content });
  });

  it("have each search's rank of every passage", async () => {
    const [first] = await search(team.owner, [handbook], "Can goods be sent back?");
    expect(first).toMatchObject({ title: "Returns", vector_rank: 1, text_rank: 1 });
    const [byText] = await search(team.owner, [handbook], "Can goods be sent back?", { mode: "text" });
    expect(byText).toMatchObject({ text_rank: 1, vector_rank: null, vector_score: null });
    const [byVector] = await search(team.owner, [handbook], "Can goods be sent back?", { mode: "vector" });
    expect(byVector).toMatchObject({ vector_rank: 1, text_rank: null, text_score: null });
  });

  it("score from 0 to 1, never rising, and low throughout when nothing fits", async () => {
    for (const question of ["days", "Can goods be sent back within 30 days of delivery?", "What is on?"]) {
      const scores = (await search(team.owner, [handbook], question)).map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
    }
    const onTopic = await search(team.owner, [handbook], "When do you open on Monday?");
    const offTopic = await search(team.owner, [handbook], "Which volcano erupted in Iceland?");
    expect(onTopic[0]?.score).toBeGreaterThan(0.4);
    expect(offTopic[0]?.score ?? 0).toBeLessThan(0.15);
    expect(await search(team.owner, [handbook], "?", { mode: "text" })).toEqual([]);
  });

  it("rank a word in the title above the same word in the text", async () => {
    const knowledge = await makeKnowledge(sql, team, [
      { title: "Other things", content: "The invoice is sent by mail. It is due soon, as always." },
      { title: "Invoice", content: "This thing is sent by mail. It is due soon, as always." },
    ]);
    expect(titles(await search(team.owner, [knowledge], "invoice", { mode: "text" }))[0]).toBe("Invoice");
  });

  it("are limited to the requested number", async () => {
    expect(await search(team.owner, [handbook], "days of holiday", { results: 1 })).toHaveLength(1);
  });

  it("include inflected words in the knowledge base's own language", async () => {
    const french = await makeKnowledge(
      sql,
      team,
      [{ title: "Retours", content: "Les articles retournés sont remboursés." }],
      {
        language: "fr",
      },
    );
    expect(
      await search(team.owner, [french], "remboursement d'un article retourné", { mode: "text" }),
    ).toHaveLength(1);
    const both = await search(team.owner, [french, handbook], "article remboursé, holiday", { mode: "text" });
    expect(titles(both).toSorted()).toEqual(["Holidays", "Retours"]);
  });

  it.each([
    "",
    "   ",
    "the of and",
    "?!",
    "'",
    "\\",
    "a & b | !c",
    "O'Brien's back\\slash:*",
    "x".repeat(3000),
    "日本語",
    "\u0001",
  ])("exist for any question: %j", async (question) => {
    await expect(search(team.owner, [handbook], question)).resolves.toBeInstanceOf(Array);
  });

  it("include words with a tsquery's special characters", async () => {
    const rows = await search(team.owner, [handbook], "O'Brien's back\\slash:*", { mode: "text" });
    expect(titles(rows)).toContain("Odd signs");
  });

  it("have the same word places on every engine, since a backup may be restored on another one", async () => {
    const rows = await sql`select private.chunk_words('en', '', '', 'Holidays: a holiday')::text as words`;
    expect(rows).toEqual([{ words: "{352162079:54}/1000000000" }]);
  });

  it("count a word as often as the question repeats it", async () => {
    const knowledge = await makeKnowledge(sql, team, [
      { title: "One", content: "The kettle is on the shelf." },
      { title: "Two", content: "The lamp is on the table." },
    ]);
    const ask = async (question: string) =>
      titles(await search(team.owner, [knowledge], question, { mode: "text" }))[0];
    expect(await ask("lamp kettle lamp")).toBe("Two");
    expect(await ask("kettle lamp kettle")).toBe("One");
  });

  it.each(["goods", "goods shipping", "goods shipping delivery days refunded"])(
    "use all words of a question, however many: %s",
    async (question) => {
      const [first] = await search(team.owner, [handbook], question, { mode: "text" });
      expect(first).toMatchObject({ title: "Returns", text_score: 1 });
    },
  );

  it("reject an unknown mode", async () => {
    expect(await refusal(search(team.owner, [handbook], "days", { mode: "magic" }))).toBe("22023");
  });
});

describe("embedding spaces", () => {
  it("are searched for each knowledge base in its own space", async () => {
    // Three dimensions: the first for cats, the second for dogs, the third for everything.
    const embed = (list: string[]) =>
      list.map((text) => Float32Array.of(/cat/.test(text) ? 1 : 0, /dog/.test(text) ? 1 : 0, 0.1));
    const small = await makeSpace(sql, "three", 3, embed);
    const pets = await makeKnowledge(
      sql,
      team,
      [
        { title: "Cats", content: "A cat sleeps most of the day." },
        { title: "Dogs", content: "A dog wants to go out." },
      ],
      { space: small },
    );
    const rows = await search(team.owner, [handbook, pets], "dog and holiday", {
      mode: "vector",
      spaces: [space, small],
    });
    const firsts = rows.filter(({ vector_rank }) => vector_rank === 1);
    expect(titles(firsts).toSorted()).toEqual(["Dogs", "Holidays"]);
    // A space without a given embedding is still searched by words.
    const words = await search(team.owner, [handbook, pets], "dog and holiday", { spaces: [space] });
    expect(titles(words)).toContain("Dogs");
    const wrong = { ...small, embed: (list: string[]) => list.map(() => Float32Array.of(1, 2)) };
    expect(await search(team.owner, [pets], "dog", { mode: "vector", spaces: [wrong] })).toEqual([]);
  });

  it("keep a model's question embedding, whatever the words find, except the built-in model's", async () => {
    const places: [RegExp, number[]][] = [
      [/kettle/, [1, 0, 0]],
      [/lamp/, [0, 1, 0]],
      [/shelf/, [0.6, 0.8, 0]],
    ];
    const embed = (list: string[]) =>
      list.map((text) => Float32Array.from(places.find(([word]) => word.test(text))?.[1] ?? [0, 0, 1]));
    const order = async (model: string) => {
      const small = await makeSpace(sql, model, 3, embed);
      const things = ["kettle", "lamp", "shelf"].map((thing) => ({ title: thing, content: `A ${thing}.` }));
      const knowledge = await makeKnowledge(sql, team, things, { space: small });
      const asked = { ...small, embed: () => [Float32Array.of(0.55, 0.83, 0)] };
      const rows = await search(team.owner, [knowledge], "kettle", { spaces: [asked] });
      return titles(rows.toSorted((a, b) => (a.vector_rank ?? 0) - (b.vector_rank ?? 0)));
    };
    expect(await order("meaning")).toEqual(["shelf", "lamp", "kettle"]);
    for (const version of ["offline-hash", hashModel])
      expect(await order(version)).toEqual(["shelf", "kettle", "lamp"]);
  });

  it("may have more dimensions than most", async () => {
    const embed = (list: string[]) => list.map((text) => hashEmbedding(text, 1536));
    const large = await makeSpace(sql, "large", 1536, embed);
    const knowledge = await makeKnowledge(sql, team, texts, { space: large });
    const rows = await search(team.owner, [knowledge], "days of holiday", {
      mode: "vector",
      spaces: [large],
    });
    expect(rows[0]?.title).toBe("Holidays");
    expect(rows).toHaveLength(texts.length);
  });
});

describe("neighbours", () => {
  /** The first number is the nearness to the question; passages that share the others are about the same. */
  const places: Record<string, number[]> = {
    Best: [0.95, 0.31, 0, 0],
    "Like the best": [0.79, 0.61, 0, 0],
    "Like the worst": [0.8, 0, 0.6, 0],
    Bad: [0.3, 0, 0.95, 0],
    Worst: [0.25, 0, 0.97, 0],
    ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`Far ${i}`, [0.05, 0, 0, (-1) ** i]])),
  };
  const embed = (list: string[]) =>
    list.map((text) => Float32Array.from(places[text.split("\n")[0] ?? ""] ?? [1, 0, 0, 0]));

  it("promote a passage similar to good ones over one similar to bad ones, with the built-in embedding", async () => {
    const ask = async (model: string, mode = "hybrid") => {
      const small = await makeSpace(sql, model, 4, embed);
      const things = Object.keys(places).map((title) => ({ title, content: "Things." }));
      const knowledge = await makeKnowledge(sql, team, things, { space: small });
      return await search(team.owner, [knowledge], "question", { spaces: [small], mode });
    };
    const smoothed = await ask(hashModel);
    expect(titles(smoothed).slice(0, 3)).toEqual(["Best", "Like the best", "Like the worst"]);
    expect(smoothed.map(({ vector_rank }) => vector_rank).slice(0, 3)).toEqual([1, 3, 2]);
    const alone = await ask(hashModel, "vector");
    for (const rows of [alone, await ask("meaning")])
      expect(titles(rows).slice(0, 3)).toEqual(["Best", "Like the worst", "Like the best"]);
    expect(smoothed[0]?.score).toBeCloseTo(alone[0]?.score ?? 0, 3);
  });
});

describe("a question in the other language", () => {
  const mode = "text";
  const question = "Combien de jours de congés la société donne-t-elle ?";
  const french = { askedIn: "fr", translation: "day holiday leave" };

  it("is searched by its translation, without its stop words", async () => {
    const name = { title: "Villa", content: "Villa de la Reina is what our house by the sea is called." };
    const knowledge = await makeKnowledge(sql, team, [...texts, name]);
    expect(titles(await search(team.owner, [knowledge], question, { mode }))).toEqual(["Villa"]);
    const found = await search(team.owner, [knowledge], question, { mode, ...french });
    expect(titles(found)[0]).toBe("Holidays");
    expect(titles(found)).not.toContain("Villa");
  });

  it("finds French texts for English, and uses no translation for texts in its own language", async () => {
    const guide = ["Maternité", "MATERNITE"].map((content) => ({ title: "Guide", content }));
    const knowledge = await makeKnowledge(sql, team, guide, { language: "fr" });
    const english = { mode, ...translationOf("Is maternity paid?") };
    expect(titles(await search(team.owner, [knowledge], "Is maternity paid?", english))).toHaveLength(2);
    expect(await search(team.owner, [knowledge], "Vélos ?", { ...english, askedIn: "fr" })).toEqual([]);
  });
});

describe("access to results", () => {
  it("is the same for a member and the agent", async () => {
    const question = "days of holiday";
    expect(await search(team.agent, [handbook], question)).toEqual(
      await search(team.owner, [handbook], question),
    );
  });

  it("by words covers everything that row-level security shows, for everyone", async () => {
    const unlinked = await makeKnowledge(sql, team, texts, { space, linked: false });
    const everyone: Claims[] = [team.owner, team.agent, other.owner, other.agent, { role: "authenticated" }];
    for (const claims of everyone) {
      for (const knowledge of [handbook, unlinked]) {
        const visible = await asCaller(
          login,
          claims,
          (tx) => tx`select id from public.chunks where knowledge_id = ${knowledge}`,
        );
        const ranked = await asCaller(
          login,
          claims,
          (tx) => tx`
          select unnest(ids) from private.rank_text(${[knowledge]}, 'goods open days tag', 100)`,
        );
        expect(ranked).toHaveLength(visible.length);
      }
    }
  });

  it.each(["hybrid", "text", "vector"])("excludes another team, by %s", async (mode) => {
    expect(await search(other.owner, [handbook], "days of holiday", { mode })).toEqual([]);
    expect(await search(other.agent, [handbook], "days of holiday", { mode })).toEqual([]);
  });

  it("excludes visitors", async () => {
    expect(await refusal(search({ role: "anon" }, [handbook], "days"))).toBe("42501");
  });

  it("never covers what row-level security hides, whichever function is called", async () => {
    const rank = (claims: Claims) =>
      asCaller(
        login,
        claims,
        (tx) => tx`
          select unnest(ids) from private.rank_words('english', ${[handbook]}, ${[team.id]}, '{""}', '{"{1:1}/1000000000"}', 4, null, null, 'jours', 10, 'fr', 'days of holiday')`,
      );
    expect((await rank(team.owner)).length).toBeGreaterThan(0);
    for (const claims of [other.owner, other.agent]) expect(await rank(claims)).toEqual([]);
    expect(await refusal(rank({ role: "anon" }))).toBe("42501");
  });

  it("is weighted by the requested knowledge bases only, not by others' words", async () => {
    const before = await search(team.owner, [handbook], "days of holiday", { mode: "text" });
    await makeKnowledge(
      sql,
      other,
      Array.from({ length: 30 }, () => ({ title: "Holiday", content: "holiday" })),
    );
    expect(await search(team.owner, [handbook], "days of holiday", { mode: "text" })).toEqual(before);
  });
});
