// The literal check of a claim, case by case: numbers, dates, times and units in English and French, names, and denials, against one or
// several passages.

import { describe, expect, it, test } from "vitest";
import { LiteralCheck } from "../../edge-functions/answering/literal-check.ts";
import { findValue, holdValues, valuesIn } from "../../edge-functions/answering/values.ts";
import fc from "../support/property-cases.ts";

/** The finding for a claim's single value. */
function findingFor(claim: string, text: string) {
  const [value, ...more] = valuesIn(claim);
  if (!value || more.length > 0) throw new Error(`${claim} says ${more.length + 1} values`);
  return findValue(value, holdValues(text));
}

describe("a value", () => {
  test.each([
    // Dates have a year, month and day; a year may be missing on either side, and must never differ.
    ["on 31 March", "until 31 March 2026", "there"],
    ["on 31 March", "until 2025-03-31", "there"],
    ["on 31 March", "until 31 mars", "there"],
    ["on 30 March", "until 31 March", "absent"],
    ["on 31 March 2026", "until 31 mars", "there"],
    ["on 31 March 2026", "until 31 March 2025", "absent"],
    ["in 2026", "until 31 March 2026", "there"],
    ["in 2027", "until 31 March 2026", "absent"],
    ["on the 31", "until 2026-03-31", "there"],
    ["en mars 2026", "until 2026-03-31", "there"],
    ["en avril 2026", "until 2026-03-31", "absent"],
    // A month and its year may be apart.
    ["in April 2026", "It opened in April. The year was 2026.", "there"],
    ["in April 2026", "Ouvert en avril, 2026 au plus tard", "there"],
    ["in April 2026", "It opened in April.", "absent"],
    ["in April 2026", "It opened in May 2026.", "absent"],
    ["in 2026", "in April 2026", "there"],
    ["April 2026 is when the hall opens for all", "opened in 2026", "absent"],
    // From 1900 to 2199 a number after a month's name is a year.
    ["in March 1900", "in 1900", "absent"],
    ["in March 1899", "in 1899", "there"],
    ["in May 2199", "in 2199", "absent"],
    ["in May 2200", "the 2200 guests", "there"],
    ["in May 150", "the 150 guests", "there"],
    // A full hour may have no minutes, and may use the twelve-hour clock.
    ["at 20:00", "at 8", "there"],
    ["at 20:00", "à 20 h", "there"],
    ["at 20:30", "à 20 h", "absent"],
    ["at 12:00", "at 12", "there"],
    ["at 12:00", "at 0", "absent"],
    ["at 8 am", "from 8 on", "there"],
    ["from 8 on", "at 8 am", "there"],
    ["at 8 am", "from 9 on", "absent"],
    // Numbers followed by a word.
    ["1.5 million", "1,500,000", "there"],
    ["1,1 million", "1 100 000", "there"],
    ["2 millions", "2,000,000", "there"],
    ["3 bn", "3 milliards", "there"],
    ["3 billion", "3 000 000 000", "there"],
    ["40k", "40,000", "there"],
    ["40 mille", "40,000", "there"],
    ["40 mille", "40,001", "absent"],
    ["40 kilometres", "40,000", "absent"],
    // A point may group digits or separate decimals, and two adjacent numbers may be one.
    ["1.500", "1500", "there"],
    ["1.500", "1,5", "there"],
    ["1.500", "15", "absent"],
    ["100", "In room 12 100 people sit", "there"],
    ["12100", "In room 12 100 people sit", "there"],
    ["100 €", "In room 12 100 people sit", "there"],
    ["101", "In room 12 100 people sit", "absent"],
    // Numbers in words.
    ["27", "twenty-seven days", "there"],
    ["27", "twenty seven days", "there"],
    ["7", "twenty-eight days", "absent"],
    ["28", "twenty-seven days", "absent"],
    ["71", "soixante-et-onze jours", "there"],
    ["80", "quatre-vingts jours", "there"],
    ["95", "quatre-vingt-quinze jours", "there"],
    ["12", "a dozen eggs", "there"],
    ["1000", "mille fois", "there"],
    ["1500", "fifteen hundreds", "absent"],
    ["1.5", "one day", "absent"],
    ["150", "days", "absent"],
    ["20:00", "huit heures", "there"],
  ])("%j in %j is %s", (claim, text, finding) => {
    expect(findingFor(claim, text)).toBe(finding);
  });

  const units = {
    percent: ["40 %", "40%", "40 per cent", "40 percent", "40 pour cent"],
    euros: ["40 €", "40€", "€40", "€ 40", "40 euros", "40 EUR", "EUR 40"],
    dollars: ["40 $", "$40", "40 dollars", "40 USD", "USD 40"],
    pounds: ["£40", "40 £", "40 pounds", "40 GBP", "GBP 40"],
  };
  const written = Object.entries(units).flatMap(([unit, all]) => all.map((text) => ({ unit, text })));

  it("matches its unit in any spelling, and differs from the same number of something else", () => {
    for (const one of written)
      for (const other of written)
        expect([
          one.text,
          other.text,
          findingFor(`${one.text} is what it costs`, `The fee: ${other.text}.`),
        ]).toEqual([one.text, other.text, one.unit === other.unit ? "there" : "otherUnit"]);
  });

  it("matches when one of the two has no unit", () => {
    for (const { text } of written) {
      expect(findingFor(text, "| Fee | 40 |")).toBe("there");
      expect(findingFor("40 in all", text)).toBe("there");
      expect(findingFor(text.replace("40", "41"), "| Fee | 40 |")).toBe("absent");
    }
  });

  it("may have several units in a text", () => {
    const text = "It is 40 € here, and 40 $ there.";
    expect(["40 euros", "$40", "£40"].map((claim) => findingFor(claim, text))).toEqual([
      "there",
      "there",
      "otherUnit",
    ]);
  });

  it("is not part of a longer number in words, in either language", () => {
    const texts = [
      "forty-five",
      "two hundred",
      "vingt et un",
      "soixante-dix-sept",
      "quatre-vingts",
      "twelve",
    ];
    const numbers = [2, 4, 5, 7, 10, 12, 17, 20, 21, 40, 45, 60, 77, 80, 100];
    const held = texts.map((text) =>
      numbers.filter((one) => findingFor(`${one}`, `They own ${text} now.`) === "there"),
    );
    expect(held).toEqual([[45], [], [21], [77], [80], [12]]);
    expect(findingFor("5", "They own forty boats, five huts.")).toBe("there");
  });

  it("differs from other whole numbers below a hundred, in words and in digits", () => {
    const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
    const ones = "one two three four five six seven eight nine".split(" ");
    const parts = fc.record({ ten: fc.nat(7), one: fc.nat(8) });
    fc.assert(
      fc.property(parts, fc.integer({ min: 20, max: 99 }), ({ ten, one }, said) => {
        const number = (ten + 2) * 10 + one + 1;
        const own = `They own ${tens[ten]}-${ones[one]} boats.`;
        expect(findingFor(`${number}`, own)).toBe("there");
        expect(findingFor(`${said}`, own)).toBe(said === number ? "there" : "absent");
        expect(findingFor(`${said}`, `They own ${number} boats.`)).toBe(said === number ? "there" : "absent");
      }),
    );
  });
});

