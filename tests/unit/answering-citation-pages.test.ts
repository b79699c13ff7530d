// A citation names the page that its quote begins on, whatever page its passage begins on.
import { expect, test } from "vitest";
import { withPages } from "../../edge-functions/answering/citation-pages.ts";
import type { Citation } from "../../edge-functions/answering/citations.ts";

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

test("a passage on one page, or without pages, keeps what it says", () => {
  expect(withPages([cite("First of two.")], [passage], new Map())).toMatchObject([{ page: 1 }]);
  expect(withPages([cite("First of two.", null)], [passage], new Map())).toMatchObject([{ page: null }]);
  expect(withPages([cite("First of two.")], [], new Map([["c", starts]]))).toMatchObject([{ page: 1 }]);
});
