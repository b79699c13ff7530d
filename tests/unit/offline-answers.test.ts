// What the built-in model takes for an answer: what stands below a heading, the kind of thing that was asked for, and words that
// people say for others. Each question over a few passages of its own.
import { describe, expect, it } from "vitest";
import { buildPrompt } from "../../edge-functions/answering/prompt.ts";
import { extractReply } from "../../supabase/local/models/extract.ts";
import { fitOf, readQuestion } from "../../supabase/local/models/question.ts";
import { unitsOf } from "../../supabase/local/models/reading.ts";
import { say } from "../support/words.ts";

const fill = (content: string, at: number) => ({
  index: at + 1,
  title: "Papers",
  content,
  heading: "",
  preface: "",
  page: null,
});
const ask = (question: string, ...contents: string[]) =>
  extractReply(
    buildPrompt({
      agent: { name: "Helper", instructions: "" },
      passages: contents.map(fill),
      history: [],
      question,
      nonce: "abc",
      grounded: true,
    }),
  );
const unsure = say("answers:closest");
const isRefused = (reply: string) => reply.startsWith(unsure) || !/\[\d\]/.test(reply);

describe("a numbered heading", () => {
  const terms =
    "2. Fuel surcharge\n\nIt changes each month. It stood at 11.2 % in January.\n\nArticle 5. Housing\n\nA shared flat costs 240 euros a month.";

  it("is never the answer, and says what the text below it is about", () => {
    expect(ask("What is the fuel surcharge?", terms)).toContain("11.2 %");
    expect(ask("How much is the housing?", terms)).toContain("240 euros");
  });
  it("is none in a list, whose items answer", () => {
    const list = "## To bring\n\n1. Rubber boots\n2. Sleeping bag";
    expect(ask("Do I bring a sleeping bag?", list)).toContain("Sleeping bag [1]");
  });
});

describe("the kind of thing that was asked for", () => {
  it("must stand in the quote, or the reply says that it is unsure", () => {
    expect(
      isRefused(ask("When is the lift pass desk closed?", "The lift pass desk is closed by a guard.")),
    ).toBe(true);
    expect(isRefused(ask("How many rooms has the lodge?", "The lodge has rooms by the lake."))).toBe(true);
    expect(ask("What does the lift pass cost?", "The lift pass costs 30 euros.")).toBe(
      "The lift pass costs 30 euros. [1]",
    );
  });
  it("is no number to call in a row that has none", () => {
    const row = "| Office | Manager | Opened |\n| --- | --- | --- |\n| Leeds | Tunde Abara | 2015 |";
    expect(isRefused(ask("What is the phone number of Tunde Abara?", row))).toBe(true);
    expect(ask("Who is the manager in Leeds?", row)).toContain("Tunde Abara");
  });
  it("is a count where the number stands before what is counted", () => {
    const texts = ["Fill in the accident form within 24 hours.", "There were 14 accidents at the yard."];
    expect(ask("How many accidents?", ...texts)).toContain("14 accidents");
  });
  it("is a moment at an hour of the day", () => {
    expect(["Phone us before 7.15 am.", "We open at 8 am."].map((text) => fitOf("when", text))).toEqual([
      1, 1,
    ]);
  });
  it("is a measure that its unit tells", () => {
    expect(ask("What is the maximum weight of a pallet?", "A pallet is up to 220 cm high and 900 kg.")).toBe(
      "A pallet is up to 220 cm high and 900 kg. [1]",
    );
  });
  it("is a person where somebody is asked for who does something when something happens", () => {
    expect(readQuestion("Qui prévient les parents quand un enfant est blessé ?").kind).toBe("who");
    expect(readQuestion("When does the person who cleans come?").kind).toBe("when");
  });
});

