// Search by words over documents in several languages: each is found by its own word forms.
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { makeKnowledge, makeTeam, type SearchableTeam } from "../support/searchable.ts";
import { asCaller } from "./acting.ts";

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

const texts = [
  {
    title: "Returns",
    content: "Goods can be sent back within 30 days of delivery. Shipping is never refunded.",
  },
  { title: "Opening hours", content: "We open at nine and close at six, from Monday to Friday." },
];
const english = texts.map((text) => ({ ...text, language: "en" }));
const french = {
  title: "Frais de déplacement",
  content: "Les billets de train sont remboursés sous trente jours.",
  language: "fr",
};
/** The titles found by words. */
async function find(knowledges: string[], question: string, translation = ""): Promise<string[]> {
  const rows = await asCaller(
    login,
    team.owner,
    (tx) => tx<{ title: string }[]>`
      select title from public.search_chunks(${knowledges}, ${question}, '[]', 50, 'text', ${translation ? "fr" : null}, ${translation})`,
  );
  return rows.map(({ title }) => title);
}
const ask = (knowledge: string, question: string, translation?: string) =>
  find([knowledge], question, translation);

it("documents are each found by their own language's word forms", async () => {
  const asEnglish = await makeKnowledge(sql, team, [...english, { ...french, language: "en" }]);
  expect(await ask(asEnglish, "Remboursement")).toEqual([]);
  const mixed = await makeKnowledge(sql, team, [...english, french]);
  expect(await ask(mixed, "Remboursement")).toEqual([french.title]);
  expect(await ask(mixed, "refund")).toEqual(["Returns"]);
});

it("documents without a language, as of earlier releases, use their knowledge base's", async () => {
  const { language: _none, ...old } = french;
  const knowledge = await makeKnowledge(sql, team, [old, ...english], { language: "fr" });
  expect(await ask(knowledge, "Remboursement")).toEqual([french.title]);
  expect(await ask(knowledge, "refund")).toEqual(["Returns"]);
});

it("documents are ranked together: a rare match in one language outweighs a frequent word in the other", async () => {
  const many = Array.from({ length: 40 }, (_, i) => ({
    title: `Train ${i}`,
    content: "The train leaves from platform nine and arrives at noon.",
    language: "en",
  }));
  const knowledge = await makeKnowledge(sql, team, [...many, french]);
  const question = "Remboursement du train";
  const found = await ask(knowledge, question, "refund reimbursement train");
  expect(found[0]).toBe(french.title);
  expect(found).toHaveLength(41);
});

it("documents in two knowledge bases are searched at once, with and without a language of their own", async () => {
  const { language: _none, ...old } = french;
  const one = await makeKnowledge(sql, team, [old], { language: "fr" });
  const two = await makeKnowledge(sql, team, texts, { language: "en" });
  const found = await find([one, two], "remboursement refund");
  expect(found.toSorted()).toEqual([french.title, "Returns"]);
});
