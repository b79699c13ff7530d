// An import keeps what parsers found in the files of a service, which no sync reads again while they are unchanged, and takes the longest
// maps that parsers make.
import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { limits } from "../../edge-functions/indexing/parsers/document.ts";
import { newPerson, owner } from "../support/api.ts";
import { archiveOf, bytes, type Entries, importTeam, lines } from "../support/team-archive.ts";

const createdAt = "2026-01-02T03:04:05.678Z";
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const sourceId = randomUUID();

function archiveWith(text: string, spans: object[]) {
  const type = "googleDrive";
  const config = { folders: ["one-folder-there"] };
  const source = { id: sourceId, type, name: "Files", config, schedule: "manual", createdAt };
  const document = {
    id: randomUUID(),
    sourceId,
    externalId: "file-one",
    type,
    title: "Prices.pdf",
    url: "https://drive.google.com/file/d/file-one",
    content: text,
    contentHash: hashOf("the revision"),
    structure: { textHash: hashOf(text), spans, warnings: [], isParsed: true, reader: 4 },
    createdAt,
  };
  const entries: Entries = new Map([
    ["team.json", bytes(JSON.stringify({ name: "Mapped" }))],
    ["tables/sources.jsonl", lines([source])],
    ["tables/documents.jsonl", lines([document])],
  ]);
  return { archive: archiveOf(entries), structure: document.structure };
}

async function documentsOf(archive: Uint8Array<ArrayBuffer>) {
  const { id } = await importTeam(await newPerson(), archive);
  return await (await owner())`
    select content, structure, content_hash from public.documents where team_id = ${id}`;
}

test("a document of a service keeps its pages and tables", async () => {
  const text = "| Thing | Price |\n| --- | --- |\n| Boat | 12 |";
  const spans = [
    { kind: "page", start: 0, end: text.length, page: 7 },
    { kind: "table", start: 0, end: text.length, columns: ["Thing", "Price"], caption: "Prices" },
    { kind: "row", start: text.indexOf("| Boat"), end: text.length },
  ];
  const { archive, structure } = archiveWith(text, spans);
  expect(await documentsOf(archive)).toEqual([
    { content: text, structure, content_hash: hashOf("the revision") },
  ]);
});

test("a document with as many rows as a parser marks does not refuse the archive", async () => {
  const line = "1,2\n";
  const spans = Array.from({ length: limits.structureSpans }, (_, at) => ({
    kind: "row",
    start: at * line.length,
    end: at * line.length + 3,
  }));
  const { archive, structure } = archiveWith(line.repeat(spans.length), spans);
  const [document] = await documentsOf(archive);
  expect(document?.structure).toEqual(structure);
});
