// Hostile replies of a model: citation marks are parsed in linear time, not quadratic.
import { expect, test } from "vitest";
import { citationsOf, MarkFilter } from "../../edge-functions/answering/citations.ts";

const passage = {
  sourceId: "s",
  documentId: "d",
  chunkId: "c",
  title: "t",
  url: null,
  heading: "",
  page: null,
  preface: "",
  content: "It is so.",
};
const passages = Array.from({ length: 50 }, (_, i) => ({ ...passage, index: i + 1 }));

function read(text: string): void {
  const filter = new MarkFilter(passages.map(({ index }) => index));
  citationsOf(filter.push(text) + filter.end(), filter.cited, passages);
}

/** The least CPU time of five runs, in ms: wall time would count other processes. */
function cost(text: string): number {
  const runs = [1, 2, 3, 4, 5].map(() => {
    const before = process.cpuUsage();
    read(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...runs);
}

test.each<[string, (length: number) => string]>([
  ["spaces", (n) => `a${" ".repeat(n)}x`],
  ["spaces before a bracket", (n) => `a${" ".repeat(n)}[x]`],
  ["full stops that end no sentence, before a mark", (n) => `${"so. ".repeat(n / 4)}[1]`],
])("eight times the length does not cost sixty times as much: %s", (_name, make) => {
  read(make(2_000));
  const long = cost(make(64_000));
  // Shorter times cannot be compared.
  expect(long < 20 || long / cost(make(8_000)) < 30).toBe(true);
});

/** Every passage is cited a thousand times, for one long statement or one for each. */
const marks = Array.from({ length: 5_000 }, (_, i) => `[${(i % passages.length) + 1}]`);

test("a long statement is read once, however many marks follow it", () => {
  const statement = "many other words than before ".repeat(3_000);
  read(statement + marks.join(""));
  const shared = cost(statement + marks.join(""));
  expect(shared < 20 || shared / cost(`${statement}[1]${marks.join("").replaceAll(/\d+/g, "1")}`) < 8).toBe(
    true,
  );
});
