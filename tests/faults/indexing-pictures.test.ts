// Scanned pages and images through the real queue: read by the team's model, stored page by page, waited for, counted, and reported when
// there is no model.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { greyPng } from "../../edge-functions/indexing/parsers/png.ts";
import { type OpenAiFake, startOpenAiFake } from "../support/fakes/openai.ts";
import { makePdf, makeScans } from "../support/files/pdf.ts";
import { makeScanned, packed, width } from "../support/files/scans.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";

let stand: IndexingStand;
let vision: OpenAiFake;
beforeAll(async () => {
  vision = await startOpenAiFake();
  process.env.PARLEY_OUTBOUND_ALLOW = new URL(vision.baseUrl).host;
  stand = await startIndexingStand();
});
afterAll(async () => {
  await stand?.stop();
  await vision?.stop();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});
afterEach(async () => {
  try {
    await stand.expectWhole();
  } finally {
    await stand.sql`delete from private.models`;
    await stand.sql`delete from public.teams`;
    stand.team = await stand.addTeam();
    vision.requests.length = 0;
    vision.reply = answerWith("");
  }
});

const answerWith = (text: string, confidence = 0.9) => JSON.stringify({ text, confidence });
const connect = (price: number | null = null) => stand.sql`
  insert into private.models (team_id, role, provider, base_url, model, prompt_price, completion_price)
  values (${stand.team}, 'vision', 'custom', ${vision.baseUrl}, 'sees', ${price}, ${price})`;
async function index(knowledge: string) {
  const id = await stand.enqueue("index", { knowledge });
  await stand.settle();
  return await stand.task(id);
}
const photo = greyPng({ width: 200, height: 100, grey: new Uint8Array(20_000).fill(90) });
const notes = (source: string) => stand.sql<{ title: string; note: string | null; error: string | null }[]>`
  select title, note, error from public.documents where source_id = ${source} order by title`;

it("without a model a file reports what was not read and what would help; a model connected later reads it", async () => {
  const { knowledge, source } = await stand.knowledgeOf({
    "mixed.pdf": makePdf([[{ text: "Typed words." }], [], []]),
    "photo.png": photo,
    "scan.pdf": makeScans(["rgb"]),
  });
  await index(knowledge);
  expect(await notes(source)).toEqual([
    {
      title: "mixed.pdf",
      note: expect.stringContaining("left out: 2–3. If they are scans, connect a model"),
      error: null,
    },
    { title: "photo.png", note: null, error: expect.stringContaining("Connect a model that reads pictures") },
    { title: "scan.pdf", note: null, error: expect.stringContaining("Connect a model that reads pictures") },
  ]);
  expect(vision.requests).toEqual([]);
  await connect();
  vision.reply = answerWith("The bus leaves at nine.");
  await stand.sql`select private.queue_pictures(${stand.team})`;
  await stand.settle();
  expect(await notes(source)).toEqual(
    ["mixed.pdf", "photo.png", "scan.pdf"].map((title) => ({ title, note: null, error: null })),
  );
  const documents = await stand.documents(source);
  expect(documents.map(({ content }) => content)).toEqual([
    "Typed words.",
    "The bus leaves at nine.",
    "The bus leaves at nine.",
  ]);
  // The PDF's blank page was not sent.
  expect(vision.requests.map(({ body }) => body.model)).toEqual(["sees", "sees"]);
});

it("a model connected while a file is read without one reads that file, too", async () => {
  for (const [name, pages] of [
    ["mixed.pdf", makePdf([[{ text: "Typed words." }], [], []])],
    ["scan.pdf", makeScans(["rgb"])],
  ] as const) {
    await stand.sql`delete from private.models`;
    vision.reply = answerWith("The bus leaves at nine.");
    const { knowledge, source } = await stand.knowledgeOf({ [name]: pages });
    stand.storage.whileReading = async () => {
      stand.storage.whileReading = undefined;
      await connect();
      await stand.sql`select private.queue_pictures(${stand.team})`;
    };
    expect(await index(knowledge)).toMatchObject({ status: "succeeded" });
    expect(await notes(source)).toEqual([{ title: name, note: null, error: null }]);
  }
});

it("every page is sent once with its image, cited as that page, and counted", async () => {
  await connect(1);
  vision.reply = ({ messages }) =>
    answerWith(
      `Page text ${vision.requests.length}.`,
      JSON.stringify(messages).includes("data:image/png;base64,") ? 0.7 : 0,
    );
  const { knowledge, source } = await stand.knowledgeOf({
    "scan.pdf": makeScans(["rgb", "blank", "mask", "damaged"]),
  });
  expect(await index(knowledge)).toMatchObject({ status: "succeeded" });
  const [document] =
    await stand.sql`select content, structure, note from public.documents where source_id = ${source}`;
  expect(document?.content).toBe("Page text 1.\n\nPage text 2.");
  expect(document?.structure.spans).toMatchObject([
    { kind: "page", page: 1, confidence: 0.7 },
    { kind: "page", page: 3, confidence: 0.7 },
  ]);
  expect(document?.note).toMatch(
    /left out, or read only in part: 4\. Pictures of pages 4 are stored as JPEG 2000/,
  );
  const chunks =
    await stand.sql`select page from public.chunks where knowledge_id = ${knowledge} order by position`;
  expect(chunks[0]?.page).toBe(1);
  const usage =
    await stand.sql`select channel, model, calls, cost::float8 as cost from public.model_usage where kind = 'chat'`;
  expect(usage).toMatchObject([{ channel: "indexing", model: "sees", calls: 2 }]);
  expect(usage[0]?.cost).toBeGreaterThan(0);
  // Pages already read are not sent again when the file is parsed again.
  await stand.sql`update public.documents set content_hash = null where source_id = ${source}`;
  await index(knowledge);
  expect(vision.requests).toHaveLength(2);
});

