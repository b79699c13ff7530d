// Matching typed letters with the command palette's lines.
import { expect, test } from "vitest";
import { filterItems, type PaletteItem } from "../../web/render/palette.ts";

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
const labels = (query: string) => filterItems(items, query).map(({ label }) => label);

test("an empty query leaves the list unchanged", () => {
  expect(labels("  ")).toEqual(items.map(({ label }) => label));
});

test("every word must match the label or its hint, ignoring case and accents", () => {
  expect(labels("elan")).toEqual(["Élan support"]);
  expect(labels("ÉLAN sup")).toEqual(["Élan support"]);
  expect(labels("playground agents")).toEqual(["Agents"]);
  expect(labels("help chess")).toEqual([]);
});

test("other words find an item, too", () => {
  const create = { ...item("Create agent"), also: "new add" };
  expect(filterItems([...items, create], "new agent")).toEqual([create]);
});

test("labels with the query as a prefix come first, then words with it, then the rest", () => {
  expect(labels("help")).toEqual(["Help desk", "Onboarding help"]);
  expect(labels("boarding")).toEqual(["Onboarding help"]);
});