const english = "The hall of the town is open to all, and the keys are with Marie Martin.";
const french = "La salle de la mairie est ouverte à tous, et les clés sont chez Marie Martin.";

/** The literal check of a claim that cites all of these passages. */
function finding(text: string, contents: string[], known = "") {
  const evidence = contents.map((content, at) => ({
    index: at + 1,
    title: "Rules",
    content,
    quote: content,
  }));
  const claim = { text, start: 0, end: text.length, marksEnd: text.length, citations: [], isMarked: true };
  return new LiteralCheck(evidence, known).check(
    claim,
    evidence.map(({ index }) => index),
  );
}

describe("a claim that cites several passages", () => {
  test.each([
    ["The hall of the town is open", [french, english], "verbatim"],
    ["THE HALL of the **town** is open", [english], "verbatim"],
    ["It's open", ["It’s open"], "verbatim"],
    ["| Lyon | 120 €", ["Nothing here.", "In Lyon: 120 € a night."], "verbatim"],
    ["| Lyon | 120 €", ["In Lyon: 12 € a night.", "In Paris: 120 € a night."], "open"],
    ["They seat 40 guests", ["It has 40 seats.", "It has a stage."], "open"],
    ["They seat 50 guests", ["It has 40 seats.", "It has a stage."], "value"],
    ["They pay 40 €", ["It costs $40.", "It costs 40 euros."], "open"],
    ["They pay 40 €", ["It costs $40.", "It has a stage."], "unit"],
  ])("%j of %j is %s", (text, contents, expected) => {
    expect(finding(text, contents)).toBe(expected);
  });
});

