// Counting and grouping the sources of a reply.

import { describe, expect, it } from "vitest";
import type { Citation } from "../../web/pages/chats/chat.ts";
import {
  citedSources,
  groupByDocument,
  renumberMarks,
  sourceOf,
} from "../../web/pages/chats/cited-sources.ts";
import fc from "../support/property-cases.ts";

const cite = (index: number, documentId: string, heading?: string, page?: number | null): Citation => ({
  index,
  documentId,
  sourceId: "s",
  chunkId: `c${index}`,
  title: `Document ${documentId}`,
  url: null,
  quote: `Quote ${index}`,
  ...(heading === undefined ? {} : { heading }),
  ...(page === undefined ? {} : { page }),
});

const citations = fc
  .uniqueArray(fc.integer({ min: 1, max: 50 }), { maxLength: 20 })
  .chain((indexes) =>
    fc.tuple(
      ...indexes.map((index) =>
        fc
          .tuple(
            fc.constantFrom("a", "b", "c"),
            fc.constantFrom(undefined, "", "Leave", "Travel › Hotels"),
            fc.constantFrom(undefined, null, 1, 2),
          )
          .map(([documentId, heading, page]) => cite(index, documentId, heading, page)),
      ),
    ),
  );

describe("the sources of a reply", () => {
  it("are numbered 1 to n in order of first citation, one for each section of a document", () => {
    fc.assert(
      fc.property(citations, (cited) => {
        const sources = citedSources(cited);
        expect(sources.map(({ number }) => number)).toEqual(sources.map((_, at) => at + 1));
        const firsts = sources.map(({ citations: [first] }) => (first ? cited.indexOf(first) : -1));
        expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
        const places = sources.map(({ documentId, heading, page }) => `${documentId}/${heading}/${page}`);
        expect(new Set(places).size).toBe(places.length);
        // Every citation has one source, with its own document, section and page.
        expect(sources.flatMap((one) => one.citations).sort((a, b) => a.index - b.index)).toEqual(
          [...cited].sort((a, b) => a.index - b.index),
        );
        for (const one of cited) {
          expect(sourceOf(sources, one.index)).toMatchObject({
            documentId: one.documentId,
            heading: one.heading ?? "",
            page: one.page ?? null,
          });
        }
      }),
    );
  });

  it("are grouped by document, each document once, at its first citation", () => {
    fc.assert(
      fc.property(citations, (cited) => {
        const documents = groupByDocument(citedSources(cited));
        expect(documents.map(({ documentId }) => documentId)).toEqual([
          ...new Set(cited.map(({ documentId }) => documentId)),
        ]);
        for (const { documentId, sources } of documents) {
          expect(sources.every((one) => one.documentId === documentId)).toBe(true);
          const numbers = sources.map(({ number }) => number);
          expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
        }
      }),
    );
  });

  it("renumber the marks of copied text", () => {
    const sources = citedSources([cite(7, "a", "Leave"), cite(3, "b"), cite(9, "a", "Leave")]);
    expect(renumberMarks("One [7]. Two [3][9]. Not [12], nor argv[a].", sources)).toBe(
      "One [1]. Two [2][1]. Not [12], nor argv[a].",
    );
  });
});
