// A grey canvas of a page onto which a PDF's pictures are painted at their places: strips join, rotated pictures stand upright,
// masks are transparent. Pure.
import type { Pixels } from "./png.ts";

/** [a b c d e f]: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [number, number, number, number, number, number];

/** The matrix that applies `inner` first, then `outer`. */
export function combine(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** The smallest x and y, then the largest x and y, of the unit square after the transform. */
export function boxOf([a, b, c, d, e, f]: Matrix): [number, number, number, number] {
  const xs = [e, e + a, e + c, e + a + c];
  const ys = [f, f + b, f + d, f + b + d];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** A decoded picture as pdf.js returns it. kind: 1 packed bits, 2 RGB, 3 RGBA. */
export interface Decoded {
  width: number;
  height: number;
  data?: Uint8Array | Uint8ClampedArray;
  kind?: number;
}

/** A picture and its place: `place` maps the unit square, whose top is at 1, to the page. */
export interface Placed extends Decoded {
  place: Matrix;
  /** Set for a mask, which paints this grey where its bits are 0. */
  ink?: number;
}

/** Maximum samples per side of a page's pixel: a picture eight times as fine as the page is still sampled in full. */
const mostSamples = 8;

/** Grey in the low byte, opacity in the next. */
type Sample = (x: number, y: number) => number;

/** Undefined for a picture with too little data. */
export function sampleOf({ width, height, data, kind, ink }: Decoded & { ink?: number }): Sample | undefined {
  if (!data || width < 1 || height < 1) return undefined;
  const perRow = (width + 7) >> 3;
  const bit = (x: number, y: number) => ((data[y * perRow + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
  if (ink !== undefined || kind === 1) {
    if (data.length < perRow * height) return undefined;
    if (ink === undefined) return (x, y) => (bit(x, y) ? 0xffff : 0xff00);
    return (x, y) => (bit(x, y) ? 0 : 0xff00 | ink);
  }
  const channels = kind === 2 ? 3 : kind === 3 ? 4 : Math.floor(data.length / (width * height));
  if (data.length < width * height * channels) return undefined;
  if (channels === 1) return (x, y) => 0xff00 | (data[y * width + x] ?? 0);
  if (channels !== 3 && channels !== 4) return undefined;
  return (x, y) => {
    const at = (y * width + x) * channels;
    const opaque = channels === 4 ? (data[at + 3] ?? 0) : 255;
    return (opaque << 8) | greyOf(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0);
  };
}

export const greyOf = (red: number, green: number, blue: number) => (red * 77 + green * 150 + blue * 29) >> 8;

export class PageCanvas {
  readonly #pixels: Pixels;
  /** The painted area: left, top, right, bottom. */
  #painted: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];

  constructor(width: number, height: number) {
    this.#pixels = { width, height, grey: new Uint8Array(width * height).fill(255) };
  }

  paint(picture: Placed, sample: Sample): void {
    const { width, height, place } = picture;
    const [a, b, c, d, e, f] = place;
    const area = a * d - b * c;
    if (!Number.isFinite(area) || area === 0) return;
    const page = this.#pixels;
    const [left, top, right, bottom] = boxOf(place);
    const [x0, y0] = [Math.max(0, Math.round(left)), Math.max(0, Math.round(top))];
    const [x1, y1] = [
      Math.min(page.width, Math.max(x0 + 1, Math.round(right))),
      Math.min(page.height, Math.max(y0 + 1, Math.round(bottom))),
    ];
    if (x0 >= x1 || y0 >= y1) return;
    const [l, t, r, u] = this.#painted;
    this.#painted = [Math.min(l, x0), Math.min(t, y0), Math.max(r, x1), Math.max(u, y1)];
    const finer = Math.sqrt((width * height) / Math.abs(area));
    const samples = Math.min(mostSamples, Math.max(1, Math.ceil(finer - 0.01)));
    for (let y = y0; y < y1; y++)
      for (let x = x0; x < x1; x++) {
        let seen = 0;
        let grey = 0;
        for (let i = 0; i < samples; i++)
          for (let j = 0; j < samples; j++) {
            // From the page back to the unit square, and from there to the picture, whose first row is the square's top.
            const dx = x + (j + 0.5) / samples - e;
            const dy = y + (i + 0.5) / samples - f;
            const px = Math.floor(((d * dx - c * dy) / area) * width);
            const py = Math.floor((1 - (a * dy - b * dx) / area) * height);
            if (px < 0 || py < 0 || px >= width || py >= height) continue;
            const found = sample(px, py);
            seen += found >> 8;
            grey += (found >> 8) * (found & 255);
          }
        if (seen === 0) continue;
        const opaque = seen / (255 * samples * samples);
        const at = y * page.width + x;
        page.grey[at] = Math.round((page.grey[at] ?? 255) * (1 - opaque) + (grey / seen) * opaque);
      }
  }

  /** The painted area as pixels; undefined when nothing was painted. */
  crop(): Pixels | undefined {
    const [left, top, right, bottom] = this.#painted;
    if (left >= right || top >= bottom) return undefined;
    const { width, grey } = this.#pixels;
    const cut = { width: right - left, height: bottom - top };
    const out = new Uint8Array(cut.width * cut.height);
    for (let y = 0; y < cut.height; y++) {
      const from = (top + y) * width + left;
      out.set(grey.subarray(from, from + cut.width), y * cut.width);
    }
    return { ...cut, grey: out };
  }
}
