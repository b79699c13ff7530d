// Quotes are found among a page's text pieces, however they are split and in whatever order they are drawn.

import { describe, expect, test } from "vitest";
import { quoteOnPage } from "../../web/pages/chats/quote-on-page.ts";
import fc from "../support/property-cases.ts";

const letters = (text: string) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
const markQuote = (pieces: string[], quote: string) =>
  quoteOnPage(pieces, quote).map(({ piece, start, end }) => pieces[piece]?.slice(start, end));

describe("a quote on a page", () => {
  test.each([
    ["within a piece", ["Parents have sixteen weeks."], "sixteen weeks", ["sixteen weeks"]],
    [
      "over lines, with a word that is cut",
      ["Tell your man-", "ager before nine."],
      "your manager before",
      ["your man", "ager before"],
    ],
    [
      "with a ligature and an accent",
      ["The ﬁrst cafe\u0301", "is open"],
      "first café is",
      ["ﬁrst cafe", "is"],
    ],
    [
      "of the right column, where the lines of both are drawn side by side",
      ["Left one", "Right one", "left two", "right two", "left three", "right three"],
      "Right one right two right three",
      ["Right one", "right two", "right three"],
    ],
    ["that stands nowhere", ["Something else"], "sixteen weeks", []],
    ["of nothing but marks", ["—"], "—", []],
  ])("%s", (_what, pieces, quote, expected) => {
    expect(markQuote(pieces, quote)).toEqual(expected);
  });

  test("is complete and in order, however the text is split", () => {
    const text = fc
      .array(fc.stringMatching(/^[a-zé0-9]{1,9}$/), { minLength: 3, maxLength: 30 })
      .map((words) => words.join(" "));
    fc.assert(
      fc.property(
        text,
        fc.array(fc.nat(200), { maxLength: 12 }),
        fc.nat(200),
        fc.nat(200),
        (whole, cuts, a, b) => {
          const places = [...new Set([0, whole.length, ...cuts.map((cut) => cut % whole.length)])].sort(
            (x, y) => x - y,
          );
          const pieces = places.slice(0, -1).map((from, at) => whole.slice(from, places[at + 1]));
          const [start, end] = [a % whole.length, b % whole.length].sort((x, y) => x - y);
          const quote = whole.slice(start, (end ?? 0) + 1);
          expect(letters(markQuote(pieces, quote).join(""))).toBe(letters(quote));
        },
      ),
    );
  });

  test("ends on a page that repeats itself", () => {
    const pieces = Array.from({ length: 400 }, () => "aa");
    expect(quoteOnPage(pieces, `${"a".repeat(700)}b`)).toEqual([]);
  });
});
