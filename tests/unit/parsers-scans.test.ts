// Pages as scanners write them, compared pixel by pixel with the drawing, and notes on pages that cannot be rendered.
import { describe, expect, it } from "vitest";
import { parseFile, picturesOf } from "../../edge-functions/indexing/parsers/registry.ts";
import {
  height,
  isInk,
  makeScanned,
  packed,
  pixelsOf,
  type ScannedPage,
  strip,
  whole,
  width,
} from "../support/files/scans.ts";

async function readPictures(...pages: ScannedPage[]) {
  const found = await picturesOf({ name: "scan.pdf", bytes: makeScanned(pages) }, pages.length);
  return { ...found, pictures: found.pictures.map(({ bytes }) => pixelsOf(bytes)) };
}

/** Wrong pixels, except those that a JPEG smears. */
function wrong(picture: ReturnType<typeof pixelsOf> | undefined, drawn: typeof isInk): number {
  if (picture?.width !== width || picture.height !== height) return Number.NaN;
  let count = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const grey = picture.at(x, y);
      if (drawn(x, y) ? grey > 90 : grey < 200) count++;
    }
  return count;
}

const strips = (rows: number, isMask: boolean): ScannedPage => {
  const tops = Array.from({ length: Math.ceil(height / rows) }, (_, i) => i * rows);
  return {
    pictures: tops.map((top) => strip(top, Math.min(height, top + rows), isMask)),
    content: tops
      .map((top, i) => {
        const bottom = Math.min(height, top + rows);
        return `q ${width} 0 0 ${bottom - top} 0 ${height - bottom} cm /P${i} Do Q`;
      })
      .join("\n"),
  };
};

describe("a scanned page", () => {
  it.each([
    ["JPEG", whole(packed.jpeg)],
    ["JPEG of printing inks", whole(packed.cmyk)],
    ["JBIG2", whole(packed.jbig2)],
    ["CCITT G4", whole(packed.g4)],
    ["packed bits", whole(packed.bits)],
    ["a mask in black", whole(packed.mask)],
    ["a mask of which the other bits are ink", whole(packed.inverseMask)],
    ["strips", strips(16, false)],
    ["strips of masks, each of fewer pixels than a logo", strips(8, true)],
    [
      "a dark ground with paper painted over it, and ink by a mask",
      {
        pictures: [packed.bits, packed.mask],
        content: `q ${width} 0 0 ${height} 0 0 cm /P0 Do Q 1 g q ${width} 0 0 ${height} 0 0 cm /P1 Do Q 0 g q ${width} 0 0 ${height} 0 0 cm /P1 Do Q`,
      },
    ],
    [
      "drawn upside down and left to right, which undoes each other",
      {
        pictures: [packed.bits],
        content: `-1 0 0 -1 ${width} ${height} cm q -${width} 0 0 -${height} ${width} ${height} cm /P0 Do Q`,
      },
    ],
  ])("is rendered as drawn: %s", async (_, page) => {
    const { pictures, isBlank, problem } = await readPictures(page);
    expect({ count: pictures.length, isBlank, problem }).toEqual({ count: 1, isBlank: false });
    expect(wrong(pictures[0], isInk)).toBe(0);
  });

  it("that was scanned sideways is rendered upright", async () => {
    const turnedInk = (x: number, y: number) => isInk(width - 1 - x, height - 1 - y);
    const { pictures } = await readPictures(whole(packed.g4, "/Rotate 180"));
    expect(wrong(pictures[0], turnedInk)).toBe(0);
    const [quarter] = (await readPictures(whole(packed.g4, "/Rotate 90"))).pictures;
    expect([quarter?.width, quarter?.height]).toEqual([height, width]);
    for (let y = 0; y < width; y++)
      for (let x = 0; x < height; x++)
        if (quarter?.at(x, y) !== (isInk(y, height - 1 - x) ? 0 : 255)) expect.fail(`${x}, ${y}`);
    // The scanner's software may rotate the image instead of the page.
    const onItsSide = {
      pictures: [packed.bits],
      content: `q 0 ${height} -${width} 0 ${width} 0 cm /P0 Do Q`,
    };
    const [picture] = (await readPictures(onItsSide)).pictures;
    expect(picture?.at(390, 299)).toBe(255);
    expect(picture?.at(Math.floor((60 / 300) * 400), 250)).toBe(0);
  });

  it("notes what cannot be rendered: JPEG 2000, part of it, drawings; none counts as blank", async () => {
    expect(await readPictures(whole(packed.jpeg2000))).toEqual({
      pictures: [],
      isBlank: false,
      problem: "undecoded",
    });
    const half = { pictures: [packed.jpeg2000, packed.mask], content: whole(packed.mask).content };
    const both = { ...half, content: `${half.content} ${half.content.replace("P0", "P1")}` };
    const partly = await readPictures(both);
    expect(partly).toMatchObject({ isBlank: false, problem: "undecoded" });
    expect(wrong(partly.pictures[0], isInk)).toBe(0);
    const drawn = { pictures: [], content: "0 0 m 300 300 l S" };
    expect(await readPictures(drawn)).toEqual({ pictures: [], isBlank: false, problem: "drawn" });
    const clean = { pictures: [], content: "0 0 400 300 re W n 1 g 0 0 400 300 re f BT /F1 9 Tf ( ) Tj ET" };
    expect(await readPictures(clean)).toEqual({ pictures: [], isBlank: true });
  });
});

