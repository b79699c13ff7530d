// Questions for the extremes of a measure that a column has only as its unit, and words of a question that name no column.
import { expect, it } from "vitest";
import { columns, planOf, sheet } from "../support/sheet-plans.ts";

const fans = sheet(
  "fans.csv",
  columns({ Fan: ["Ada", "Bob"], "Level (dB)": ["38", "52"], "Core (°C)": ["90", "70"] }),
);
const tables = sheet("tables.csv", columns({ Table: ["Nora", "Lumi"], Wood: ["oak", "ash"] }));

it.each([
  ["Which model is the quietest?", fans, "fans.csv | smallest | Level (dB)"],
  ["Quel modèle est le plus bruyant ?", fans, "fans.csv | largest | Level (dB)"],
  ["Which fan is the hottest?", fans, "fans.csv | largest | Core (°C)"],
  ["Which fan has the highest temperature?", fans, "fans.csv | largest | Core (°C)"],
  ["How many tables are made of oak?", tables, "tables.csv | count | rows | Wood = oak"],
  ["How many different tables are made of oak?", tables, "tables.csv | count | rows | Wood = oak"],
])("%s", (question, one, plan) => {
  expect(planOf(question, [one])).toBe(plan);
});
