// Chunking of real structure: headings, tables, lists, pages, overlap.
import { describe, expect, it } from "vitest";
import { chunkText, embeddingText } from "../../edge-functions/indexing/chunking.ts";
import { markdownStructure } from "../../edge-functions/indexing/parsers/markdown-structure.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";

async function chunksOf(name: string, source: string, maxTokens = 40, overlapTokens = 0) {
  const parsed = await parseFile({ name, bytes: new TextEncoder().encode(source) });
  return chunkText(parsed, { maxTokens, overlapTokens });
}

const sentence = (n: number) => `This is sentence number ${n} of the text, and it says little.`;

describe("chunks", () => {
  it("have the path of headings above them", async () => {
    const chunks = await chunksOf(
      "guide.md",
      "# Guide\n\nWelcome.\n\n## Leave\n\nTwenty days.\n\n### Sick leave\n\nTell us early.\n\n## Pay\n\nMonthly.\n",
    );
    expect(chunks.map((chunk) => [chunk.headings, chunk.content.split("\n").at(-1)])).toEqual([
      [["Guide"], "Welcome."],
      [["Guide", "Leave"], "Twenty days."],
      [["Guide", "Leave", "Sick leave"], "Tell us early."],
      [["Guide", "Pay"], "Monthly."],
    ]);
  });

  it("keep a heading with the text after it, even another heading", async () => {
    const chunks = await chunksOf("guide.md", "# Guide\n\n## Leave\n\nTwenty days.\n");
    expect(chunks).toHaveLength(1);
    expect(chunks[0]?.headings).toEqual(["Guide", "Leave"]);
  });

  it("keep a table whole when it fits, and repeat its columns when it does not", async () => {
    const small = "| City | Country |\n| --- | --- |\n| Oslo | Norway |\n| Rome | Italy |";
    const [whole] = (await chunksOf("t.md", `${sentence(1)}\n\n${small}\n`, 60)).filter((c) =>
      c.content.includes("Oslo"),
    );
    expect(whole?.content).toContain("City");
    expect(whole?.content).toContain("Italy");

    const rows = Array.from({ length: 30 }, (_, i) => `| City ${i} | Country ${i} |`).join("\n");
    const cut = await chunksOf("t.md", `| Place | Land |\n| --- | --- |\n${rows}\n`, 60);
    expect(cut).toHaveLength(30);
    expect(cut[0]?.content).toBe("| Place | Land |\n| --- | --- |\n| City 0 | Country 0 |");
    expect(cut[1]?.content).toBe("| City 1 | Country 1 |");
    expect(cut.slice(1).every((chunk) => chunk.preface === "| Place | Land |\n| --- | --- |")).toBe(true);
    expect(embeddingText("Places", cut[1] ?? { content: "", headings: [] })).toMatch(
      /^Places\n\| Place \| Land \|\n\| --- \| --- \|\n\n\| City/,
    );
  });

  it("make each row of a long table a passage with its caption, and the text after it another", async () => {
    const rows = Array.from({ length: 30 }, (_, i) => `${i},Thing ${i},${i * 10} EUR`).join("\n");
    const sheet = await chunksOf("list.csv", `No,Name,Price\n${rows}\n`, 60, 20);
    expect(sheet).toHaveLength(30);
    expect(sheet[7]?.content).toBe("No: 7\nName: Thing 7\nPrice: 70 EUR");
    const lines = Array.from({ length: 30 }, (_, i) => `| City ${i} | ${i} |`).join("\n");
    const source = `# Travel\n\nTable 2: Limits\n\n| City | Limit |\n| --- | --- |\n${lines}\n\n${sentence(1)}\n`;
    const chunks = await chunksOf("t.md", source, 60, 20);
    expect(chunks[4]?.preface).toBe("Table 2: Limits\n\n| City | Limit |\n| --- | --- |");
    expect(chunks.at(-1)?.content).toBe(sentence(1));
    expect(chunks.at(-1)?.preface).toBeUndefined();
  });

  it("split lists between items", async () => {
    const items = Array.from({ length: 20 }, (_, i) => `- Item ${i} has\n  two lines of words`).join("\n");
    for (const chunk of await chunksOf("list.md", items, 40))
      expect(chunk.content).toMatch(/^- Item[\s\S]*words$/);
  });

  it("split prose between sentences and repeat the last ones", async () => {
    const source = Array.from({ length: 12 }, (_, i) => sentence(i)).join(" ");
    const chunks = await chunksOf("p.txt", source, 60, 20);
    for (const chunk of chunks) expect(chunk.content).toMatch(/^This is[\s\S]*little\.$/);
    chunks.slice(1).forEach((chunk, i) => {
      const before = chunks[i];
      expect(chunk.start).toBeLessThan(before?.end ?? 0);
      expect(before?.content.endsWith(chunk.content.slice(0, (before?.end ?? 0) - chunk.start))).toBe(true);
    });
  });

  it("have their page", () => {
    const text = `${sentence(1)}\n\n${sentence(2)}`;
    const half = text.indexOf("\n\n");
    const chunks = chunkText(
      {
        text,
        structure: [
          { kind: "page", start: 0, end: half, page: 1 },
          { kind: "page", start: half + 2, end: text.length, page: 2 },
        ],
      },
      { maxTokens: 20, overlapTokens: 0 },
    );
    expect(chunks.map((chunk) => chunk.page)).toEqual([1, 2]);
  });

  it("hold no megabytes of white space, wherever it is", () => {
    const blank = " \t".repeat(500_000);
    const inCell = `| a | b |\n|---|---|\n| 1${blank}2 | 3 |\n\nThe end.`;
    for (const text of [`The price is${blank}10 euros.`, `${sentence(3)} ${blank}${sentence(4)}`, inCell]) {
      for (const structure of [[], markdownStructure(text)]) {
        const chunks = chunkText({ text, structure }, { maxTokens: 320, overlapTokens: 40 });
        expect(chunks.map(({ content }) => content.length).filter((length) => length > 20_000)).toEqual([]);
        expect(chunks.at(-1)?.content).toMatch(/\.$/);
      }
    }
  });

  it("are built from millions of characters in linear time; quadratic work would time out", () => {
    const text = `${sentence(7)} `.repeat(60_000);
    const chunks = chunkText({ text, structure: [] }, { maxTokens: 320, overlapTokens: 40 });
    expect(chunks.length).toBeGreaterThan(2_000);
  });
});
