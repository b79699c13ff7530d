// The excerpt of a long text in search results.

import { expect, it } from "vitest";
import { excerptOf } from "../../edge-functions/v1/search/excerpt.ts";
import fc from "../support/property-cases.ts";

it("an excerpt shows the text around the match, without marks of headings and tables", () => {
  const text = `## Leave\n\n${"Something else stands here. ".repeat(10)}\n\n| Kind | Days |\n| --- | ---: |\n| Annual | 27 |`;
  expect(excerptOf(text, "annual")).toMatch(/^… .*\| Kind \| Days \| \| Annual \| 27 \|$/);
  expect(excerptOf(text, "leave")).toMatch(/^Leave · Something else .* …$/);
  expect(excerptOf("#hashtag stays, and a # b", "b")).toBe("#hashtag stays, and a # b");
  expect(excerptOf("# Time off\n\n## Annual leave\n\nAsk the **People team**.", "ask")).toBe(
    "Time off · Annual leave · Ask the People team.",
  );
  expect(excerptOf("2**3**4 and **/docs/**", "and")).toBe("2**3**4 and **/docs/**");
  expect(excerptOf(" \n ", "x")).toBeNull();
});

it("an excerpt marks struck words at both ends, also where it cuts them", () => {
  const struck = "word ".repeat(30).trim();
  expect(excerptOf("Now ~~300 €~~ 250 €", "now")).toBe("Now ~~300 €~~ 250 €");
  expect(excerptOf(`Now ~~${struck}~~ ${struck}`.repeat(2), "now")).toMatch(
    /^Now ~~(?:word ){29}word~~ word/,
  );
  expect(excerptOf(`~~${struck} old ${struck}~~`, "old")).toMatch(/^… ~~(?:word )+old (?:word ?)+~~ …$/);
  expect(excerptOf(`~~${struck} old~~ ${struck}`, "old")).toMatch(/^… ~~(?:word )+old~~ (?:word ?)+ …$/);
  expect(excerptOf("a ~~ b and ~~~ c", "a")).toBe("a ~~ b and ~~~ c");
});

it("an excerpt is one line, for any text and query", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string(), (text, query) => {
      const shown = excerptOf(text, query);
      expect(shown ?? "").not.toMatch(/\n/);
      expect(shown).not.toBe("");
    }),
  );
});
