// The part of a document shown around a quote.

import { describe, expect, it } from "vitest";
import type { StructureSpan } from "../../edge-functions/indexing/parsers/document.ts";
import { excerptOf } from "../../edge-functions/v1/messages/excerpts.ts";
import fc from "../support/property-cases.ts";

const at = (content: string, words: string) => {
  const start = content.indexOf(words);
  return { start, end: start + words.length };
};

/** Spans of a text whose lines state their kind. */
function spansOf(content: string): StructureSpan[] {
  const spans: StructureSpan[] = [];
  let start = 0;
  for (const line of content.split("\n")) {
    const end = start + line.length;
    const marks = /^(#+) (.*)/.exec(line);
    if (marks) spans.push({ kind: "heading", start, end, level: marks[1]?.length, label: marks[2] });
    start = end + 1;
  }
  return spans;
}

describe("an excerpt", () => {
  it("is the quote's section with its surroundings, and names the headings above", () => {
    const far = "Far away. ".repeat(90).trim();
    const content = `# Leave\n\n${far}\nIntro.\n\n## Parental\n\nSixteen weeks.\n\n## Sick\n\nTell us.\n\n${far}\n\n${far}`;
    expect(excerptOf(content, spansOf(content), at(content, "Sixteen weeks."))).toMatchObject({
      text: expect.stringMatching(
        /^Far away[\s\S]*Intro\.\n\n## Parental\n\nSixteen weeks\.\n\n## Sick\n\nTell us\./,
      ),
      headings: ["Leave", "Parental"],
      page: null,
      hasMoreBefore: true,
      hasMoreAfter: true,
    });
  });

  it("is the page of a document with pages", () => {
    const content = "One.\n\nTwo, with the quote.\n\nThree.";
    const two = content.indexOf("Two");
    const three = content.indexOf("Three");
    const spans: StructureSpan[] = [
      { kind: "page", start: 0, end: 4, page: 1 },
      { kind: "page", start: two, end: three - 2, page: 2 },
      { kind: "page", start: three, end: content.length, page: 3 },
    ];
    const excerpt = excerptOf(content, spans, at(content, "the quote"));
    expect(excerpt).toMatchObject({ text: "Two, with the quote.\n\n", page: 2, lastPage: 2 });
    const both = excerptOf(content, spans, at(content, "the quote.\n\nThree"));
    expect(both).toMatchObject({ text: "Two, with the quote.\n\nThree", page: 2, lastPage: 3 });
    expect(excerptOf(content, [], at(content, "the quote"))).toMatchObject({ page: null, lastPage: null });
    expect(excerpt.spans).toEqual([{ kind: "page", start: 0, end: three - 2 - two, page: 2 }]);
  });

  it("is the quoted row of a table with its neighbours under their columns", () => {
    const rows = Array.from({ length: 400 }, (_, n) => `Name: Part ${n}\nPrice: ${n},50`);
    const content = `Parts\n\n${rows.join("\n\n")}`;
    const spans: StructureSpan[] = [
      { kind: "table", start: 7, end: content.length, columns: ["Name", "Price"], records: true },
    ];
    let start = 7;
    for (const row of rows) {
      spans.push({ kind: "row", start, end: start + row.length });
      start += row.length + 2;
    }
    const quote = at(content, "Name: Part 200\nPrice: 200,50");
    const [table] = excerptOf(content, spans, quote).tables;
    expect(table?.columns).toEqual(["Name", "Price"]);
    expect(table?.rows).toHaveLength(7);
    expect(table?.rows[3]?.cells).toEqual(["Part 200", "200,50"]);
  });

  it("always contains the quote, stays small, and has its spans inside", () => {
    const line = fc.oneof(
      fc.constantFrom("# A", "## B", "", "| a | b |"),
      fc.string({ maxLength: 400 }).map((text) => text.replace(/\n/g, " ")),
    );
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 120 }),
        fc.nat(),
        fc.nat({ max: 400 }),
        fc.array(
          fc.tuple(
            fc.constantFrom("page" as const, "heading" as const, "table" as const, "row" as const),
            fc.nat(),
            fc.nat(2_000),
          ),
          {
            maxLength: 30,
          },
        ),
        (lines, from, length, odd) => {
          const content = lines.join("\n");
          const start = from % (content.length + 1);
          const quote = { start, end: Math.min(content.length, start + length) };
          const spans = odd
            .map(([kind, place, size]): StructureSpan => {
              const first = place % (content.length + 1);
              return {
                kind,
                start: first,
                end: first + size,
                ...(kind === "table" ? { columns: ["x"] } : {}),
              };
            })
            .concat(spansOf(content))
            .sort((a, b) => a.start - b.start);
          const excerpt = excerptOf(content, spans, quote);
          expect(excerpt.text.slice(excerpt.quote.start, excerpt.quote.end)).toBe(
            content.slice(quote.start, quote.end),
          );
          expect(excerpt.quote.start).toBeGreaterThanOrEqual(0);
          expect(excerpt.text).toBe(content.slice(excerpt.offset, excerpt.offset + excerpt.text.length));
          expect(excerpt.text.length).toBeLessThanOrEqual(8_800);
          for (const span of excerpt.spans) {
            expect(span.start).toBeGreaterThanOrEqual(0);
            expect(span.end).toBeLessThanOrEqual(excerpt.text.length);
          }
        },
      ),
    );
  });
});
