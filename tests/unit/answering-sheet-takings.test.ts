// Questions for the money that came in or went out, over sheets of takings and of costs.
import { describe, expect, it } from "vitest";
import { columns, planOf, sheet } from "../support/sheet-plans.ts";

const days = ["2026-01-31", "2026-02-28"];
const pots = sheet("pots.csv", columns({ Mois: days, Pièces: ["42", "3"], "Recette (€)": ["756", "33"] }));
const till = sheet("till.csv", columns({ Day: days, Tickets: ["61", "12"], "Takings (£)": ["1240", "410"] }));
const bought = sheet(
  "achats.csv",
  columns({ Article: ["Voile", "Gilet"], Date: days, "Coût (€)": ["8", "9"] }),
);

describe("a question for money that came in", () => {
  it.each([
    ["How much did we take altogether in 2026?", [pots, bought], "Recette (€) | Mois"],
    ["How much have we earned in all?", [till, bought], "Takings (£)"],
    ["Combien a-t-on encaissé au total en 2026 ?", [pots, bought], "Recette (€) | Mois"],
    ["On a fait combien de recette au total en janvier ?", [pots, bought], "Recette (€) | Mois"],
  ])("%s", (question, sheets, plan) => {
    expect(planOf(question, sheets)).toContain(`| sum | ${plan}`);
  });
  it("is not answered by costs", () => {
    expect(planOf("How much did we take altogether?", [bought])).toBeUndefined();
  });
});

describe("another sum", () => {
  it.each([
    ["How much did we spend in all?", [bought, pots], "achats.csv | sum | Coût (€)"],
    ["Combien de tickets au total ?", [till, pots], "till.csv | sum | Tickets"],
    ["Combien de pièces au total ?", [till, pots], "pots.csv | sum | Pièces"],
  ])("%s", (question, sheets, plan) => {
    expect(planOf(question, sheets)).toBe(plan);
  });
});
