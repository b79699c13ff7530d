// Renders the pictures of a PDF's page as one that a model can read: scans in strips, rotated or behind a mask are painted in grey
// at their places. pdf.js decodes JPEG, JBIG2, CCITT and raw pixels; text and lines are not drawn.
import { type getDocumentProxy, getResolvedPDFJS } from "unpdf";
import { limits, type PagePictures } from "./document.ts";
import {
  combine,
  type Decoded,
  greyOf,
  type Matrix,
  PageCanvas,
  type Placed,
  sampleOf,
} from "./page-canvas.ts";
import { greyPng } from "./png.ts";

// Node has it from version 21 on. Without it, pdf.js silently ends a page's operator list at the first font.
if (!("transferToFixedLength" in ArrayBuffer.prototype))
  Object.defineProperty(ArrayBuffer.prototype, "transferToFixedLength", {
    value: function (this: ArrayBuffer) {
      return structuredClone(this, { transfer: [this] });
    },
  });

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
export type PdfPage = Awaited<ReturnType<PdfDocument["getPage"]>>;
type Operations = Awaited<ReturnType<typeof getResolvedPDFJS>>["OPS"];

/** Pictures with fewer pixels in total are a logo or a line. */
export const leastPixels = 100 * 100;
/** An A4 page at 1200 dots per inch. */
const mostPixels = 140_000_000;
/** About 200 dots per inch of A4, enough to read print. */
const longestSide = 2_200;
/** Pictures of a page; more are the tiles of a pattern. */
const mostParts = 2_000;

/** A picture that a page refers to, not decoded yet. */
interface Named {
  place: Matrix;
  width: number;
  height: number;
  source: string | Decoded;
  ink?: number;
}
interface Drawn {
  named: Named[];
  /** The page draws lines, fills or letters besides pictures. */
  hasMarks: boolean;
  /** The page draws pictures with an operator that we do not follow. */
  isPartial: boolean;
}

/** All pictures of a page, counted from 1, in one. */
export async function picturesOfPage(document: PdfDocument, number: number): Promise<PagePictures> {
  const page = await document.getPage(number);
  try {
    const { named, hasMarks, isPartial } = await readDrawing(page);
    const shown = named.slice(0, mostParts);
    let pixels = 0;
    let lacking = isPartial || named.length > mostParts ? 1 : 0;
    const decoded: { picture: Placed; sample: NonNullable<ReturnType<typeof sampleOf>> }[] = [];
    for (const { source, place, ink, width, height } of shown) {
      if (width * height > mostPixels) {
        lacking++;
        continue;
      }
      const found = typeof source === "string" ? await objectOf(page, source) : source;
      const picture = { ...found, place, ...(ink === undefined ? {} : { ink }) };
      const sample = sampleOf(picture);
      if (!sample) lacking++;
      else {
        pixels += picture.width * picture.height;
        decoded.push({ picture, sample });
      }
    }
    if (pixels < leastPixels) {
      if (lacking > 0) return { pictures: [], isBlank: false, problem: "undecoded" };
      // On a page with text the words are already read, and lines alone carry no information.
      const isDrawing = hasMarks && !(await hasText(page));
      return isDrawing ? { pictures: [], isBlank: false, problem: "drawn" } : { pictures: [], isBlank: true };
    }
    const bytes = paintPage(page, decoded);
    if (!bytes || bytes.length > limits.pictureBytes)
      return { pictures: [], isBlank: false, problem: "undecoded" };
    const pictures = [{ contentType: "image/png", bytes }];
    return { pictures, isBlank: false, ...(lacking > 0 ? { problem: "undecoded" } : {}) };
  } finally {
    page.cleanup();
  }
}

/** The places of a page's pictures, in its own coordinates, and their pixel counts. Waits for no decoding. */
export async function placesOf(page: PdfPage): Promise<{ place: Matrix; pixels: number }[]> {
  const { named } = await readDrawing(page);
  return named.map(({ place, width, height }) => ({ place, pixels: width * height }));
}

/** The page's pictures as one PNG; undefined when nothing was painted. */
function paintPage(
  page: PdfPage,
  decoded: { picture: Placed; sample: NonNullable<ReturnType<typeof sampleOf>> }[],
): Uint8Array | undefined {
  const { width, height } = page.getViewport({ scale: 1 });
  // As fine as the finest significant picture.
  const finest = decoded.map(({ picture: { width: across, height: down, place } }) => {
    const [a, b, c, d] = place;
    const isSmall = across * down * 20 < leastPixels;
    return isSmall ? 0 : Math.max(across / Math.hypot(a, b), down / Math.hypot(c, d));
  });
  const most = longestSide / Math.max(width, height);
  const scale = Math.min(most, Math.max(...finest.filter(Number.isFinite)) || most);
  if (!Number.isFinite(scale) || scale <= 0) return undefined;
  const canvas = new PageCanvas(
    Math.max(1, Math.round(width * scale)),
    Math.max(1, Math.round(height * scale)),
  );
  const upright = matrixOf(page.getViewport({ scale }).transform);
  for (const { picture, sample } of decoded)
    canvas.paint({ ...picture, place: combine(upright, picture.place) }, sample);
  const cropped = canvas.crop();
  return cropped && greyPng(cropped);
}

