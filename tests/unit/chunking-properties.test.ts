// Properties of chunking for any text, structure and parameters.

import { describe, expect, it } from "vitest";
import { countTokens } from "../../edge-functions/_shared/models/tokens.ts";
import { type Chunk, chunkText } from "../../edge-functions/indexing/chunking.ts";
import type { StructureKind, StructureSpan } from "../../edge-functions/indexing/parsers/document.ts";
import fc from "../support/property-cases.ts";

interface Doc {
  text: string;
  structure: StructureSpan[];
}

const word = fc.oneof(
  fc.stringMatching(/^[a-z]{1,12}$/),
  fc.stringMatching(/^[A-Z][a-z]{1,8}[.!?]$/),
  fc.constantFrom("naïve", "l’été", "12,345.67", "—", "你好。世界", "日本語テキスト", "🎉🎉", "👩‍👩‍👧"),
  fc.constantFrom("a".repeat(90), "𝔘".repeat(40)),
);
const space = fc.constantFrom(" ", " ", " ", "  ", "\n", "\n\n", "\t", "\u00a0", " \n \n", "\t".repeat(90));
const prose = fc
  .array(fc.tuple(word, space), { minLength: 1, maxLength: 60 })
  .map((pairs) => pairs.map(([w, s]) => w + s).join(""));

/** Blocks as a parser emits them: spans start and end at words. */
const parsed: fc.Arbitrary<Doc> = fc
  .array(
    fc.tuple(
      fc.constantFrom<StructureKind | "prose">("heading", "table", "list", "code", "prose"),
      prose,
      fc.integer({ min: 1, max: 6 }),
    ),
  )
  .map((blocks) => {
    let text = "";
    const structure: StructureSpan[] = [];
    for (const [kind, raw, level] of blocks) {
      const content = raw.trim();
      if (content === "") continue;
      const start = text.length;
      if (kind !== "prose")
        structure.push({ kind, start, end: start + content.length, level, label: content.slice(0, 20) });
      if (kind === "table" || kind === "list") {
        const part = kind === "table" ? "row" : "item";
        for (const line of content.matchAll(/\S[^\n]*\S|\S/g)) {
          structure.push({ kind: part, start: start + line.index, end: start + line.index + line[0].length });
        }
      }
      text += `${content}\n\n`;
    }
    return { text, structure };
  });

/** Any text with spans anywhere, sensible or not. */
const anything: fc.Arbitrary<Doc> = fc
  .oneof(
    prose,
    fc.string({ unit: "grapheme", maxLength: 400 }),
    fc.string({ unit: "binary", maxLength: 400 }),
  )
  .chain((text) => {
    const kind = fc.constantFrom<StructureKind>("heading", "table", "row", "list", "item", "code", "page");
    const place = fc.nat(text.length);
    return fc
      .array(fc.tuple(kind, place, place, fc.integer({ min: 1, max: 6 })), { maxLength: 12 })
      .map((raw) => ({
        text,
        structure: raw
          .map(
            ([k, a, b, level]): StructureSpan => ({
              kind: k,
              start: Math.min(a, b),
              end: Math.max(a, b),
              level,
              page: level,
            }),
          )
          .sort((a, b) => a.start - b.start),
      }));
  });

const options = fc.record({
  maxTokens: fc.integer({ min: 8, max: 120 }),
  overlapTokens: fc.integer({ min: 0, max: 150 }),
});

function holds(docs: fc.Arbitrary<Doc>, law: (doc: Doc, chunks: Chunk[], maxTokens: number) => void): void {
  const property = fc.property(docs, options, (doc, chosen) =>
    law(doc, chunkText(doc, chosen), chosen.maxTokens),
  );
  fc.assert(property, { numRuns: 300 });
}

