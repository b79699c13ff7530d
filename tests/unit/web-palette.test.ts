// Which lines of the command palette a few typed letters mean.
import { expect, test } from "vitest";
import { matching, type PaletteItem } from "../../web/renderer/palette.ts";

const item = (label: string, hint?: string): PaletteItem => ({
  id: label,
  group: "agents",
  label,
  hint,
  href: "/",
});
const items = [
  item("Onboarding help"),
  item("Élan support"),
  item("Help desk"),
  item("Agents", "Playground"),
];
const labels = (query: string) => matching(items, query).map(({ label }) => label);

test("nothing typed leaves the list as it is", () => {
  expect(labels("  ")).toEqual(items.map(({ label }) => label));
});

test("every word has to be there, in the label or its hint, whatever the case and the accents", () => {
  expect(labels("elan")).toEqual(["Élan support"]);
  expect(labels("ÉLAN sup")).toEqual(["Élan support"]);
  expect(labels("playground agents")).toEqual(["Agents"]);
  expect(labels("help chess")).toEqual([]);
});

test("a label that begins with it comes first, then a word that does, then the rest", () => {
  expect(labels("help")).toEqual(["Help desk", "Onboarding help"]);
  expect(labels("boarding")).toEqual(["Onboarding help"]);
});