describe("what a quote speaks of", () => {
  it("is more than the name of whom or what is asked of", () => {
    expect(isRefused(ask("Who replaces Luc Tessier?", "Present: Solange Ducret, Luc Tessier."))).toBe(true);
    expect(isRefused(ask("Who is the CEO of Corvane?", "Corvane Freight was founded in 1987."))).toBe(true);
  });
  it("is what the question in its row asks for", () => {
    const text = "Question: Where is data hosted?\nAnswer: In Frankfurt.";
    const [row] = unitsOf({ number: 1, label: "", text }, 0);
    expect([...(row?.answers ?? [])]).toContain("host");
    expect([...(row?.terms ?? [])]).toEqual(["frankfurt"]);
  });
  it("is a code or a number in either way of writing it", () => {
    const rows = "| Vehicle | Inspection |\n| --- | --- |\n| Truck 03 | May |\n| Truck 04 | June |";
    expect(ask("When is the inspection of truck 3?", rows)).toContain("| Truck 03 | May [1] |");
    expect(ask("Do you have SOC2?", "SOC 2 is not planned.")).toContain("SOC 2 is not planned.");
  });
  it("shows the column that holds the price among many", () => {
    const row =
      "| Course | Day | Hour | Minutes | Places | Coach | Extra (EUR) |\n| --- | --- | --- | --- | --- | --- | --- |\n| Climbing | Friday | 13:30 | 150 | 8 | Marc | 12 |";
    expect(ask("How much does climbing cost?", row)).toContain("| 12 [1] |");
  });
  it("is not held to the little words of speech", () => {
    expect(readQuestion("combien ça coûte, la médaille ?").terms).toEqual(["cout", "medaill"]);
    expect(readQuestion("what if I'm late and don't pay?").terms).toEqual(["lat", "pay"]);
  });
});

describe("two questions in one", () => {
  const pitch = "A food pitch costs 1,450 EUR. Half is payable on signature, the balance by 1 June.";
  const hours = "The office is open from Monday to Friday. Keys are kept by Maud Perrin.";

  it("are answered one after the other", () => {
    const said = ask("what does a food pitch cost and when is the balance payable?", hours, pitch);
    expect(said).toContain("1,450 EUR");
    expect(said).toContain("1 June");
    expect(isRefused(said)).toBe(false);
    const french = ask("combien coûte un emplacement et qui garde les clés ?", pitch, hours);
    expect(french.split("1,450 EUR").length).toBeLessThanOrEqual(2);
  });
  it("are not seen in two things that are asked of at once", () => {
    const said = ask("are keys and badges kept by Maud Perrin?", hours);
    expect(said).toContain("Keys are kept by Maud Perrin.");
  });
});

describe("a number that falls under a rule", () => {
  const accord = "Jusqu’à 300 euros, l’accord de Julien Fabre est nécessaire.";
  const beyond = "Au-delà de 300 euros, l’accord de Nadia Benali est nécessaire.";

  it("is told by the rule on its own side", () => {
    expect(ask("Qui décide de 500 euros ?", `${accord} ${beyond}`)).toContain("Nadia Benali");
    expect(ask("Qui décide de 200 euros ?", `${beyond} ${accord}`)).toContain("Julien Fabre");
  });
  it("is an age beside a bound of age, and no price with the same figure", () => {
    const child = readQuestion("do I have to pay for my 8 year old?").measures.get("8");
    expect(child?.test("Children up to the age of 11 are admitted free of charge.")).toBe(true);
    expect(child?.test("Parking costs 8 EUR a day.")).toBe(false);
  });
});

describe("what is allowed", () => {
  it("is told by a rule before what only names the same things", () => {
    const tents = "Tents stand beside the lake. Tents are prohibited in the park.";
    expect(ask("can I put up my tent?", tents)).toContain("prohibited");
    expect(ask("where are the tents?", tents)).toContain("lake");
  });
});

it("words of talk that no text has do not keep an answer back", () => {
  const terms = "Complaints are addressed to Delphine Arnoux, customer relations.";
  expect(ask("I just want to moan about something, who do I write to?", terms)).toContain("Delphine Arnoux");
  expect(isRefused(ask("I just want a sauna, where is something like that?", terms))).toBe(true);
});
