// Which structure maps an import takes: the parsers' own, and none that indexing would stumble over.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parsedStructure } from "../../edge-functions/importing/structures.ts";
import { limits, type StructureSpan } from "../../edge-functions/indexing/parsers/document.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { readerVersion, storedStructure } from "../../edge-functions/indexing/steps/read.ts";

const folders = ["mairie", "hotel", "freight", "solar-installer"].map((name) =>
  join("tests/bench/questions/strangers", name, "documents"),
);

test("the maps that parsers make of PDF, Word, Excel, CSV, HTML and Markdown are taken as they are", async () => {
  const formats = new Set<string>();
  for (const folder of folders) {
    for (const name of readdirSync(folder)) {
      const parsed = await parseFile({ bytes: new Uint8Array(readFileSync(join(folder, name))), name });
      const stored = JSON.parse(
        JSON.stringify({ ...storedStructure(parsed), isParsed: true, reader: readerVersion }),
      );
      expect(parsedStructure.parse(stored), name).toEqual(stored);
      formats.add(name.slice(name.lastIndexOf(".")));
    }
  }
  expect([...formats]).toEqual(expect.arrayContaining([".pdf", ".docx", ".xlsx", ".csv"]));
});

const row = (start: number, end: number): StructureSpan => ({ kind: "row", start, end });
const table: StructureSpan = { kind: "table", start: 0, end: 90, columns: ["a"] };
const mapOf = (spans: unknown[], more: object = {}) => ({
  textHash: "a".repeat(64),
  spans,
  warnings: [],
  isParsed: true,
  ...more,
});

test("a map is left out that no parser makes", () => {
  expect(parsedStructure.parse(mapOf([table, row(0, 9), row(9, 20)]))).toMatchObject({ isParsed: true });
  const nested = [
    { kind: "list", start: 0, end: 9 },
    { kind: "item", start: 0, end: 9 },
    { kind: "list", start: 4, end: 9 },
    { kind: "item", start: 4, end: 9 },
  ];
  expect(parsedStructure.parse(mapOf(nested))?.spans).toEqual(nested);
  for (const left of [
    undefined,
    null,
    "spans",
    // Indexing maps Markdown itself.
    { ...mapOf([]), isParsed: undefined },
    // Each row would be read from the whole text.
    mapOf([table, row(0, 80), row(1, 80)]),
    mapOf([row(9, 20), row(0, 9)]),
    mapOf([row(20, 9)]),
    mapOf([row(-1, 9)]),
    mapOf([row(0, limits.textChars + 1)]),
    mapOf([row(0.5, 9)]),
    mapOf([{ ...row(0, 9), kind: "script" }]),
    mapOf([{ kind: "page", start: 0, end: 9, page: -1 }]),
    mapOf([{ kind: "heading", start: 0, end: 9, label: "\0" }]),
    mapOf([{ ...table, caption: "\ud800" }]),
    mapOf([{ ...table, columns: Array.from({ length: 201 }, () => "a") }]),
    mapOf(Array.from({ length: limits.structureSpans + 1 }, (_, at) => row(at, at + 1))),
    mapOf([], { textHash: "none" }),
    mapOf([], { title: 7 }),
  ])
    expect(parsedStructure.parse(left)).toBeNull();
});