describe("a page of text and images", () => {
  const words = (rows: number[], size = 10) =>
    `BT /F1 ${size} Tf ${rows.map((y) => `1 0 0 1 20 ${y} Tm (These words fill their line from one side to the other, or close to it, as ever.) Tj`).join(" ")} ET`;
  const drawing = (box: string) => `q ${box} cm /P0 Do Q`;
  const lines = (from: number, to: number) =>
    Array.from({ length: Math.floor((to - from) / 12) }, (_, i) => to - 12 * i - 10);
  const askFor = async (page: ScannedPage) => {
    const input = { name: "mixed.pdf", bytes: makeScanned([page]), readings: [] };
    return (await parseFile(input)).unreadPages ?? [];
  };

  it.each([
    [
      "a picture with the text that was recognised on it",
      `3 Tr ${words(lines(0, 300))} ${drawing("400 0 0 300 0 0")}`,
      [],
    ],
    ["half a page of text, half a picture", `${words(lines(150, 300))} ${drawing("400 0 0 140 0 0")}`, [1]],
    [
      "a picture with a stamp",
      `${drawing("400 0 0 300 0 0")} BT /F1 8 Tf 10 4 Td (Scanned by a telephone) Tj ET`,
      [1],
    ],
    ["text and an illustration", `${words(lines(70, 300))} ${drawing("100 0 0 60 0 0")}`, []],
    ["half a page of text", words(lines(150, 300)), []],
  ])("is sent when a large image was not read: %s", async (_, content, expected) => {
    expect(await askFor({ pictures: [packed.bits], content })).toEqual(expected);
  });

  it("has the image's text after its own, and none without an image", async () => {
    const content = `${words(lines(150, 300))} ${drawing("400 0 0 140 0 0")}`;
    const bytes = makeScanned([
      { pictures: [packed.bits], content },
      { pictures: [], content: words(lines(0, 300)) },
    ]);
    const readings = [1, 2].map((page) => ({ page, text: `Scanned ${page}.`, confidence: 0.8 }));
    const { text, structure, unreadPages } = await parseFile({ name: "mixed.pdf", bytes, readings });
    expect(text).toMatch(/^These words[\s\S]+as ever\.\n\nScanned 1\.\n\nThese words/);
    expect(text).not.toContain("Scanned 2.");
    expect(structure.filter(({ kind }) => kind === "page")).toMatchObject([
      { page: 1, confidence: 0.8 },
      { page: 2 },
    ]);
    expect(unreadPages).toBeUndefined();
    expect((await parseFile({ name: "mixed.pdf", bytes })).unreadPages).toEqual([1]);
  });
});
