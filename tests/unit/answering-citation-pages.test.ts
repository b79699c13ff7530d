// A citation names the page on which its quote begins, not its passage's first page; a failed lookup never fails the reply.
import { beforeEach, expect, test, vi } from "vitest";
import { readPages, withPages } from "../../edge-functions/answering/citation-pages.ts";
import type { Citation } from "../../edge-functions/answering/citations.ts";
import { answer, callers, narrowings, reset, statements } from "../support/scripted-database.ts";

vi.mock("../../edge-functions/_shared/database/db.ts", () => import("../support/scripted-database.ts"));
beforeEach(reset);

const content = "First of one.\n\nFirst of two. Second of two.\n\nFirst of four.";
const passage = { index: 1, chunkId: "c", page: 1, content, startOffset: 100 };
const starts = [
  { page: 2, start: 100 + content.indexOf("First of two") },
  { page: 4, start: 100 + content.indexOf("First of four") },
];
const cite = (quote: string, page: number | null = 1): Citation => ({
  index: 1,
  sourceId: "s",
  documentId: "d",
  chunkId: "c",
  title: "Rules",
  url: null,
  heading: "",
  page,
  quote,
});

test.each([
  ["First of one.", 1],
  ["First of two.", 2],
  ["Second of two.", 2],
  ["Second of two.\n\nFirst of four.", 2],
  ["First of four.", 4],
  ["computed, and in no document", 1],
])("%s", (quote, page) => {
  expect(withPages([cite(quote)], [passage], new Map([["c", starts]]))).toMatchObject([{ quote, page }]);
});

test("a passage on one page, or without pages, keeps its page", () => {
  expect(withPages([cite("First of two.")], [passage], new Map())).toMatchObject([{ page: 1 }]);
  expect(withPages([cite("First of two.", null)], [passage], new Map())).toMatchObject([{ page: null }]);
  expect(withPages([cite("First of two.")], [], new Map([["c", starts]]))).toMatchObject([{ page: 1 }]);
});

test("a computed value keeps its citation's page, and so does a quote before the first page break", () => {
  const early = [{ page: 9, start: 50 }, ...starts];
  expect(withPages([cite("computed", 7)], [passage], new Map([["c", early]]))).toMatchObject([{ page: 7 }]);
  expect(withPages([cite("First of one.", 7)], [passage], new Map([["c", starts]]))).toMatchObject([
    { page: 7 },
  ]);
});

test("each citation is compared with its own passage", () => {
  const second = { ...passage, index: 2, chunkId: "e", startOffset: 0 };
  const inside = new Map([
    ["c", starts],
    ["e", [{ page: 8, start: 1 }]],
  ]);
  const all = [cite("First of four."), { ...cite("First of four."), index: 2 }];
  expect(withPages(all, [passage, second], inside)).toMatchObject([{ page: 4 }, { page: 8 }]);
});

const claims = { role: "authenticated", sub: "u" } as const;

test("pages are read as the caller, only for passages with pages, grouped by passage", async () => {
  answer([
    { chunkId: "c", page: 2, start: 116 },
    { chunkId: "c", page: 4, start: 145 },
    { chunkId: "e", page: 7, start: 20 },
  ]);
  const inside = await readPages(claims, [
    { chunkId: "c", page: 1 },
    { chunkId: "d", page: null },
    { chunkId: "e", page: 6 },
  ]);
  expect(callers).toEqual([claims]);
  expect(narrowings).toEqual([["c", "e"]]);
  expect(statements.map(({ values }) => values)).toEqual([[["c", "e"]]]);
  expect([...inside]).toEqual([
    [
      "c",
      [
        { page: 2, start: 116 },
        { page: 4, start: 145 },
      ],
    ],
    ["e", [{ page: 7, start: 20 }]],
  ]);
});

test("no query runs when no passage has a page", async () => {
  expect((await readPages(claims, [{ chunkId: "d", page: null }])).size).toBe(0);
  expect(statements).toEqual([]);
});

test("a failed page lookup is logged and yields no pages", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  answer(new Error("The connection is lost"));
  expect((await readPages(claims, [{ chunkId: "c", page: 1 }])).size).toBe(0);
  expect(logged.mock.calls.map(([line]) => JSON.parse(String(line)))).toMatchObject([
    { level: "warn", error: "Error: The connection is lost" },
  ]);
  logged.mockRestore();
});
