// What the built-in model requires of a sentence besides the question's words: its period, its end, its kind of number.
import { describe, expect, it } from "vitest";
import { fitIn } from "../../supabase/local/models/certainty.ts";
import { readQuestion } from "../../supabase/local/models/question.ts";
import { unitsOf } from "../../supabase/local/models/reading.ts";
import { askBuiltIn as ask } from "../support/built-in-model.ts";
import { say, sayIn } from "../support/words.ts";

const unsure = say("answers:closest");

describe("what a question names besides its subject", () => {
  it("is the period of an amount: a fee per month is none per year", () => {
    const plans = "| Plan | Visits a year | Monthly fee |\n| --- | --- | --- |\n| Basic | 4 | £95 |";
    expect(ask("How much is the yearly fee of the Basic plan?", plans).startsWith(unsure)).toBe(true);
    expect(ask("How much is the monthly fee of the Basic plan?", plans).startsWith(unsure)).toBe(false);
  });
  it("is the end of a thing: the day of its signature is none", () => {
    const signed = "The supply agreement was signed on 3 May 2025.";
    expect(ask("When does the supply agreement end?", signed).startsWith(unsure)).toBe(true);
    expect(ask("When does the supply agreement end?", "The supply agreement runs until 3 May 2028.")).toBe(
      "The supply agreement runs until 3 May 2028. [1]",
    );
  });
  it("is a fax, whose number is no phone number", () => {
    const desk = "The help desk answers by fax at 555-0135 22.";
    expect(ask("What is the fax number of the help desk?", desk)).toBe(`${desk} [1]`);
    const reply = ask("What is the phone number of the help desk?", desk);
    expect(reply.startsWith(say("answers:nothingClose"))).toBe(true);
  });
  it("is a word, whose opposite is another: “unopened”", () => {
    const boxes = "Unopened boxes of lenses are taken back within 30 days.";
    expect(ask("Are opened boxes of lenses taken back within 30 days?", boxes).startsWith(unsure)).toBe(true);
    expect(ask("Are unopened boxes of lenses taken back within 30 days?", boxes)).toBe(`${boxes} [1]`);
  });
  it("is a word that is denied, whose opposite says it: “unused”", () => {
    const vouchers = ["Vouchers may be sent by post.", "Unused vouchers are lost in March."];
    const isLostFirst = (question: string) => /lost.*post/s.test(ask(question, ...vouchers));
    expect(isLostFirst("What happens to vouchers that I don't use?")).toBe(true);
    expect(isLostFirst("What happens to vouchers that were not used?")).toBe(true);
    expect(isLostFirst("What happens to vouchers that I use?")).toBe(false);
    const boxes = "Unopened boxes of lenses cost a fee.";
    expect(ask("What about boxes of lenses that were not opened?", boxes)).toBe(`${boxes} [1]`);
  });
  it("is the same in French", () => {
    const signed = "Le contrat de nettoyage a été signé le 3 mai 2025.";
    const plans = "| Formule | Visites | Prix mensuel |\n| --- | --- | --- |\n| Basic | 4 | 95 € |";
    const desk = "L'accueil reçoit les commandes par fax au 02 47 55 01 30.";
    const unsureInFrench = sayIn("fr")("answers:closest");
    const isUnsure = (question: string, text: string) => ask(question, text).startsWith(unsureInFrench);
    expect(isUnsure("Quand se termine le contrat de nettoyage ?", signed)).toBe(true);
    expect(isUnsure("Quand a été signé le contrat de nettoyage ?", signed)).toBe(false);
    expect(isUnsure("Quel est le prix annuel de la formule Basic ?", plans)).toBe(true);
    expect(isUnsure("Quel est le prix mensuel de la formule Basic ?", plans)).toBe(false);
    expect(isUnsure("Quel est le numéro de fax de l'accueil ?", desk)).toBe(false);
    const reply = ask("Quel est le numéro de téléphone de l'accueil ?", desk);
    expect(reply.startsWith(sayIn("fr")("answers:nothingClose"))).toBe(true);
  });
});

it("a price per week tells no time", () => {
  const fitOfRow = (text: string) => {
    const [row] = unitsOf({ number: 1, label: "", text }, 0);
    return row && fitIn(row, readQuestion("When do I get my deposit back?"));
  };
  expect(fitOfRow("| Machine | Weekend (£) |\n| --- | --- |\n| Sander | 18 |")).toBeLessThan(0.8);
  expect(fitOfRow("| Machine | Returned |\n| --- | --- |\n| Sander | weekend |")).toBe(1);
});

it("the beginning of a word that texts have in full stands for it", () => {
  const staff =
    "| Name | Post | Days |\n| --- | --- | --- |\n| Léo | Kinésithérapeute | lundi |\n| Ana | Médecin | mardi |";
  expect(ask("le kiné est là quand ?", staff)).toContain("| Léo | Kinésithérapeute | lundi [1] |");
  expect(ask("la kine est là quand ?", staff.replace("Kinés", "Skinés"))).not.toContain("Léo");
});
