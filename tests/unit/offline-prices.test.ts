// How the built-in model answers a question about a price. Each question has a few passages of its own.
import { describe, expect, it } from "vitest";
import { readQuestion } from "../../supabase/local/models/question.ts";
import { askBuiltIn as ask } from "../support/built-in-model.ts";

describe("a price asked for without a question word", () => {
  it.each([
    ["price of the cheese workshop", "price"],
    ["cheese workshop cost?", "price"],
    ["tarif de la garderie", "price"],
    ["prix atelier", "price"],
    ["Which rooms are in the price?", "any"],
    ["Que comprend le tarif ?", "any"],
    ["Is the price fixed?", "yesNo"],
  ])("%s: %s", (question, kind) => {
    expect(readQuestion(question).kind).toBe(kind);
  });
});

describe("a price in the sentence after the one that names the thing", () => {
  it("is quoted with it, although the first one has a number", () => {
    const said = ask(
      "How much is the harbour tour?",
      "The harbour tour starts at 7 pm. It takes two hours and costs 38 euros.",
    );
    expect(said).toContain("The harbour tour starts at 7 pm.");
    expect(said).toContain("costs 38 euros");
    expect(ask("prix de la visite du port", "La visite du port part à 19 h 30. Elle coûte 38 €.")).toContain(
      "38 €",
    );
  });
});
