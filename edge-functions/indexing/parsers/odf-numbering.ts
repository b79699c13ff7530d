// Counts the numbered paragraphs and headings of an OpenDocument file (OpenDocument 1.3, part 3, 5.3), which stores no numbers. Pure.
import { type Numerals, numeral } from "./numerals.ts";
import type { OdfLevel, OdfStyles } from "./odf-styles.ts";

/** The count of each level, from 1, of one list: also of one that goes on behind other text. */
type Counts = (number | undefined)[];

const numerals: Record<string, Numerals> = {
  a: "lowerLetter",
  A: "upperLetter",
  i: "lowerRoman",
  I: "upperRoman",
};
const levelsOfText = new Set(Array.from({ length: 10 }, (_, i) => i + 1));

export class OdfNumbering {
  readonly #styles: OdfStyles;
  readonly #byId = new Map<string, Counts>();
  readonly #byStyle = new Map<string, Counts>();

  constructor(styles: OdfStyles) {
    this.#styles = styles;
  }

  /** The counts of a list that begins here. */
  begin(style: string, attributes: Record<string, string>): Counts {
    const goesOn = attributes["text:continue-numbering"] === "true";
    const before =
      this.#byId.get(attributes["text:continue-list"] ?? "") ??
      (goesOn ? this.#byStyle.get(style) : undefined);
    const counts = before ?? [];
    const id = attributes["xml:id"] ?? attributes["text:id"];
    if (id) this.#byId.set(id, counts);
    this.#byStyle.set(style, counts);
    return counts;
  }

  /** @param level from 1 */
  isNumbered(style: string, level: number): boolean {
    return (this.#styles.levelsOf(style)?.get(level)?.format ?? "") !== "";
  }

  /**
   * The number of the next item, "" for a bullet.
   * @param level from 1 @param stated where the item says so itself
   */
  next(counts: Counts, style: string, level: number, stated: number | undefined): string {
    const levels = this.#styles.levelsOf(style);
    const own = levels?.get(level);
    if (!levels || !own || !levelsOfText.has(level)) return "";
    const before = counts[level];
    counts[level] = stated ?? (before === undefined ? own.start : before + 1);
    counts.length = level + 1;
    if (own.format === "") return "";
    const write = (at: number) => {
      const one = levels.get(at);
      if (!one || one.format === "") return "";
      counts[at] ??= one.start;
      return numeral(numerals[one.format] ?? "decimal", counts[at] ?? one.start);
    };
    return labelOf(own, level, write).trim();
  }
}

function labelOf(own: OdfLevel, level: number, write: (at: number) => string): string {
  if (own.pattern) return own.pattern.replace(/%(\d{1,2})%/g, (_, at: string) => write(Number(at)));
  const first = Math.max(1, level - own.shown + 1);
  const parts = Array.from({ length: level - first + 1 }, (_, i) => write(first + i));
  return own.before + parts.filter(Boolean).join(".") + own.after;
}
