// Numbers that a document writes in words, and words that have only a translation.
import { describe, expect, it } from "vitest";
import { standIns } from "../../edge-functions/answering/lexicon.ts";
import { stem } from "../../edge-functions/answering/words.ts";
import { otherNumerals, withDigits, withMeasuresInDigits } from "../../supabase/local/models/numerals.ts";
import { askBuiltIn as ask } from "../support/built-in-model.ts";

describe("a number in words", () => {
  it("is the number that a question gives in digits", () => {
    const committee = "The three person committee is Ann Lowe, Bo Day and Cy Fox.";
    expect(ask("Who is on the 3 person committee?", `${committee} The staff committee is Di Green.`)).toBe(
      `${committee} [1]`,
    );
  });
  it("is read as a bound", () => {
    expect(withDigits("within five weeks, Deux fois")).toBe("within 5 weeks, 2 fois");
  });
  it("counts with its unit in a question, as in digits", () => {
    const told = "Two hours of parking cost £3. Two cars may park on one ticket.";
    expect(ask("How many cars may park for two hours?", told)).toBe(
      ask("How many cars may park for 2 hours?", told),
    );
    const leave =
      "Leave grows by one day after every three years with us. Up to five unused days move into the next year.";
    expect(ask("How many days of leave do I get after five years?", leave)).not.toMatch(/^Up to five/);
    expect(withMeasuresInDigits("after five years, five people, un moteur neuf, dix-huit mois")).toBe(
      "after 5 years, five people, un moteur neuf, 18 mois",
    );
  });
  it("is not a part of a decimal number, unless the question has that too", () => {
    expect(ask("we are 20, is it possible", "Jars: 0.20 € back, possible at any till.")).not.toMatch(/^Jars/);
    expect(ask("What is new in 6.2?", "6.2 brings maps.", "7.0 is old.")).toContain("6.2 brings maps");
  });
  it("is no digit of a question in words: “neuf” is also “new”", () => {
    expect(otherNumerals("9", new Set(["neuf"]))).toEqual(["neuf"]);
    expect(otherNumerals("neuf", new Set(["9"]))).toEqual([]);
  });
});

describe("a word with one translation", () => {
  const find = (asked: string, told: string, language: "en" | "fr") => [
    ...standIns(stem(asked), new Set([stem(told)]), language).keys(),
  ];
  it("finds it in either direction", () => {
    expect(find("cadenas", "padlock", "fr")).toEqual(["padlock"]);
    expect(find("ladder", "echelle", "en")).toEqual([stem("echelle")]);
    expect(find("reply", "repondre", "en")).toEqual([stem("repondre")]);
  });
});