describe.each([
  ["parsed documents", parsed],
  ["any text and any spans", anything],
])("chunks of %s", (_name, docs) => {
  it("are exact slices, numbered in order", () => {
    holds(docs, ({ text }, chunks) => {
      chunks.forEach((chunk, i) => {
        expect(text.slice(chunk.start, chunk.end)).toBe(chunk.content);
        expect(chunk.position).toBe(i);
        expect(chunk.content.trim()).toBe(chunk.content);
        expect(chunk.content).not.toBe("");
      });
    });
  });

  it("cover everything but white space", () => {
    holds(docs, ({ text }, chunks) => {
      let at = 0;
      for (const { start, end } of chunks) {
        expect(text.slice(at, Math.max(at, start)).trim()).toBe("");
        at = Math.max(at, end);
      }
      expect(text.slice(at).trim()).toBe("");
    });
  });

  it("advance: each starts and ends after the one before", () => {
    holds(docs, (_doc, chunks) => {
      chunks.slice(1).forEach((chunk, i) => {
        expect(chunk.start).toBeGreaterThan(chunks[i]?.start ?? 0);
        expect(chunk.end).toBeGreaterThan(chunks[i]?.end ?? 0);
      });
    });
  });

  it("stay within the requested size", () => {
    holds(docs, ({ text }, chunks, maxTokens) => {
      for (const chunk of chunks) {
        expect(chunk.tokens).toBe(countTokens(text, chunk.start, chunk.end));
        expect(chunk.tokens).toBeLessThanOrEqual(maxTokens);
        // White space is counted too: a passage is what a model reads.
        for (const [blank] of chunk.content.matchAll(/\s{32,}/g))
          expect(Math.floor(blank.length / 32)).toBeLessThanOrEqual(chunk.tokens);
      }
    });
  });
});

describe("chunks of parsed documents", () => {
  it("never split a surrogate pair", () => {
    holds(parsed, ({ text }, chunks) => {
      for (const { start, end } of chunks) {
        for (const cut of [start, end]) {
          expect(text.slice(Math.max(0, cut - 1), cut + 1)).not.toMatch(/^[\ud800-\udbff][\udc00-\udfff]$/);
        }
      }
    });
  });

  it("never split a character from its accents, vowel signs, skin tone or joined emoji", () => {
    const marked = fc.constantFrom("e\u0301\u0323", "ที่", "मि", "👍🏽", "👩‍👩‍👧", "❤\ufe0f", "界");
    const words = fc
      .array(fc.array(marked, { minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 4 })
      .map((all) => ({ text: all.map((word) => word.join("")).join(" "), structure: [] }));
    const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
    holds(words, ({ text }, chunks) => {
      const starts = new Set([...segmenter.segment(text)].map(({ index }) => index).concat(text.length));
      for (const { start, end } of chunks) expect([start, end].every((cut) => starts.has(cut))).toBe(true);
    });
  });

  it("never split a word that fits, except between sentences without a space", () => {
    holds(parsed, ({ text }, chunks, maxTokens) => {
      for (const cut of chunks.flatMap(({ start, end }) => [start, end])) {
        const before = /\S*$/.exec(text.slice(0, cut))?.[0] ?? "";
        const after = /^\S*/.exec(text.slice(cut))?.[0] ?? "";
        if (before === "" || after === "" || /[。！？]$/.test(before)) continue;
        expect(countTokens(before + after)).toBeGreaterThan(maxTokens);
      }
    });
  });

  it("never span a heading with text on both sides", () => {
    holds(parsed, ({ text, structure }, chunks) => {
      const headings = structure.filter((span) => span.kind === "heading");
      for (const { start, end } of chunks) {
        for (const heading of headings.filter((span) => start < span.start && span.start < end)) {
          // Only headings come before it in the chunk.
          const rest = [...text.slice(start, heading.start).matchAll(/\S/g)].filter(
            ({ index }) => !headings.some((span) => span.start <= start + index && start + index < span.end),
          );
          expect(rest).toEqual([]);
        }
      }
    });
  });
});

describe("nonsensical parameters", () => {
  it("still terminate", () => {
    const odd = fc.constantFrom(0, -5, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 1e12);
    const law = fc.property(anything, odd, odd, (doc, maxTokens, overlapTokens) => {
      expect(chunkText(doc, { maxTokens, overlapTokens }).length).toBeLessThanOrEqual(doc.text.length);
    });
    fc.assert(law, { numRuns: 300 });
  });
});

describe("the token count", () => {
  it("of a text is the sum of its words' and of its long white space", () => {
    const law = fc.property(fc.oneof(prose, fc.string({ unit: "grapheme" })), (content) => {
      const sum = content.split(/(\s+)/).reduce((total, each) => total + countTokens(each), 0);
      expect(countTokens(content)).toBe(sum);
    });
    fc.assert(law, { numRuns: 500 });
  });

  it("of white space is none up to 31 characters, and one for each 32", () => {
    expect([31, 32, 3200].map((length) => countTokens(" ".repeat(length)))).toEqual([0, 1, 100]);
  });
});
