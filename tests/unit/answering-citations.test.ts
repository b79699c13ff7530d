// Citation marks in a reply: which are kept, which are removed, and that a quote is always the passage's own text.

import { describe, expect, it } from "vitest";
import { type CitablePassage, citationsOf, MarkFilter } from "../../edge-functions/answering/citations.ts";
import fc from "../support/property-cases.ts";

function filterMarks(pieces: string[], known: number[]) {
  const filter = new MarkFilter(known);
  const text = pieces.map((piece) => filter.push(piece)).join("") + filter.end();
  return { text, cited: [...filter.cited] };
}

const passage = (index: number, content: string): CitablePassage => ({
  index,
  content,
  sourceId: "source",
  documentId: `document-${index}`,
  chunkId: `chunk-${index}`,
  title: `Title ${index}`,
  url: null,
  heading: "",
  page: null,
  preface: "",
});

it("sentences that a reply repeats as they stand are quoted together, and the first such stretch of several", () => {
  const leave = "Parents have sixteen\nweeks of leave. The manager is told before.";
  const content = `The canteen opens at eleven. It is free.\n\n${leave}\n\nWho adopts has the same.`;
  const quoteOf = (reply: string) => citationsOf(reply, [1], [passage(1, content)])[0]?.quote;
  expect(quoteOf(`The closest I found is:\n\n${leave} [1]`)).toBe(leave);
  expect(quoteOf(`${leave} [1]\n\nThe canteen opens at eleven. It is free. [1]`)).toBe(leave);
  expect(quoteOf("Told early: sixteen weeks. The manager is told before. [1]")).toBe(
    "The manager is told before.",
  );
});

describe("citation marks", () => {
  it.each([
    ["one mark", "Thirty days [1].", "Thirty days [1].", [1]],
    ["neighbours", "Thirty days[2][1].", "Thirty days[2][1].", [2, 1]],
    ["a list", "Thirty days [1, 3].", "Thirty days [1][3].", [1, 3]],
    ["a range", "Thirty days [1-3].", "Thirty days [1][2][3].", [1, 2, 3]],
    ["a mark that no passage carries goes with its space", "Thirty days [9].", "Thirty days.", []],
    ["the unknown of a list", "Thirty days [9, 2] it is.", "Thirty days [2] it is.", [2]],
    ["zero", "Thirty days [0].", "Thirty days.", []],
    ["words in brackets", "Thirty [working] days [see 1].", "Thirty [working] days [see 1].", []],
    ["a link", "See [1](https://example.com).", "See [1](https://example.com).", []],
    ["inline code", "Use `argv[1]` here [1].", "Use `argv[1]` here [1].", [1]],
    ["a code block", "```\na[9]\n```\nDone [9].", "```\na[9]\n```\nDone.", []],
    ["a lone backtick ends with its line", "A ` here\nand [1] there", "A ` here\nand [1] there", [1]],
    ["no mark in inline code", "Use `argv[9]` here.", "Use `argv[9]` here.", []],
    ["inline code with spaces", "Use `x + y [9]` here.", "Use `x + y [9]` here.", []],
    ["a run of ticks ends at the same run", "``a`[9]`` or [9] b", "``a`[9]`` or b", []],
    ["a bracket that never closes", "Thirty [1", "Thirty [1", []],
    ["a bracket at the end", "Thirty [", "Thirty [", []],
  ])("%s", (_name, reply, text, cited) => {
    expect(filterMarks([reply], [1, 2, 3])).toEqual({ text, cited });
  });

  it("are the same however the stream is split", () => {
    const bits = fc.constantFrom(
      "[",
      "]",
      "1",
      "2",
      "9",
      ",",
      " ",
      "-",
      "`",
      "```",
      "(",
      "\n",
      "word",
      ".",
      "[1]",
      " [9]",
    );
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 40 }), (pieces) => {
        expect(filterMarks(pieces, [1, 2])).toEqual(filterMarks([pieces.join("")], [1, 2]));
      }),
    );
  });

  it("accept passages added during the stream", () => {
    const filter = new MarkFilter([1]);
    expect(filter.push("One [2]. ")).toBe("One.");
    filter.add([2]);
    expect(filter.push("Two [2].")).toBe(" Two [2].");
    expect([...filter.cited]).toEqual([2]);
  });

  it("are held back only while incomplete", () => {
    const filter = new MarkFilter([1]);
    expect(filter.push("Thirty days")).toBe("Thirty days");
    expect(filter.push(" [1")).toBe("");
    expect(filter.push("] in")).toBe(" [1] in");
  });
});

