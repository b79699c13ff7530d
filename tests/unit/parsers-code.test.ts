// A passage of source code names its class and function.
import { describe, expect, it } from "vitest";
import { chunkText } from "../../edge-functions/indexing/chunking.ts";
import { definitionIn } from "../../edge-functions/indexing/parsers/code-symbols.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";

describe("a line of code", () => {
  it.each<[string, string | undefined]>([
    ["export async function readAll(path: string): Promise<void> {", "readAll"],
    ["export const parse = async (input: Input) => {", "parse"],
    ["class Invoice(models.Model):", "Invoice"],
    ["    def total(self, tax=0):", "total"],
    ["func (s *Server) Close() error {", "Close"],
    ["pub(crate) fn parse<'a>(text: &'a str) -> Vec<&'a str> {", "parse"],
    ["    public static void main(String[] args) throws IOException {", "main"],
    ["  render() {", "render"],
    ["create or replace function public.search(query text) returns void", "public.search"],
    ["  if (ready) {", undefined],
    ["  return call(x, () => {", undefined],
    ["const limit = 5;", undefined],
    ["total = price * count", undefined],
  ])("%s", (line, name) => {
    expect(definitionIn(line)?.name).toBe(name);
  });

  it("takes linear time, for any input", () => {
    for (const part of ["a ", "(", "export ", "x<", "*&", "\t"]) {
      const started = performance.now();
      for (let i = 0; i < 50; i++) definitionIn(`${part.repeat(300 / part.length)}`.slice(0, 300));
      expect(performance.now() - started).toBeLessThan(2_000);
    }
  });
});

it("passages of a long class have its name and the method's", async () => {
  const body = (n: number) =>
    Array.from({ length: 6 }, (_, i) => `        step_${n}_${i} = compute(${i}, "words of the step")`).join(
      "\n",
    );
  const source = `import os\n\n\nclass Invoice(Base):\n    def total(self):\n${body(1)}\n\n    def send(self):\n${body(2)}\n\n\ndef main():\n    pass\n`;
  const parsed = await parseFile({ name: "a.py", bytes: new TextEncoder().encode(source) });
  const chunks = chunkText(parsed, { maxTokens: 60, overlapTokens: 0 });
  const of = (words: string) => chunks.find(({ content }) => content.includes(words))?.headings;
  // The first two passages end with the first line of the next definition.
  expect(of("step_1_5")).toEqual(["Invoice", "total, send"]);
  expect(of("step_2_5")).toEqual(["Invoice, main", "send"]);
  expect(of("import os")).toEqual(["Invoice", "total"]);
});

it("a passage with several definitions has the names of all, and of their methods", async () => {
  const source = `import os\n\n\ndef refund(order):\n    return order.total\n\n\ndef cancel(order):\n    order.state = "off"\n\n\nclass Invoice:\n    def total(self):\n        return 1\n\n    def send(self):\n        return self.total() + 2\n`;
  const parsed = await parseFile({ name: "a.py", bytes: new TextEncoder().encode(source) });
  const headings = (maxTokens: number) =>
    chunkText(parsed, { maxTokens, overlapTokens: 0 }).map((chunk) => chunk.headings);
  expect(headings(320)).toEqual([["refund, cancel, Invoice", "total, send"]]);
  expect(headings(36)).toEqual([["refund, cancel"], ["Invoice", "total, send"]]);
});
