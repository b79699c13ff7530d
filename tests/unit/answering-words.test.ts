// Words of plain text are split by a shorter expression than those of any text: both must find the same.
import { expect, test } from "vitest";
import { fold, hasTerm, stem, terms, words } from "../../edge-functions/answering/words.ts";
import fc from "../support/property-cases.ts";

const pieces = [..."abzAZ09_-.,'\"()/: \n«»–’“”•‹›éÉœŒßñ²½ªµ", "day", "days", "Jours", "3rd", "naïve"];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((list) => list.join(""));

test("are all runs of letters and digits, in plain text as in any other", () => {
  fc.assert(
    fc.property(text, (one) => {
      expect(words(one)).toEqual([...fold(one).matchAll(/[\p{L}\p{N}]+/gu)].map(([run]) => run));
    }),
  );
});

test("are found by their stem, in plain text as in any other", () => {
  const asked = fc.constantFrom(...["day", "jour", "rd", "naive", "zzz"].map(stem));
  fc.assert(
    fc.property(text, asked, (one, term) => {
      expect(hasTerm(one, term)).toBe(terms(one).includes(term));
    }),
  );
  expect(hasTerm("3days or day_s, «days»", "day")).toBe(true);
  expect(hasTerm("3days, mondays", "day")).toBe(false);
});
