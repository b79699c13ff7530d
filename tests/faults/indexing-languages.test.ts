// A document's language: detected, set by an editor, or its knowledge base's; and which indexes follow a change.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";

const files = {
  "english.txt": "Travel expenses are reimbursed within thirty days of the trip. Ask your manager first.",
  "french.txt":
    "Les billets de train sont remboursés sous trente jours. Demandez d'abord à votre responsable.",
  "short.txt": "Remboursés: 4",
};

let stand: IndexingStand;
let knowledge: string;
let source: string;

beforeAll(async () => {
  stand = await startIndexingStand();
});
afterAll(() => stand?.stop());

beforeEach(async () => {
  ({ knowledge, source } = await stand.knowledgeOf(files));
  await index();
});

async function index(): Promise<void> {
  await stand.enqueue("index", { knowledge });
  await stand.settle();
}

/** Per document: the detected language, that of its word forms, and the attempt that built its index. */
async function documents() {
  const rows = await stand.sql<
    { title: string; detected: string | null; words: string[]; generation: string }[]
  >`
    select d.title, d.detected_language as detected, array_agg(distinct w.language) as words, i.generation::text
      from public.documents d
      join public.document_indexes i on i.document_id = d.id and i.knowledge_id = ${knowledge} and i.status = 'ready'
      join public.chunks c on c.document_id = d.id and c.knowledge_id = ${knowledge}
      join public.chunk_words w on w.chunk_id = c.id
     where d.source_id = ${source} group by d.id, i.generation order by d.title`;
  return rows.map(({ title, detected, words, generation }) => ({
    title,
    detected,
    words: words.join(),
    generation,
  }));
}

const find = async (question: string) =>
  (
    await stand.sql<{ title: string }[]>`
      select distinct d.title from private.rank_text(${[knowledge]}, ${question}, 10) r
        join public.chunks c on c.id = any (r.ids) join public.documents d on d.id = c.document_id order by 1`
  ).map(({ title }) => title);

const languages = async () =>
  Object.fromEntries((await documents()).map(({ title, detected, words }) => [title, [detected, words]]));

/** The documents that some work indexed again. */
async function findReindexed(work: () => Promise<unknown>): Promise<string[]> {
  const before = new Map((await documents()).map(({ title, generation }) => [title, generation]));
  await work();
  await index();
  return (await documents())
    .filter(({ title, generation }) => before.get(title) !== generation)
    .map(({ title }) => title);
}

test("a document's language is detected in the text, or else the knowledge base's", async () => {
  expect(await languages()).toEqual({
    "english.txt": ["en", "en"],
    "french.txt": ["fr", "fr"],
    "short.txt": [null, "en"],
  });
  expect(await find("remboursement")).toEqual(["french.txt"]);
  expect(await find("reimbursing")).toEqual(["english.txt"]);
});

test("a document's language is an editor's choice first, and only that document is indexed again", async () => {
  const again = await findReindexed(
    () =>
      stand.sql`update public.documents set language = 'fr' where source_id = ${source} and title = 'short.txt'`,
  );
  expect(again).toEqual(["short.txt"]);
  expect(await find("remboursement")).toEqual(["french.txt", "short.txt"]);
  expect(
    await findReindexed(
      () =>
        stand.sql`update public.documents set language = 'en' where source_id = ${source} and title = 'english.txt'`,
    ),
  ).toEqual([]);
  await findReindexed(
    () => stand.sql`update public.documents set language = null where source_id = ${source}`,
  );
  expect(await languages()).toMatchObject({ "short.txt": [null, "en"] });
});

test("a document's language follows the knowledge base when it has none of its own", async () => {
  const embedded = stand.openai.requests.length;
  expect(
    await findReindexed(
      () => stand.sql`update public.knowledges set language = 'fr' where id = ${knowledge}`,
    ),
  ).toEqual(["short.txt"]);
  expect(await find("remboursement")).toEqual(["french.txt", "short.txt"]);
  expect(stand.openai.requests.length).toBe(embedded);
});

test("a document's language is detected at the next indexing of an earlier release's documents; until then they are found as before", async () => {
  await stand.sql`
    update public.chunk_words w set language = '', words = private.chunk_words('en', d.title, c.heading, c.content)
      from public.chunks c join public.documents d on d.id = c.document_id
     where c.id = w.chunk_id and c.knowledge_id = ${knowledge}`;
  await stand.sql`update public.document_indexes set signature = 'of an earlier release' where knowledge_id = ${knowledge}`;
  await stand.sql`update public.documents set detected_language = null where source_id = ${source}`;
  expect(await find("reimbursing")).toEqual(["english.txt"]);
  expect(await find("remboursement")).toEqual([]);
  await index();
  expect(await find("remboursement")).toEqual(["french.txt"]);
  expect(await languages()).toMatchObject({ "english.txt": ["en", "en"], "french.txt": ["fr", "fr"] });
});

test("a document's language is detected again in a changed text", async () => {
  const [text] = await stand.sql<{ id: string }[]>`
    insert into public.documents (team_id, source_id, external_id, type, title, content)
    values (${stand.team}, ${source}, 'written', 'text', 'written', ${files["english.txt"]}) returning id`;
  await index();
  expect(await languages()).toMatchObject({ written: ["en", "en"] });
  await stand.sql`
    update public.documents set content = ${files["french.txt"]}, content_hash = encode(sha256(convert_to(${files["french.txt"]}, 'UTF8')), 'hex')
     where id = ${text?.id ?? ""}`;
  await index();
  expect(await languages()).toMatchObject({ written: ["fr", "fr"] });
});