it("an image beside text is read after it, and parts of a page that cannot be rendered are reported", async () => {
  await connect();
  vision.reply = answerWith("The scanned half.");
  const text = "BT /F1 10 Tf 20 280 Td (The typed half.) Tj ET";
  const drawing = `q ${width} 0 0 140 0 0 cm /P0 Do Q`;
  const { knowledge, source } = await stand.knowledgeOf({
    "curves.pdf": makeScanned([{ pictures: [], content: "0 0 m 300 300 l S" }]),
    "mixed.pdf": makeScanned([
      { pictures: [packed.g4], content: `${text} ${drawing}` },
      { pictures: [packed.jpeg2000], content: `${text} ${drawing}` },
    ]),
  });
  expect(await index(knowledge)).toMatchObject({ status: "succeeded" });
  expect(vision.requests).toHaveLength(1);
  expect(await stand.documents(source)).toMatchObject([
    { title: "curves.pdf", error: expect.stringContaining("What stands on pages 1 is drawn with lines") },
    { title: "mixed.pdf", content: "The typed half.\n\nThe scanned half.\n\nThe typed half." },
  ]);
  expect((await notes(source))[1]?.note).toMatch(/in part: 2\. Pictures of pages 2 are stored as JPEG 2000/);
  // A team without a model is told of the unread image.
  await stand.sql`delete from private.models`;
  const alone = await stand.knowledgeOf({
    "half.pdf": makeScanned([{ pictures: [packed.jpeg], content: `${text} ${drawing}` }]),
  });
  await index(alone.knowledge);
  expect((await notes(alone.source))[0]?.note).toContain("left out: 1. If they are scans");
});

it("an unavailable model is waited for, its readings are stored, and nothing is indexed in part", async () => {
  await connect();
  vision.reply = answerWith("Read.");
  const { knowledge, source } = await stand.knowledgeOf({ "scan.pdf": makeScans(["rgb", "rgb", "rgb"]) });
  vision.next({ how: "well" }, { how: "status", status: 503 });
  const id = await stand.enqueue("index", { knowledge });
  await stand.ticker().tick();
  expect(await stand.task(id)).toMatchObject({ status: "waiting", message_code: "waitingForModel" });
  expect(await stand.documents(source)).toMatchObject([{ content: null, status: "queued" }]);
  await stand.passTime();
  await stand.settle();
  expect(await stand.task(id)).toMatchObject({ status: "succeeded" });
  expect(await stand.documents(source)).toMatchObject([
    { content: "Read.\n\nRead.\n\nRead.", status: "ready" },
  ]);
  expect(vision.requests).toHaveLength(4);
});

it("a page that the model refuses, or answers malformed, fails alone with a reason", async () => {
  await connect();
  vision.next({ how: "status", status: 400 });
  const { knowledge, source } = await stand.knowledgeOf({
    "a.png": photo,
    "b.txt": "Words.",
    "c.png": new Uint8Array([...photo, 0]),
  });
  vision.reply = "I would rather not.";
  expect(await index(knowledge)).toMatchObject({ status: "succeeded" });
  const told = await notes(source);
  expect(told[1]).toEqual({ title: "b.txt", note: null, error: null });
  // The order of the two requests is not fixed.
  expect([told[0]?.error, told[2]?.error]).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Page 1 of “[ac]\.png” was refused/),
      expect.stringContaining("nothing could be read"),
    ]),
  );
});

it("an unreadable page is not sent again in later slices, and is sent again with a re-parse of the file", async () => {
  await connect();
  vision.reply = "I would rather not.";
  const { knowledge, source } = await stand.knowledgeOf({ "scan.pdf": makeScans(["rgb", "damaged", "rgb"]) });
  await stand.enqueue("index", { knowledge });
  const turns = stand.ticker({ turnMs: 0 });
  for (let turn = 0; turn < 30; turn++) await turns.tick();
  // Each page twice, since a malformed answer is requested once more.
  expect(vision.requests).toHaveLength(4);
  expect(await notes(source)).toMatchObject([{ error: expect.stringContaining("nothing could be read") }]);
  vision.reply = answerWith("Read at last.");
  await index(knowledge);
  expect(await stand.documents(source)).toMatchObject([{ content: "Read at last.\n\nRead at last." }]);
});

it("an exhausted budget fails the task, and no page is sent", async () => {
  await connect(1000);
  await stand.sql`insert into private.model_budgets (team_id, team_cap, month) values (${stand.team}, 0.01, date_trunc('month', now()))`;
  const { knowledge } = await stand.knowledgeOf({ "photo.png": photo });
  const task = await index(knowledge);
  expect(task).toMatchObject({ status: "failed", message_code: "modelRefused" });
  expect(vision.requests).toEqual([]);
});
