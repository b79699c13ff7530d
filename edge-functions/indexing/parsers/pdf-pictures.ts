// Renders the pictures of a PDF's page as one that a model can read: scans in strips, rotated or behind a mask are painted in grey
// at their places. pdf.js decodes JPEG, JBIG2, CCITT and raw pixels; text and lines are not drawn.
import { limits, type PagePictures } from "./document.ts";
import { combine, type Decoded, type Matrix, PageCanvas, type Placed, sampleOf } from "./page-canvas.ts";
import { type Drawing, matrixOf, type PdfDocument, type PdfPage, readDrawing } from "./pdf-drawing.ts";
import { greyPng } from "./png.ts";

/** Pictures with fewer pixels in total are a logo or a line. */
export const leastPixels = 100 * 100;
/** An A4 page at 1200 dots per inch. */
const mostPixels = 140_000_000;
/** About 200 dots per inch of A4, enough to read print. */
const longestSide = 2_200;
/** Pictures of a page; more are the tiles of a pattern. */
const mostParts = 2_000;

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

/** The places of a page's pictures, in its own coordinates, and their pixel counts. */
export const placesOf = ({ named }: Drawing): { place: Matrix; pixels: number }[] =>
  named.map(({ place, width, height }) => ({ place, pixels: width * height }));

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