/** What a page draws, in order. */
async function readDrawing(page: PdfPage): Promise<Drawn> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  const named: Named[] = [];
  let hasMarks = false;
  let isPartial = false;
  let now: { place: Matrix; ink: number } = { place: [1, 0, 0, 1, 0, 0], ink: 0 };
  const kept: (typeof now)[] = [];
  const move = (by: unknown) => {
    now = { ...now, place: combine(now.place, matrixOf(by)) };
  };
  for (const [at, name] of fnArray.entries()) {
    const args = (argsArray[at] ?? []) as unknown[];
    const [first, second, third, fourth] = args;
    if (name === OPS.save) kept.push(now);
    else if (name === OPS.restore) now = kept.pop() ?? now;
    else if (name === OPS.transform) move(args);
    else if (name === OPS.paintFormXObjectBegin) {
      kept.push(now);
      if (first) move(first);
    } else if (name === OPS.beginAnnotation) {
      kept.push(now);
      now = { place: combine(matrixOf(third), matrixOf(fourth)), ink: 0 };
    } else if (name === OPS.paintFormXObjectEnd || name === OPS.endAnnotation) now = kept.pop() ?? now;
    else if (name === OPS.setFillRGBColor) now = { ...now, ink: inkOf(first) };
    else if (name === OPS.paintImageXObject && typeof first === "string")
      named.push({ place: now.place, source: first, width: Number(second), height: Number(third) });
    else if (name === OPS.paintInlineImageXObject) {
      const source = first as Decoded;
      named.push({ place: now.place, source, width: source.width, height: source.height });
    } else if (name === OPS.paintImageMaskXObject) {
      const { data, ...mask } = first as Omit<Decoded, "data"> & { data?: Decoded["data"] | string };
      const source = typeof data === "string" ? data : { ...mask, ...(data ? { data } : {}) };
      named.push({ ...now, source, width: mask.width, height: mask.height });
    } else if (isUnfollowed(OPS, name)) isPartial = true;
    else hasMarks ||= isMark(OPS, name, first, now.ink);
  }
  return { named, hasMarks, isPartial };
}

/** pdf.js merges pictures like this when it renders, but not in its operator list. */
const isUnfollowed = (OPS: Operations, name: number) =>
  name === OPS.paintImageXObjectRepeat ||
  name === OPS.paintImageMaskXObjectGroup ||
  name === OPS.paintImageMaskXObjectRepeat ||
  name === OPS.paintInlineImageXObjectGroup;

/** True for a visible mark: not a clip path, a white fill or spaces. */
function isMark(OPS: Operations, name: number, first: unknown, ink: number): boolean {
  if (name === OPS.shadingFill || name === OPS.paintSolidColorImageMask) return true;
  if (name === OPS.constructPath)
    return first !== OPS.endPath && !((first === OPS.fill || first === OPS.eoFill) && ink === 255);
  if (name !== OPS.showText || !Array.isArray(first)) return false;
  return first.some((glyph) => typeof glyph === "object" && glyph !== null && glyph.isSpace !== true);
}

async function hasText(page: PdfPage): Promise<boolean> {
  const { items } = await page.getTextContent();
  return items.some((item) => "str" in item && item.str.trim() !== "");
}

function objectOf(page: PdfPage, key: string): Promise<Decoded> {
  const objects = key.startsWith("g_") ? page.commonObjs : page.objs;
  return new Promise((resolve) =>
    objects.get(key, (one: Decoded | null) => resolve(one ?? { width: 0, height: 0 })),
  );
}

function matrixOf(numbers: unknown): Matrix {
  if (!Array.isArray(numbers) && !ArrayBuffer.isView(numbers)) return [1, 0, 0, 1, 0, 0];
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = Array.from(numbers as ArrayLike<number>);
  return [a, b, c, d, e, f];
}

/** The grey value of a colour such as "#1a2b3c". */
function inkOf(colour: unknown): number {
  const [, hex] = /^#([0-9a-f]{6})$/i.exec(String(colour)) ?? [];
  const value = Number.parseInt(hex ?? "0", 16);
  return greyOf(value >> 16, (value >> 8) & 255, value & 255);
}
