// Scanned pages and images: what the model is sent, which parts of its answer are accepted, and where they go in the document.
import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readAnswer } from "../../edge-functions/indexing/page-reader.ts";
import { ParseError } from "../../edge-functions/indexing/parsers/document.ts";
import { PageCanvas, sampleOf } from "../../edge-functions/indexing/parsers/page-canvas.ts";
import { greyPng } from "../../edge-functions/indexing/parsers/png.ts";
import { parseFile, picturesOf } from "../../edge-functions/indexing/parsers/registry.ts";
import { makePdf, makeScans } from "../support/files/pdf.ts";

const picture = greyPng({ width: 20, height: 10, grey: new Uint8Array(200).fill(120) });

/** The middle pixel of each third of a grey PNG, from the top. */
function thirds(png: Uint8Array) {
  const bytes = Buffer.from(png);
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const length = bytes.readUInt32BE(33);
  const rows = inflateSync(bytes.subarray(41, 41 + length));
  const at = (y: number) => rows[Math.floor(y) * (width + 1) + 1 + (width >> 1)];
  return { width, height, greys: [at(height / 6), at(height / 2), at((5 * height) / 6)] };
}

describe("images of a PDF page", () => {
  it("are sent as grey PNGs, in any encoding", async () => {
    const input = { name: "scan.pdf", bytes: makeScans(["rgb", "bits", "mask"]) };
    for (const page of [1, 2, 3]) {
      const { pictures, isBlank } = await picturesOf(input, page);
      expect(isBlank).toBe(false);
      expect(pictures.map(({ contentType }) => contentType)).toEqual(["image/png"]);
      expect(thirds(pictures[0]?.bytes ?? new Uint8Array())).toEqual({
        width: 400,
        // The page is taller than the image that fills it.
        height: 518,
        greys: [255, 0, 255],
      });
    }
  });

  it("are scaled down while legible; a page without any is blank, unless something else is drawn on it", async () => {
    const large = { name: "large.pdf", bytes: makeScans(["bits"], 5000, 7000) };
    const { pictures } = await picturesOf(large, 1);
    const { width, height, greys } = thirds(pictures[0]?.bytes ?? new Uint8Array());
    expect([width, height, greys]).toEqual([1700, 2200, [255, 0, 255]]);
    const input = { name: "scan.pdf", bytes: makeScans(["blank", "strokes", "damaged"]) };
    expect(await picturesOf(input, 1)).toEqual({ pictures: [], isBlank: true });
    expect(await picturesOf(input, 2)).toEqual({
      pictures: [],
      isBlank: false,
      problem: "drawn",
    });
    expect(await picturesOf(input, 3)).toEqual({ pictures: [], isBlank: false, problem: "undecoded" });
  });

  it("are scaled by averaging pixels", () => {
    const canvas = new PageCanvas(2, 1);
    const data = Uint8Array.from([0, 100, 200, 100, 0, 100, 200, 100]);
    const picture = { width: 4, height: 2, data, place: [2, 0, 0, 1, 0, 0] as const };
    const sample = sampleOf(picture);
    if (sample) canvas.paint(picture, sample);
    expect(canvas.crop()).toEqual({ width: 2, height: 1, grey: Uint8Array.from([50, 150]) });
  });
});

describe("an image file", () => {
  it("is rejected without a model, and listed page by page with one", async () => {
    const scan = { name: "scan.pdf", bytes: makeScans(["rgb", "rgb"]) };
    await expect(parseFile(scan)).rejects.toMatchObject({ code: "scanned" });
    await expect(parseFile({ name: "photo.png", bytes: picture })).rejects.toMatchObject({ code: "picture" });
    expect(await parseFile({ ...scan, readings: [] })).toMatchObject({ text: "", unreadPages: [1, 2] });
    const asked = { name: "photo.png", bytes: picture, readings: [] };
    expect(await parseFile(asked)).toMatchObject({ text: "", unreadPages: [1] });
    expect(await picturesOf(asked, 1)).toEqual({
      pictures: [{ contentType: "image/png", bytes: picture }],
      isBlank: false,
    });
  });

  it("has each page's text in its place, with the model's confidence", async () => {
    const bytes = makePdf([[{ text: "Typed words." }], [], [{ text: "The end." }], []]);
    const readings = [{ page: 2, text: "Scanned words.", confidence: 0.9 }];
    const { text, structure, unreadPages } = await parseFile({ name: "mixed.pdf", bytes, readings });
    expect(text).toBe("Typed words.\n\nScanned words.\n\nThe end.");
    const pages = structure.filter(({ kind }) => kind === "page");
    expect(pages.map(({ page, confidence }) => [page, confidence])).toEqual([
      [1, undefined],
      [2, 0.9],
      [3, undefined],
    ]);
    expect(unreadPages).toEqual([4]);
    // Existing text on a page is never replaced.
    const lying = [{ page: 1, text: "Other words.", confidence: 1 }];
    expect((await parseFile({ name: "mixed.pdf", bytes, readings: lying })).text).not.toContain("Other");
  });

  it("may have another image type's extension, but not another format's", async () => {
    expect(await parseFile({ name: "photo.jpg", bytes: picture, readings: [] })).toMatchObject({
      unreadPages: [1],
    });
    await expect(parseFile({ name: "photo.pdf", bytes: picture, readings: [] })).rejects.toBeInstanceOf(
      ParseError,
    );
  });
});

describe("a model's answer", () => {
  it.each([
    ['{"text": "Words.", "confidence": 0.8}', { text: "Words.", confidence: 0.8 }],
    ['```json\n{"text": "A\\r\\nB\\u0000", "confidence": 85}\n```', { text: "A\nB", confidence: 0.85 }],
    ['{"text": "", "confidence": 1}', { text: "", confidence: 1 }],
    ['{"text": "Words."}', { text: "Words.", confidence: null }],
    ['{"text": "Words.", "confidence": "high"}', { text: "Words.", confidence: null }],
    ["I cannot read this.", null],
    ['{"text": 5}', null],
    ['{"text": "cut', null],
  ])("%j is read as %j", (said, read) => {
    expect(readAnswer(said)).toEqual(read);
  });

  it("is truncated to a page's maximum", () => {
    expect(readAnswer(JSON.stringify({ text: "x".repeat(50_000) }))?.text).toHaveLength(40_000);
    expect(readAnswer(JSON.stringify({ text: "x".repeat(500_000) }))).toBeNull();
  });
});
