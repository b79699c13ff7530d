// The stored list of a source's skipped addresses: a limited number per reason, and the count of all others, whatever a service sends.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { PageNote, Source } from "../../edge-functions/indexing/connectors/connector.ts";
import { pictureOff, unreadFile } from "../../edge-functions/indexing/connectors/readable.ts";
import type { StepContext } from "../../edge-functions/indexing/steps/context.ts";
import {
  mostOfReason,
  noteAddresses,
  sweepNotes,
} from "../../edge-functions/indexing/steps/listing-notes.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";
import { say } from "../support/words.ts";

let stand: IndexingStand;
let source: Source;
beforeAll(async () => {
  stand = await startIndexingStand();
});
afterAll(async () => {
  await stand?.stop();
});
beforeEach(async () => {
  const [row] = await stand.sql`insert into public.sources (team_id, type, name, config)
    values (${stand.team}, 'file', 'Files', '{"fileIds": []}') returning id, team_id`;
  source = { id: row?.id, teamId: row?.team_id, type: "file", config: {}, credentials: null };
});

const addresses = (from: number, count: number, problem: string): PageNote[] =>
  Array.from({ length: count }, (_, at) => ({ address: `https://a.example/${from + at}`, problem }));

/** A listing's pages, each in its transaction. */
async function list(pages: PageNote[][], { isWhole = true } = {}) {
  const claim = { task: { id: randomUUID() } } as StepContext["claim"];
  for (const notes of pages)
    await stand.sql.begin((tx) => noteAddresses(tx, { claim } as StepContext, source, notes, isWhole));
  if (isWhole) await stand.sql.begin((tx) => sweepNotes(tx, claim, source));
}
const listSkipped = async () => {
  const rows = await stand.sql<{ address: string; problem: string }[]>`
    select address, problem from private.source_pages where source_id = ${source.id} and problem is not null order by address`;
  return {
    listed: rows.filter(({ address }) => address.startsWith("https://")).length,
    further: rows.filter(({ address }) => address.startsWith("…")).map(({ problem }) => problem),
  };
};
const furtherOf = (count: number, problem = pictureOff) =>
  say("problems:sentences.skippedFurther", { count: String(count), problem });

it("the list has a limited number per reason, and the count of the others", async () => {
  const others = addresses(90_000, 7, unreadFile);
  await list([
    addresses(0, 900, pictureOff),
    others,
    addresses(900, 900, pictureOff),
    addresses(1800, 50, pictureOff),
  ]);
  expect(await listSkipped()).toEqual({ listed: mostOfReason + 7, further: [furtherOf(850)] });
  // The same again, and then fewer: counts start anew.
  await list([addresses(0, 900, pictureOff), others, addresses(900, 950, pictureOff)]);
  expect(await listSkipped()).toEqual({ listed: mostOfReason + 7, further: [furtherOf(850)] });
  await list([addresses(5000, 1003, pictureOff)]);
  expect(await listSkipped()).toEqual({ listed: mostOfReason, further: [furtherOf(3)] });
  await list([addresses(5000, 20, pictureOff)]);
  expect(await listSkipped()).toEqual({ listed: 20, further: [] });
});

it("the list stays bounded across changes between full listings, and across listings that end uncertain", async () => {
  await list([addresses(0, 990, pictureOff)]);
  await list([addresses(0, 20, pictureOff), addresses(2000, 30, pictureOff)], { isWhole: false });
  expect(await listSkipped()).toEqual({ listed: mostOfReason, further: [furtherOf(20)] });
  const claim = (id: string) => ({ claim: { task: { id } } }) as StepContext;
  for (let round = 0; round < 4; round++)
    await stand.sql.begin((tx) =>
      noteAddresses(tx, claim(randomUUID()), source, addresses(10_000 * (round + 1), 1500, pictureOff), true),
    );
  expect((await listSkipped()).listed).toBe(2 * mostOfReason);
});

it("the list keeps every fetched page, whose validators the next listing needs", async () => {
  const pages = addresses(0, mostOfReason + 5, pictureOff).map((note) => ({ ...note, revision: "1" }));
  await list([pages]);
  expect(await listSkipped()).toEqual({ listed: mostOfReason + 5, further: [] });
});
