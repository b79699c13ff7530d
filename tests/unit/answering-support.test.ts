// Properties of claims and of the literal check: the splitter loses and invents no words, a value is found in every spelling, and a wrong
// value, name or negation is detected.

import { describe, expect, it } from "vitest";
import { claimsIn, withoutClaims } from "../../edge-functions/answering/claims.ts";
import { disagreementIn } from "../../edge-functions/answering/disagreement.ts";
import { checkLiterally } from "../../edge-functions/answering/support.ts";
import fc from "../support/property-cases.ts";

const passage = (index: number, content: string, documentId = `d${index}`) => ({
  index,
  content,
  documentId,
  sourceId: "s",
  chunkId: `c${index}`,
  title: `Document ${index}`,
  url: null,
  heading: "",
  page: null,
  preface: "",
});
const cite = (one: ReturnType<typeof passage>) => ({ ...one, quote: one.content.slice(0, 400) });

function findings(reply: string, content: string, known = "") {
  const passages = [passage(1, content)];
  return checkLiterally({ reply, passages, citations: passages.map(cite), known }).findings;
}

const word = fc.stringMatching(/^[a-z]{3,8}$/);
const sentence = fc
  .array(word, { minLength: 2, maxLength: 8 })
  .map((all) => `${all.join(" ").replace(/^./, (first) => first.toUpperCase())}.`);

describe("claims", () => {
  it("are in the reply's order, without overlap, and cite the marks behind them", () => {
    const block = fc.record({
      said: sentence,
      mark: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
      sign: fc.constantFrom("", "- ", "1. ", "## "),
    });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 8 }), (all) => {
        const reply = all
          .map(({ said, mark, sign }) => `${sign}${said}${mark ? ` [${mark}]` : ""}`)
          .join("\n\n");
        const claims = claimsIn(reply);
        const stated = all.filter(({ sign }) => sign !== "## ");
        expect(claims.map(({ text }) => text)).toEqual(stated.map(({ said }) => said));
        expect(claims.map(({ citations }) => citations)).toEqual(
          stated.map(({ mark }) => (mark ? [mark] : [])),
        );
        let last = 0;
        for (const { start, end, marksEnd, text } of claims) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(reply.slice(start, end)).toBe(text);
          last = marksEnd;
        }
      }),
    );
  });

  const readClaims = (reply: string) => claimsIn(reply).map(({ text, citations }) => [text, ...citations]);

  it("end before code, continue after it, and continue below a table's head", () => {
    expect(readClaims("Before is said.\n\n```\nx is 1.\n```\n\nAfter is said.")).toEqual([
      ["Before is said."],
      ["After is said."],
    ]);
    expect(readClaims("Prices are here.\n\n| a | b |\n| --- | --- |\n| x | 1 |")).toEqual([
      ["Prices are here."],
      ["| x | 1"],
    ]);
    expect(readClaims("## All of it\n\nIs it so?\n\nThis is:\n\nIt is:[1]\n\n- It is.")).toEqual([
      ["It is:", 1],
      ["It is."],
    ]);
  });

  it("include a sentence above a rule, also when the reply has a table", () => {
    expect(readClaims("The hall is open.\n\n-----\n\n| a | b |\n| --- | --- |\n| x | 1 |")).toEqual([
      ["The hall is open."],
      ["| x | 1"],
    ]);
  });

  it("keep their own marks, and inherit only those at the end of their paragraph", () => {
    expect(readClaims("One is here [1]. Two is there [2].")).toEqual([
      ["One is here", 1],
      ["Two is there", 2],
    ]);
    expect(readClaims("One is here. Two is there [2].\n\nThree is too.")).toEqual([
      ["One is here.", 2],
      ["Two is there", 2],
      ["Three is too."],
    ]);
    const reply = "It [3] is so. [1] [2] It goes on.";
    const [first] = claimsIn(reply);
    expect(first).toMatchObject({ text: "It is so.", citations: [3, 1, 2], isMarked: true });
    expect(reply.slice(0, first?.marksEnd)).toBe("It [3] is so. [1] [2]");
  });

  it("number at most a hundred", () => {
    expect(claimsIn("It is so.\n\n".repeat(101))).toHaveLength(100);
  });

  it("leave no gap, no sign and no empty line when removed", () => {
    const without = (reply: string, ...gone: number[]) =>
      withoutClaims(
        reply,
        claimsIn(reply).filter((_, at) => gone.includes(at)),
      );
    expect(without("One is. Two is. Three is.", 1)).toBe("One is. Three is.");
    expect(without("One is.\n\nTwo is.\n\n\nThree is.", 1)).toBe("One is.\n\nThree is.");
    expect(without("- One is.\n  - Two is.\n- Three is.\n\nFour is.", 2, 3)).toBe("- One is.\n  - Two is.");
  });

  it("of any text are within it", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "B", "1", ".", " ", "\n", "[1]", "|", "-", "`", "*", "?") }),
        (reply) => {
          for (const { start, end, marksEnd } of claimsIn(reply)) {
            expect(start).toBeLessThan(end);
            expect(end).toBeLessThanOrEqual(marksEnd);
            expect(marksEnd).toBeLessThanOrEqual(reply.length);
          }
        },
      ),
    );
  });

  it("of a paragraph share the marks at its end; questions, lead-ins, table heads and code are none", () => {
    expect(claimsIn("One is here. Two is there [2].").map(({ citations }) => citations)).toEqual([[2], [2]]);
    expect(claimsIn("It is so. [1] [2] It goes on.").map(({ citations }) => citations)).toEqual([[1, 2], []]);
    const reply =
      "Is it so?\n\nThese are they:\n\n| A | B |\n|---|---|\n| x | 1 [1] |\n\n```\nlet a = 1.\n```";
    expect(claimsIn(reply).map(({ text }) => text)).toEqual(["| x | 1"]);
  });

  it("are removed with their marks and list signs", () => {
    const reply = "- One is here [1].\n- Two is there [2].\n\nThree stays. Four goes [1].";
    const [first, , , last] = claimsIn(reply);
    if (!first || !last) throw new Error("no claims");
    expect(withoutClaims(reply, [first, last])).toBe("- Two is there [2].\n\nThree stays.");
  });

  it("leave nothing when all are removed, and every word when none is", () => {
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 6 }), (all) => {
        const reply = all.map((said) => `${said} [1]`).join(" ");
        expect(withoutClaims(reply, claimsIn(reply))).toBe("");
        expect(withoutClaims(reply, [])).toBe(reply);
      }),
    );
  });
});

