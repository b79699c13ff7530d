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
const tickets = sheet(
  "tickets.csv",
  columns({
    Ticket: ["T1", "T2", "T3"],
    Customer: ["Oakmere Dental", "Brandt", "Brandt"],
    "Hours spent": ["3.5", "9", "0.5"],
  }),
);
const plans = sheet(
  "plans.csv",
  columns({
    Plan: ["Free", "Solo", "Team"],
    "Price per month (EUR)": ["0", "8", "45"],
  }),
);
const orders = sheet(
  "orders.csv",
  columns({ Order: ["O1", "O2", "O3"], "Price (EUR)": ["12", "8", "45"], Paid: ["yes", "no", "yes"] }),
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
    ["Total hours spent on Brandt", [tickets], "tickets.csv | sum | Hours spent | Customer = Brandt"],
  ])("%s", (question, sheets, plan) => {
    expect(planOf(question, sheets)).toBe(plan);
  });
});

describe("the cheapest that is paid", () => {
  const price = "Price per month (EUR)";
  it.each([
    ["What is the cheapest paid plan?", [plans], `plans.csv | smallest | ${price} | ${price} >0 ≤`],
    ["le plan payant le moins cher", [plans], `plans.csv | smallest | ${price} | ${price} >0 ≤`],
    ["What is the cheapest plan?", [plans], `plans.csv | smallest | ${price}`],
    ["What is the cheapest paid order?", [orders], "orders.csv | smallest | Price (EUR) | Paid = yes"],
  ])("%s", (question, sheets, plan) => {
    expect(planOf(question, sheets)).toBe(plan);
  });
});
