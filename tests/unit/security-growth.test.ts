// Replies that a model could be talked into: their marks are read in time that grows with the text, not with its square.
import { expect, test } from "vitest";
import { citationsOf, MarkFilter } from "../../edge-functions/answering/citations.ts";

const passage = {
  index: 1,
  sourceId: "s",
  documentId: "d",
  chunkId: "c",
  title: "t",
  url: null,
  content: "It is so.",
};

function read(text: string): void {
  const filter = new MarkFilter([1]);
  citationsOf(filter.push(text) + filter.end(), filter.cited, [passage]);
}

/** The shortest of three runs, in ms. */
function cost(text: string): number {
  const runs = [1, 2, 3].map(() => {
    const started = performance.now();
    read(text);
    return performance.now() - started;
  });
  return Math.min(...runs);
}

test.each<[string, (length: number) => string]>([
  ["spaces", (n) => `a${" ".repeat(n)}x`],
  ["spaces before a bracket", (n) => `a${" ".repeat(n)}[x]`],
])("eight times as long does not cost sixty times as much: %s", (_name, make) => {
  read(make(2_000));
  const long = cost(make(64_000));
  // Below this nothing can be told apart.
  expect(long < 20 || long / cost(make(8_000)) < 30).toBe(true);
});