describe("the literal check", () => {
  it("finds words that are in the passage", () => {
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 6 }), fc.nat(5), (all, at) => {
        const said = all[at % all.length] ?? "";
        expect(findings(`${said} [1]`, all.join(" "))).toEqual(["verbatim"]);
      }),
    );
  });

  it("finds a number in any English or French spelling", () => {
    const ways = [
      (n: number) => n.toLocaleString("en-GB"),
      (n: number) => n.toLocaleString("fr-FR"),
      (n: number) => String(n),
    ];
    const way = fc.constantFrom(...ways);
    fc.assert(
      fc.property(fc.integer({ min: 101, max: 9_999_999 }), way, way, (n, one, other) => {
        const content = `The yearly budget of the team amounts to ${one(n)} euros, taxes included.`;
        expect(findings(`In total ${other(n)} euros are there to spend [1].`, content)).toEqual(["open"]);
        expect(findings(`In total ${other(n + 1)} euros are there to spend [1].`, content)).toEqual([
          "value",
        ]);
      }),
    );
  });

  it("finds a date in any spelling", () => {
    const date = fc.date({ min: new Date("1990-01-01"), max: new Date("2035-12-31"), noInvalidDate: true });
    const writeDate = (day: Date, locale: string) =>
      day.toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" });
    fc.assert(
      fc.property(date, fc.constantFrom("en-GB", "en-US", "fr-FR"), (day, locale) => {
        const content = `The lease of the hall ends on ${day.toISOString().slice(0, 10)}, without notice.`;
        const next = new Date(day.getTime() + 86_400_000);
        expect(findings(`It runs until ${writeDate(day, locale)} [1].`, content)).toEqual(["open"]);
        expect(findings(`It runs until ${writeDate(next, locale)} [1].`, content)).toEqual(["value"]);
      }),
    );
  });

  it.each([
    ["You have 27 days off [1].", "open"],
    ["You have 28 days off [1].", "value"],
    ["The gate closes at 8 pm [1].", "open"],
    ["The gate closes at 20 h 30 [1].", "value"],
    ["Marie Dupont is head of sales [1].", "open"],
    ["Jean Martin is head of sales [1].", "name"],
    ["The fee is 1,500.50 € [1].", "open"],
    ["The fee is $1,500.50 [1].", "unit"],
    ["Guests may park here at night [1].", "negation"],
    ["Guests may not park here at night [1].", "verbatim"],
    ["She has led it since March 2021 [1].", "open"],
    ["She has led it since April 2021 [1].", "value"],
    ["I found nothing about parking fees.", "gap"],
  ])("of %j gives %s", (reply, finding) => {
    const content =
      "Everybody has twenty-seven days of leave. The gate closes at eight. Marie Dupont leads sales since 31 March 2021. " +
      "The fee is 1 500,50 €. Guests may not park here at night.";
    expect(findings(reply, content)).toEqual([finding]);
  });

  it("ignores names in another language, and names in the question", () => {
    expect(findings("The office is in Germany [1].", "Le bureau est en Allemagne et il est ouvert.")).toEqual(
      ["open"],
    );
    expect(findings("The office is in Germany [1].", "The office is abroad.", "Is it in Germany?")).toEqual([
      "open",
    ]);
    expect(findings("The office is in Germany [1].", "The office is abroad.")).toEqual(["name"]);
  });

  it("compares a value without a mark with every cited passage", () => {
    const content = "The hall has 40 seats. It was built by the town.";
    expect(findings("The town built it [1].\n\nIt has 40 seats. I hope that helps.", content)).toEqual([
      "open",
      "open",
    ]);
    expect(findings("The town built it [1].\n\nIt has 50 seats.", content)).toEqual(["open", "value"]);
  });

  it("compares a claim with the passages of its own marks only", () => {
    const passages = [passage(1, "The hall has 40 seats."), passage(2, "The garden has 60 chairs.")];
    const check = (reply: string) =>
      checkLiterally({ reply, passages, citations: passages.map(cite), known: "" }).findings;
    expect(check("Inside, 40 people can sit [1]. Outside, 60 can [2].")).toEqual(["open", "open"]);
    expect(check("Inside, 60 people can sit [1]. Outside, 60 can [2].")).toEqual(["value", "open"]);
  });
});

