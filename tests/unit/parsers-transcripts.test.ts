// Transcripts of recordings, and notebooks.
import { describe, expect, it } from "vitest";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";

const parse = (name: string, content: string) =>
  parseFile({ name, bytes: new TextEncoder().encode(content) });
const cue = (from: string, to: string, text: string) => `${from} --> ${to}\n${text}\n\n`;

describe("a transcript", () => {
  it("has a paragraph for each turn, with its time and who speaks", async () => {
    const source = `WEBVTT\nKind: captions\n\nNOTE made by\na program\n\n1\n${cue("00:01.000", "00:04.000", "<v Ann Smith>Welcome &amp; hello.</v>")}2\n${cue("00:04.500", "01:02:03.100 align:start", "<v Ann Smith>Refunds take <c.red>five</c>\ndays.</v>")}${cue("01:02:04.000", "01:02:05.000", "<v Bob>Thanks.</v>")}`;
    const { text } = await parse("call.vtt", source);
    expect(text).toBe(
      "[00:00:01] Ann Smith: Welcome & hello. Refunds take five days.\n\n[01:02:04] Bob: Thanks.",
    );
  });

  it("of subtitles has one up to a pause, without repeated lines", async () => {
    const source = `1\n${cue("00:00:01,000", "00:00:02,000", "{\\an8}<i>Refunds</i>")}2\n${cue("00:00:02,000", "00:00:03,000", "<i>Refunds</i>")}3\n${cue("00:00:03,000", "00:00:04,000", "take five days.")}4\n${cue("00:01:00,000", "00:01:01,000", "Bob: Shipping\r\nis free.")}`;
    expect((await parse("film.srt", source)).text).toBe(
      "[00:00:01] Refunds take five days.\n\n[00:01:00] Bob: Shipping is free.",
    );
  });

  it("ends long paragraphs with a sentence, and loses no words", async () => {
    const words = Array.from({ length: 300 }, (_, i) => `word${i}${i % 10 === 9 ? "." : ""}`);
    const two = (n: number) => String(n).padStart(2, "0");
    const cues = words.map((word, i) =>
      cue(
        `00:${two(Math.floor(i / 60))}:${two(i % 60)}.000`,
        `00:${two(Math.floor(i / 60))}:${two(i % 60)}.900`,
        word,
      ),
    );
    const { text } = await parse("a.vtt", `WEBVTT\n\n${cues.join("")}`);
    expect(text.match(/word\d+/g)).toEqual(words.map((word) => word.replace(".", "")));
    expect(text.split("\n\n").length).toBeGreaterThan(3);
    for (const block of text.split("\n\n")) expect(block).toMatch(/^\[00:0\d:\d\d\] word.*\.$/);
  });

  it("of very many lines without an end of a sentence is read in one pass", async () => {
    const lines = Array.from({ length: 40_000 }, (_, i) =>
      cue("00:00:01.000", "00:00:02.000", `<v Ann>words ${i}</v>`),
    );
    const from = performance.now();
    expect((await parse("a.vtt", `WEBVTT\n\n${lines.join("")}`)).text).toContain("words 39999");
    expect(performance.now() - from).toBeLessThan(6000);
  });

  it("without times is the text that it is", async () => {
    expect((await parse("notes.srt", "Refunds\n\ntake five days")).text).toBe("Refunds\n\ntake five days");
  });
});

describe("a notebook", () => {
  it("is its texts, code and printed results, without pictures", async () => {
    const cells = [
      { cell_type: "markdown", source: ["# Sales\n", "Of **2025**."] },
      {
        cell_type: "code",
        source: "print(`total`)",
        outputs: [
          { output_type: "stream", text: ["5300\n"] },
          {
            output_type: "display_data",
            data: { "image/png": "iVBORw0KGgo", "text/plain": ["<Figure size 640x480>"] },
          },
          { output_type: "execute_result", data: { "text/html": "<table>", "text/plain": "   a\n0  1" } },
          { output_type: "error", ename: "KeyError", evalue: "'b'" },
        ],
      },
      { cell_type: "raw", source: null },
    ];
    const source = JSON.stringify({ cells, metadata: { kernelspec: { language: "python" } }, nbformat: 4 });
    const { text, title, structure } = await parse("a.ipynb", source);
    expect(title).toBe("Sales");
    expect(text).toBe(
      "# Sales\nOf **2025**.\n\n```python\nprint(`total`)\n```\n\n```\n5300\n```\n\n```\n   a\n0  1\n```\n\n```\nKeyError: 'b'\n```",
    );
    expect(structure.filter(({ kind }) => kind === "code")).toHaveLength(4);
  });

  it("that is none is read as JSON", async () => {
    expect((await parse("a.ipynb", '{"name": "Tea"}')).text).toBe("name: Tea");
    expect((await parse("a.ipynb", "{broken")).text).toBe("{broken");
    const deep = `${"[".repeat(100_000)}"x"${"]".repeat(100_000)}`;
    const source = `{"cells": [{"cell_type": "markdown", "source": ["Tea ", "at four", ${deep}]}]}`;
    expect((await parse("a.ipynb", source)).text).toBe("Tea at four");
  });
});
