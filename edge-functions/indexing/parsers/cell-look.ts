// Owns how the words of one cell of an HTML table look: bold, and how far to the right. Pure.
import type { CellLook } from "./table-groups.ts";

const boldTags = new Set(["b", "strong"]);
/** Points in one unit of a style's lengths. */
const points: Record<string, number> = { pt: 1, px: 0.75, em: 10, rem: 10, in: 72, cm: 28, mm: 2.8 };
/** Of a non-breaking space. */
const spacePoints = 3;
/** Longer styles are those of no cell. */
const longestStyle = 2_000;

export class LookOfCell {
  /** Whether the open elements are bold, the cell's first. */
  readonly #bold: boolean[] = [];
  #indent = 0;
  #hasWords = false;
  #isPlain = false;

  open(tag: string, { style = "" }: Record<string, string>): void {
    const declared = style.length > longestStyle ? "" : style;
    const weight = /font-weight\s*:\s*([a-z]+|\d{1,4})/i.exec(declared)?.[1];
    const isBold = weight ? /^bold|^[6-9]\d\d$/i.test(weight) : boldTags.has(tag) || tag === "th";
    this.#bold.push(isBold || (!weight && this.#bold.at(-1) === true));
    if (!this.#hasWords && tag !== "span") this.#indent += indentOf(declared);
  }

  text(text: string): void {
    if (!this.#hasWords)
      this.#indent +=
        spacePoints * (/^[\s\u00a0]*/.exec(text)?.[0].split("\u00a0").length ?? 1) - spacePoints;
    if (text.trim() === "") return;
    this.#hasWords = true;
    if (!this.#bold.at(-1)) this.#isPlain = true;
  }

  close(): void {
    this.#bold.pop();
  }

  finish(): CellLook {
    return { isBold: this.#hasWords && !this.#isPlain, indent: this.#indent };
  }
}

function indentOf(style: string): number {
  let sum = 0;
  for (const [, , length = "", unit = ""] of style.matchAll(
    /(?:^|;)\s*(padding-left|margin-left|text-indent)\s*:\s*(-?[\d.]{1,8})(pt|px|r?em|in|cm|mm)\b/gi,
  ))
    sum += (Number(length) || 0) * (points[unit.toLowerCase()] ?? 0);
  return sum;
}
