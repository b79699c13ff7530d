// How the built-in model reads documents of the kinds that companies have: contracts, minutes, numbered policies, messages, and several
// editions of one list. Each question has a few passages of its own.
import { describe, expect, it } from "vitest";
import { outdatedAmong } from "../../edge-functions/answering/editions.ts";
import { unitsOf } from "../../supabase/local/models/reading.ts";
import { askBuiltIn as ask } from "../support/built-in-model.ts";
import { say } from "../support/words.ts";

const unsure = say("answers:closest");
const read = (text: string) => unitsOf({ number: 1, label: "", text }, 0);

describe("lines of prose with colons", () => {
  it("are no table where a sentence ends in the middle of one", () => {
    const minutes =
      "Present: Rhys Calder (bakery manager), Lena Furst\n(quality). Apologies: Owen (dispatch).";
    expect(read(minutes).every(({ cells }) => cells === undefined)).toBe(true);
    const card = "Max. weight: 12 kg\nDr. Lee: Mondays";
    expect(read(card).every(({ cells }) => cells !== undefined)).toBe(true);
  });
});

describe("a numbered title on the line of its text", () => {
  const contract = [
    "Article 5 – Payment. Invoices are due 45 days after receipt.",
    "Article 6 – Minimum volume. The buyer takes at least 9,000 lenses. Fewer cost 1.20 euros each.",
  ].join("\n");

  it("introduces the sentences behind it, up to the next one", () => {
    const leads = read(contract).map(({ text, lead }) => [text, lead?.text]);
    expect(leads).toEqual([
      ["Article 5 – Payment.", undefined],
      ["Invoices are due 45 days after receipt.", "Article 5 – Payment."],
      ["Article 6 – Minimum volume.", undefined],
      ["The buyer takes at least 9,000 lenses.", "Article 6 – Minimum volume."],
      ["Fewer cost 1.20 euros each.", "Article 6 – Minimum volume."],
    ]);
  });
  it("is no answer by itself", () => {
    expect(ask("What is the minimum volume?", contract)).toContain("at least 9,000 lenses");
  });
  it("is none for a count: “24 days plus holidays.”", () => {
    expect(read("24 days plus public holidays. Ask early.").map(({ isTitle }) => isTitle)).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe("the numbered parts of a section", () => {
  it("are sentences of their own below its title", () => {
    const policy = "2. Adaptation\n2.1 The pair may come back within 60 days\n2.2 It is remade once.";
    expect(read(policy).map(({ text, heading }) => [heading, text])).toEqual([
      ["2. Adaptation", "2.1 The pair may come back within 60 days"],
      ["2. Adaptation", "2.2 It is remade once."],
    ]);
  });
  it("do not begin at a number that a line is wrapped before", () => {
    const text = "Drill a hole of\n3.5 mm in the wall.";
    expect(read(text).map((unit) => unit.text)).toEqual([text]);
  });
});

describe("a title in capitals", () => {
  it("is no sentence on the first line of a text, whatever signs it has", () => {
    expect(read("SAFETY POLICY (S-3)\n\nWear boots.").map(({ text }) => text)).toEqual(["Wear boots."]);
  });
  it("says something further down", () => {
    const texts = read("Wear boots.\n\nCLOSED ON 14 JULY\n\nBring gloves.").map(({ text }) => text);
    expect(texts).toContain("CLOSED ON 14 JULY");
  });
});

describe("the head of a message", () => {
  const mail =
    "From: Gareth Pugh\nTo: Norma Quill\nDate: 4 November 2026\nSubject: Re: Albion House\n\nLift 2 is out of use until 4 December.";

  it("is the heading of the message by its subject", () => {
    expect(read(mail).at(-1)?.heading).toBe("Albion House");
  });
  it("has a writer: a lesson's subject answers", () => {
    const lesson = "Subject: Maths\nTeacher: Ann Lowe\nRoom: 12";
    expect(ask("Who is the teacher of maths?", lesson)).toContain("Ann Lowe");
    expect(ask("Who is the teacher of maths?", lesson).startsWith(unsure)).toBe(false);
  });
  it("does not answer with its own date", () => {
    expect(ask("Until when is lift 2 of Albion House out of use?", mail)).toBe(
      "Lift 2 is out of use until 4 December. [1]",
    );
  });
});

const list = (price: string) =>
  `| Item | Price |\n| --- | --- |\n| Blue lamp | ${price} |\n| Red lamp | £9 |`;

describe("an outdated edition of a document", () => {
  const titles = ["prices-2024.csv", "prices-2026.csv"];

  it("is told by its year, its version or a word in its title", () => {
    const tell = (...names: string[]) => [...outdatedAmong("What does it cost?", names).keys()];
    expect(tell(...titles)).toEqual(["prices-2024.csv"]);
    expect(tell("Handbook v3", "Handbook v2")).toEqual(["Handbook v2"]);
    expect(tell("Livret (ancien).pdf", "Livret.pdf")).toEqual(["Livret (ancien).pdf"]);
  });
  it("is a draft too, and next year's until that begins", () => {
    const lists = ["prices-2026.csv", "prices-2027.csv", "prices-2027-draft.csv"];
    const inYear = (thisYear: number) => [...outdatedAmong("What does it cost?", lists, thisYear).keys()];
    expect(inYear(2026)).toEqual(lists.slice(1));
    expect(inYear(2027)).toEqual(["prices-2026.csv", "prices-2027-draft.csv"]);
    const seasons = ["Prices 2025-2026", "Prices 2026-2027"];
    expect([...outdatedAmong("What does it cost?", seasons, 2026)]).toEqual([seasons]);
  });
  it("is none beside another document, nor is a record of a month", () => {
    const tell = (...names: string[]) => outdatedAmong("What does it cost?", names).size;
    expect(tell("prices-2024.csv", "wages-2026.csv")).toBe(0);
    expect(tell("prices north.csv", "prices south.csv")).toBe(0);
    expect(tell("minutes-2025-03.txt", "minutes-2026-03.txt")).toBe(0);
  });
  it("is none for a question that names a year or an edition", () => {
    expect(outdatedAmong("What did it cost in 2024?", titles).size).toBe(0);
    expect(outdatedAmong("What was the old price?", titles).size).toBe(0);
    expect(outdatedAmong("How old is the lamp?", titles).size).toBe(1);
  });
  it("gives way to the current one", () => {
    const passages = titles.map((title, at) => ({ title, content: list(at === 0 ? "£20" : "£25") }));
    const reply = ask("What is the price of the blue lamp?", ...passages);
    expect(reply).toContain("£25 [2]");
    expect(reply).not.toContain("£20");
    expect(reply.startsWith(say("answers:currentEdition", { title: "prices-2026.csv" }))).toBe(true);
  });
  it("is not shown beside the current one when the reply is unsure", () => {
    const passages = titles.map((title, at) => ({ title, content: list(at === 0 ? "£20" : "£25") }));
    const reply = ask("Is the blue lamp dimmable?", ...passages);
    expect(reply.startsWith(unsure)).toBe(true);
    expect(reply).toContain("£25 [2]");
    expect(reply).not.toContain("[1]");
  });
  it("is never sure when the current one does not answer", () => {
    const reply = ask(
      "What is the price of the blue lamp?",
      { title: "prices-2024.csv", content: list("£20") },
      { title: "prices-2026.csv", content: "Prices are without tax." },
    );
    expect(
      reply.startsWith(`${unsure}\n\n${say("answers:earlierEdition", { title: "prices-2024.csv" })}`),
    ).toBe(true);
    expect(reply).toContain("£20");
  });
});

describe("two lists with different prices for one article", () => {
  it("make the reply unsure, with both, when nothing tells which is current", () => {
    const reply = ask(
      "What is the price of the blue lamp?",
      { title: "prices north.csv", content: list("£20") },
      { title: "prices south.csv", content: list("£25") },
    );
    expect(reply.startsWith(unsure)).toBe(true);
    expect(reply).toContain("£20 [1]");
    expect(reply).toContain("£25 [2]");
  });
  it("leave it sure when they agree", () => {
    const reply = ask(
      "What is the price of the blue lamp?",
      { title: "prices north.csv", content: list("£20") },
      { title: "prices south.csv", content: list("£20") },
    );
    expect(reply.startsWith(unsure)).toBe(false);
  });
});
