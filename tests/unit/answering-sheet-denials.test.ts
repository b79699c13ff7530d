// Questions that deny a column of yes and no over a sheet, and denials that are left to search.
import { describe, expect, it } from "vitest";
import { columns, planOf, sheet } from "../support/sheet-plans.ts";

const codes = sheet(
  "codes.csv",
  columns({
    Code: ["E1", "E2", "E3"],
    Meaning: ["Fan blocked", "Filter reminder", "Machine tilted"],
    "Stops the machine": ["yes", "no", "yes"],
  }),
);
const rooms = sheet(
  "salles.csv",
  columns({
    Salle: ["Loire", "Erdre", "Sèvre"],
    Ville: ["Nantes", "Nantes", "Rennes"],
    Projecteur: ["oui", "non", "oui"],
    Balcon: ["non", "non", "oui"],
    "Prix (€)": ["120", "90", "80"],
  }),
);

describe("a question that denies a column of yes and no", () => {
  it.each([
    ["How many codes stop the machine?", "codes.csv | count | rows | Stops the machine = yes"],
    ["How many codes do not stop the machine?", "codes.csv | count | rows | Stops the machine = no"],
    ["how many codes dont stop the machine", "codes.csv | count | rows | Stops the machine = no"],
    ["Which codes don't stop the machine?", "codes.csv | list | rows | Stops the machine = no"],
    ["Combien de salles sans projecteur ?", "salles.csv | count | rows | Projecteur = non"],
    ["Quelles salles n'ont pas de balcon ?", "salles.csv | list | rows | Balcon = non"],
    ["Combien de salles n’ont pas de projecteur ?", "salles.csv | count | rows | Projecteur = non"],
  ])("%s", (question, plan) => {
    expect(planOf(question, [codes, rooms])).toBe(plan);
  });
});

describe("a denial that no column of yes and no answers", () => {
  it.each([
    "Combien de salles ne sont pas à Nantes ?",
    "Combien de salles n'ont pas de projecteur à Nantes ?",
    "Combien de salles sans projecteur ni balcon ?",
    "Quelle est la salle la moins chère sans projecteur ?",
    "Which codes are not on the list?",
    "How many codes stop the machine, except E1?",
    "Combien de jours sans projecteur ?",
  ])("%s", (question) => {
    expect(planOf(question, [codes, rooms])).toBeUndefined();
  });
  it("is not the French pronoun", () => {
    expect(planOf("Combien de salles dont le projecteur ?", [rooms])).toBe(
      "salles.csv | count | rows | Projecteur = oui",
    );
  });
});
