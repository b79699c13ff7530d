// Which sentence of a real handbook's kind of text the built-in model takes for the answer: not the one that sends readers elsewhere, that
// holds for an example, or whose beginning is in another passage.
import { describe, expect, it } from "vitest";
import { withoutMeasure } from "../../edge-functions/answering/words.ts";
import { askBuiltIn as ask } from "../support/built-in-model.ts";
import { say } from "../support/words.ts";

/** What the reply says first. */
const first = (question: string, ...contents: string[]) => ask(question, ...contents).split("\n\n")[0];

describe("the built-in model", () => {
  it("takes a heading with the whole question for half of the answer", () => {
    const leave =
      "## Paid parental leave\n\nYou are entitled to 12 weeks of paid time off for a birth.\n\n## Unpaid leave\n\nYou can request Leave Without Pay (LWOP) of less than four weeks at any time, if you want to extend your parental leave.";
    expect(first("How long is paid parental leave?", leave)).toBe(
      "You are entitled to 12 weeks of paid time off for a birth. [1]",
    );
  });

  it("prefers a sentence that answers to one that refers to another text", () => {
    const credit =
      "Only people on flexible schedules can earn and use credit hours. See the list of who can earn credit hours.";
    expect(first("Who can earn credit hours?", credit)).toMatch(
      /^Only people on flexible schedules can earn and use credit hours\./,
    );
    const rules =
      "Consultez la liste des règles du parking. Les règles du parking sont affichées chaque lundi.";
    expect(first("Quelles sont les règles du parking ?", rules)).toContain("affichées");
  });

  it("prefers a rule to a conclusion in an example", () => {
    const sick =
      "Therefore, you can request up to 104 advanced hours. You can request up to 240 advanced hours in a year.";
    expect(first("How many advanced hours can I request?", sick)).toContain("240");
  });

  it("reads who may do something as a question about a group, and who helps as one about a person", () => {
    const both = "New staff can join the pension plan. Ann Marsh in Finance explains the pension plan.";
    expect(first("Who can join the pension plan?", both)).toContain("New staff");
    expect(first("Who can I ask about the pension plan?", both)).toContain("Ann Marsh");
    const deux = "Les stagiaires peuvent rejoindre la cantine. Anne Marsh explique la cantine.";
    expect(first("Qui peut rejoindre la cantine ?", deux)).toContain("stagiaires");
  });

  it("finds a moment in an ordinal number", () => {
    const hack =
      "The sixth week of every quarter is a hack week. At the end of the day on Friday, each team presents its hack week.";
    expect(first("when is hack week", hack)).toContain("sixth week");
    const pot = "Le pot a lieu la première semaine du trimestre.";
    expect(ask("Quand a lieu le pot ?", pot)).toBe(`${pot} [1]`);
  });

  it("counts only what stands right behind the number", () => {
    const accidents = "In 2026 there were 14 accidents at work, three fewer than in 2025.";
    expect(ask("How many workers are there?", accidents)).not.toBe(`${accidents} [1]`);
    expect(ask("How many accidents were there in 2026?", accidents)).toBe(`${accidents} [1]`);
  });

  it("never quotes the words that a page's author wants it to be found by", () => {
    const page = "keywords: nursery, childcare\n\nThe nursery has 20 places.";
    expect(ask("nursery", page)).toBe("The nursery has 20 places. [1]");
  });

  it("never quotes an entry of a page's contents", () => {
    const page =
      "- [New hires](#new-hires)\n- [Gift for a birth](gifts.md#birth)\n\nNew hires get a gift: a hoodie and socks.";
    expect(ask("What gift do new hires get?", page)).toBe("New hires get a gift: a hoodie and socks. [1]");
    expect(ask("New hires?", "- [New hires](#new-hires)\n- [Birthdays](#birthdays)")).toBe(
      say("answers:nothingFits"),
    );
  });

  it("quotes the words alone of a link whose words are a number", () => {
    const budget = "Travel with your own car (categories [1](#own) and [4](#business)) is paid per mile.";
    expect(ask("How is travel with my own car paid?", budget)).toBe(
      "Travel with your own car (categories 1 and 4) is paid per mile. [1]",
    );
  });

  it("is unsure of a row that lacks a word of the thing asked for", () => {
    const houses =
      "| House | Year | Charge (£) |\n| --- | --- | --- |\n| Alder Court | 1968 | 1480 |\n| Beacon House | 2009 | 2150 |";
    const unsure = say("answers:closest");
    expect(first("charge for a flat in Beacon House", houses)).not.toBe(unsure);
    expect(first("monthly rent for a flat in Beacon House", houses)).toBe(unsure);
    expect(first("energy rating of Beacon House", houses)).toBe(unsure);
    const fees = "| Service | Fee |\n| --- | --- |\n| Gas safety certificate | £78 |";
    expect(first("cost of a gas safety certificate", fees)).not.toBe(unsure);
    expect(first("cost of a fire safety certificate", fees)).toBe(unsure);
  });

  it("is unsure of a sentence without a significant word of the question", () => {
    const unsure = say("answers:closest");
    const bikes =
      "The company pays for new bikes. Glasses are sold next door. Clean your glasses. Cheap glasses break.";
    expect(first("Does the company pay for new glasses?", bikes)).toBe(unsure);
    expect(first("Does the company pay for new bikes?", bikes)).toContain("new bikes");
    const tables =
      "Un tableur compte les lignes d'un registre public. Un algorithme trie. Un algorithme classe. L'algorithme est écrit.";
    expect(ask("Un tableur compte comme un algorithme public ?", tables)).not.toMatch(/^Un tableur/);
    const parties =
      "The Christmas break is on 24 December. A party needs a permit. Each party ends at ten. A party has music.";
    expect(first("When is the Christmas party?", parties)).toBe(unsure);
    expect(first("When is the Christmas break?", parties)).toContain("24 December");
  });

  it("does not miss a verb that only asks", () => {
    const talk = "Inductions run every Tuesday at 18:15.";
    expect(ask("When are inductions held?", talk)).toBe(`${talk} [1]`);
  });

  it("takes no example for a yes or a no", () => {
    const hired = "For example, a candidate from Japan may work in the shop.";
    expect(first("Can I work in the shop from Japan?", hired)).toBe(say("answers:closest"));
    expect(first("Who may work in the shop from Japan?", hired)).toContain("a candidate");
  });

  it("prefers a whole sentence to one that begins in another passage", () => {
    const cut = "weeks of leave before a sabbatical of that kind.";
    const said = "Every five years you may take a paid sabbatical of twelve weeks.";
    expect(first("How long is the sabbatical?", cut, said)).toContain("twelve weeks");
  });

  it("quotes the steps below a note that follows their introduction", () => {
    const steps =
      "To report a theft, follow all of these steps:\n\nReport it within an hour.\n\n1. Call the desk.\n2. Wait.";
    expect(ask("How do I report a theft?", steps)).toContain("1. Call the desk.\n2. Wait.");
  });
});

it("the words of a measure are not searched for", () => {
  expect(withoutMeasure("How long is paid leave?").trim()).toBe("is paid leave?");
  expect(withoutMeasure("Combien de temps dure le congé ?").trim()).toBe("dure le congé ?");
  expect(withoutMeasure("Is the pool long?")).toBe("Is the pool long?");
});