describe("a quote", () => {
  const refunds = passage(
    1,
    "Our shop opened in 1987. Goods can be returned within 30 days of delivery. Shipping is never refunded.",
  );

  it("is the sentence that supports the claim", () => {
    const [citation] = citationsOf("You have 30 days to return goods [1].", [1], [refunds]);
    expect(citation).toEqual({
      index: 1,
      sourceId: "source",
      documentId: "document-1",
      chunkId: "chunk-1",
      title: "Title 1",
      url: null,
      heading: "",
      page: null,
      quote: "Goods can be returned within 30 days of delivery.",
    });
  });

  it("is chosen for each mark of a sentence, and for each sentence of a mark", () => {
    const hours = passage(2, "We open at nine. We close at six on weekdays.");
    const reply = "Return goods within 30 days [1]. The shop closes at six [2].";
    expect(citationsOf(reply, [1, 2], [refunds, hours]).map(({ quote }) => quote)).toEqual([
      "Goods can be returned within 30 days of delivery.",
      "We close at six on weekdays.",
    ]);
  });

  it("belongs to the sentence before a mark that follows the full stop", () => {
    const [citation] = citationsOf("It is old. Shipping is never refunded. [1]", [1], [refunds]);
    expect(citation?.quote).toBe("Shipping is never refunded.");
  });

  it("is always a slice of the passage", () => {
    const words = fc.constantFrom(
      "goods",
      "returned",
      "30",
      "days",
      ".",
      "\n",
      "\n\n",
      "- ",
      "[1]",
      "é",
      "🙂",
      "wort".repeat(150),
    );
    const text = fc.array(words, { minLength: 1, maxLength: 120 }).map((list) => list.join(" "));
    fc.assert(
      fc.property(text, text, (content, claim) => {
        const [citation] = citationsOf(`${claim} [1]`, [1], [passage(1, content)]);
        expect(content).toContain(citation?.quote);
      }),
    );
  });

  it("is short and near the claim's words", () => {
    const long = passage(
      1,
      `${"Lorem ipsum dolor sit amet, ".repeat(60)}the warranty lasts two years, ${"and so on, ".repeat(60)}`,
    );
    const [citation] = citationsOf("The warranty lasts two years [1].", [1], [long]);
    expect(citation?.quote).toContain("the warranty lasts two years");
    expect(citation?.quote.length).toBeLessThanOrEqual(400);
  });

  const quoteOf = (reply: string, content: string) =>
    citationsOf(reply, [1], [passage(1, content)])[0]?.quote;

  it("is the claim's own wording where the passage has it, up to 400 characters", () => {
    const three = refunds.content.split(/(?<=\.) /).map((sentence) => `${sentence} [1]`);
    expect(quoteOf(three.join(" "), refunds.content)).toBe(refunds.content);
    const sentence = (letter: string, length: number) => `${letter.repeat(length - 1)}.`;
    const long = (last: number) => [sentence("A", 133), sentence("B", 132), sentence("C", last)].join(" ");
    const addMarks = (text: string) => text.replaceAll(".", ". [1]");
    expect(quoteOf(addMarks(long(133)), long(133))).toBe(long(133));
    expect(quoteOf(addMarks(long(134)), long(134))?.length).toBeLessThan(400);
  });

  it("is two neighbours for a claim that needs both, and the first of equal candidates", () => {
    const both = "Goods can be returned within 30 days of delivery. Shipping is never refunded.";
    expect(quoteOf("Goods are returned in 30 days, shipping is never refunded [1].", refunds.content)).toBe(
      both,
    );
    expect(quoteOf("The red paint [1].", "Red paint dries. We open at nine. Red paint dries!")).toBe(
      "Red paint dries.",
    );
  });

  it("weighs a word by its rarity in the passage", () => {
    const content = "Red goods ship. Red goods ship slowly. We open at nine. Red paint dries.";
    expect(quoteOf("Red goods, paint [1].", content)).toBe("Red paint dries.");
  });

  it("is chosen by the sentence with the mark, not those before it", () => {
    expect(quoteOf("The shop opened in 1987, as told. Goods have 30 days [1].", refunds.content)).toBe(
      "Goods can be returned within 30 days of delivery.",
    );
  });

  it("of a long sentence is cut between words, around the first matching word", () => {
    const words = Array.from({ length: 200 }, (_, n) => `word${String(n).padStart(3, "0")}`);
    const content = words.join(" ");
    for (const hit of [0, 5, 10, 60, 99, 100, 170, 199]) {
      const quote = quoteOf(`It is word${String(hit).padStart(3, "0")} [1].`, content) ?? "";
      const said = quote.split(" ");
      expect(said).toContain(words[hit]);
      expect(words).toEqual(expect.arrayContaining(said));
      expect(quote.length).toBeGreaterThan(380);
      expect(quote.length).toBeLessThanOrEqual(400);
      if (hit <= 10) expect(said[0]).toBe(words[0]);
      else if (hit < 170) expect(said.indexOf(words[hit] ?? "")).toBe(9);
      else expect(said.at(-1)).toBe(words.at(-1));
    }
  });

  it("below other sentences is whole when it is short, and cut around the matching word when it is long", () => {
    const above = "We open at nine. ".repeat(30);
    expect(quoteOf("The warranty is two years [1].", `${above}The warranty lasts two years.`)).toBe(
      "The warranty lasts two years.",
    );
    const long = `${"Lorem ipsum dolor sit amet, ".repeat(60)}the warranty lasts two years.`;
    const quote = quoteOf("The warranty is two years [1].", above + long) ?? "";
    expect(quote).toContain("the warranty lasts two years");
    expect(quote).not.toContain("nine");
  });

  it("is missing for a mark without a passage, and is the value's own text when computed", () => {
    expect(citationsOf("One [1], two [2].", [1, 2], [refunds]).map(({ index }) => index)).toEqual([1]);
    const table = { columns: ["Sum"], rows: [["12"]] };
    const computed = { ...refunds, computed: { quote: "Sum: 12", table } };
    expect(citationsOf("It is 12 [1].", [1], [computed])).toMatchObject([
      { index: 1, chunkId: "chunk-1", quote: "Sum: 12", table },
    ]);
    const rows = passage(1, "| Item | Price |\n| --- | --- |\n| Bolt | 2 |");
    expect(citationsOf("Bolt | 2 [1]", [1], [rows])[0]?.table).toEqual({
      columns: ["Item", "Price"],
      rows: [["Bolt", "2"]],
    });
  });
});