describe("a name", () => {
  test.each<[text: string, contents: string[], expected: string, known?: string]>([
    ["The keys hang at Martin", [english], "open"],
    ["The keys hang at Durand", [english], "name"],
    ["The keys hang at Durand.", [english], "name"],
    ["The keys hang at Martin and Durand", [english], "name"],
    ["The keys hang at Durand", [english], "open", "Who is Durand?"],
    ["The keys hang at Martin and Durand", [english], "name", "Who is Martin?"],
    ["The keys hang at Durand", ["The sheds are with Durand, and that is all.", english], "open"],
    // Another language may name it otherwise, and without a passage there is nothing to compare.
    ["The keys hang at Durand", [french], "open"],
    ["The keys hang at Durand", [english, french], "open"],
    ["The keys hang at Durand", [], "open"],
    // A capital at a sentence's start is no name, except in a name of two words.
    ["Visitors find the keys at the door", [english], "open"],
    ["“Visitors find the keys at the door", [english], "open"],
    ["Jean Martin has got the keys for you", [english], "name"],
    ["It is there. Visitors find the keys", [english], "open"],
    // Days, months, stop words and labels are no names.
    ["The keys hang there on Monday", [english], "open"],
    ["The keys are at The Hall", [english], "open"],
    ["Contact of Durand: the keys hang at the door", [english], "open"],
    ["**Durand**: the keys hang at the door", [english], "open"],
  ])("in %j, of %j, is %s", (text, contents, expected, known) => {
    expect(finding(text, contents, known)).toBe(expected);
  });
});

describe("a denial", () => {
  const yes = "Guests park bicycles behind the hall.";
  const no = "Guests never park bicycles behind the hall.";
  test.each([
    ["Guests cannot park bicycles behind that hall", [yes], "negation"],
    ["Guests can park bicycles behind that hall", [no], "negation"],
    ["Guests cannot park bicycles behind that hall", [no], "open"],
    ["Guests can park bicycles behind that hall", [yes, no], "open"],
    ["Les clients ne garent pas de vélos", ["Les clients garent des vélos."], "negation"],
    ["Guests can park bicycles behind that hall", [], "open"],
    // A double negation decides nothing, and neither does a single word.
    ["No guests cannot park bicycles behind that hall", [yes], "open"],
    ["Guests cannot", ["Guests."], "open"],
    ["Guests cannot pay", ["Guests pay."], "negation"],
    // "No later than" is no denial.
    ["Guests leave the hall no later than noon", ["Guests leave the hall at noon."], "open"],
    ["Guests leave that hall not only at noon", ["Guests leave the hall at noon."], "open"],
    // Both must be about the same: three quarters of the claim, and three fifths of the sentence.
    ["Lions tigers zebras cannot drink", ["Lions tigers zebras swim daily."], "negation"],
    ["Lions tigers cannot drink milk", ["Lions tigers swim."], "open"],
    ["Lions tigers zebras cannot drink milk", ["Lions tigers zebras."], "open"],
    ["Lions tigers zebras cannot", ["Lions tigers zebras swim daily near rivers."], "open"],
    // Values are compared as values.
    [
      "Lions tigers zebras cannot drink at 40",
      ["Lions tigers zebras swim daily at 40, 45 or 47."],
      "negation",
    ],
  ])("of %j in %j is %s", (text, contents, expected) => {
    expect(finding(text, contents)).toBe(expected);
  });
});