describe("two documents that disagree", () => {
  const old = "Every employee gets 25 days of paid leave per year.";
  const disagreement = (here: string, there: string, documentId = "d2") =>
    disagreementIn(
      `${here} [1] ${there} [2]`,
      // A quote may be only part of its sentence.
      [cite({ ...passage(1, here), content: here.slice(0, 30) }), cite(passage(2, there, documentId))],
      [passage(1, here), passage(2, there, documentId)],
    );

  it("are both quoted", () => {
    const now = "Every employee gets 27 days of paid leave per year.";
    expect(disagreement(old, now)).toEqual([
      { citation: 1, quote: old },
      { citation: 2, quote: now },
    ]);
  });

  it("agree when one is a conclusion in an example", () => {
    const derived = "Therefore, every employee gets 14 days of paid leave per year.";
    expect(disagreement(old, derived)).toEqual([]);
    expect(disagreement(old, derived.replace("Therefore, every", "Every"))).toHaveLength(2);
  });

  it("agree when they say the same, are about other places or things, or are one document", () => {
    expect(
      disagreement(old, "Every employee gets twenty-five days (25 days) of paid leave per year."),
    ).toEqual([]);
    expect(disagreement(old, "Every employee in France gets 27 days of paid leave per year.")).toEqual([]);
    expect(disagreement(old, "The car park has 40 places for visitors.")).toEqual([]);
    expect(disagreement(old, "Every employee gets 27 days of paid leave per year.", "d1")).toEqual([]);
  });
});
