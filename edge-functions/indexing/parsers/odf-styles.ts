// Owns what the styles of an OpenDocument file say about words, lists, sheets and slides (OpenDocument 1.3, part 3, 16). The body's handler
// passes on every tag that stands before the body.
import { markTags } from "./raised-text.ts";

interface Style {
  parent: string;
  list?: string;
  /** One of markTags, or "" for none. Absent: as in the parent. */
  place?: string;
  isStruck?: boolean;
  isHidden?: boolean;
  isBold?: boolean;
}

/** A level of a list or of the headings; a bullet has no format. */
export interface OdfLevel {
  format: string;
  before: string;
  after: string;
  start: number;
  /** The number of levels that the number shows. */
  shown: number;
  /** "%1%.%2%." instead of what stands before and after. */
  pattern: string;
}

/** The headings are a list of this name, which no style has. */
export const outline = "";
const mostParents = 20;
/** Programs name the built-in styles in English, whatever their user's language. */
const headingStyle = /^paragraph (?:Title|Heading_20_([1-9]))$/;

export class OdfStyles {
  readonly #styles = new Map<string, Style>();
  readonly #lists = new Map<string, Map<number, OdfLevel>>();
  #style: Style | undefined;
  #levels: Map<number, OdfLevel> | undefined;

  open(tag: string, attributes: Record<string, string>): void {
    if (tag === "style") {
      this.#style = { parent: keyOf(attributes["style:family"], attributes["style:parent-style-name"]) };
      const list = attributes["style:list-style-name"];
      if (list) this.#style.list = list;
      this.#styles.set(keyOf(attributes["style:family"], attributes["style:name"]), this.#style);
    } else if (tag === "list-style" || tag === "outline-style") {
      this.#levels = new Map();
      this.#lists.set(tag === "list-style" ? (attributes["style:name"] ?? "") : outline, this.#levels);
    } else if (/^(?:list|outline)-level-style/.test(tag)) {
      this.#levels?.set(Number(attributes["text:level"]) || 1, levelOf(tag, attributes));
    } else if (this.#style && tag.endsWith("-properties")) readProperties(this.#style, attributes);
  }

  close(tag: string): void {
    if (tag === "style") this.#style = undefined;
  }

  /** The elements of HTML that mark the words of a style. */
  marksOf(family: string, name: string | undefined): string[] {
    const place = this.#find(family, name, (style) => style.place) ?? "";
    const isStruck = this.#find(family, name, (style) => style.isStruck) ?? false;
    return [isStruck ? "s" : "", place].filter((tag) => markTags.has(tag));
  }

  /** The marks, and "b" for bold words. */
  looksOf(family: string, name: string | undefined): string[] {
    return [...this.marksOf(family, name), ...(this.isBold(family, name) ? ["b"] : [])];
  }

  isBold(family: string, name: string | undefined): boolean {
    return this.#find(family, name, (style) => style.isBold) ?? false;
  }

  isHidden(family: string, name: string | undefined): boolean {
    return this.#find(family, name, (style) => style.isHidden) ?? false;
  }

  /** The level of a paragraph in the style of a title or a heading, or in one that is based on it: converters write no heading elements. */
  levelOf(paragraph: string | undefined): number | undefined {
    let key = keyOf("paragraph", paragraph);
    for (let i = 0; i < mostParents && key !== ""; i++) {
      const named = headingStyle.exec(key);
      if (named) return Number(named[1] ?? 1);
      key = this.#styles.get(key)?.parent ?? "";
    }
    return undefined;
  }

  listOf(paragraph: string | undefined): string | undefined {
    return this.#find("paragraph", paragraph, (style) => style.list);
  }

  levelsOf(list: string): Map<number, OdfLevel> | undefined {
    return this.#lists.get(list);
  }

  #find<T>(family: string, name: string | undefined, read: (style: Style) => T | undefined): T | undefined {
    let style = this.#styles.get(keyOf(family, name));
    for (let i = 0; i < mostParents && style; i++) {
      const found = read(style);
      if (found !== undefined) return found;
      style = this.#styles.get(style.parent);
    }
    return undefined;
  }
}

const keyOf = (family = "", name = "") => `${family} ${name}`;

function levelOf(tag: string, attributes: Record<string, string>): OdfLevel {
  const isBullet = tag.endsWith("-bullet") || tag.endsWith("-image");
  const text = (name: string) => (attributes[name] ?? "").slice(0, 100);
  return {
    format: isBullet ? "" : text("style:num-format"),
    before: text("style:num-prefix"),
    after: text("style:num-suffix"),
    start: Number(attributes["text:start-value"] ?? 1) || 0,
    shown: Number(attributes["text:display-levels"]) || 1,
    pattern: text("style:num-list-format") || text("loext:num-list-format"),
  };
}

function readProperties(style: Style, attributes: Record<string, string>): void {
  const position = attributes["style:text-position"];
  if (position !== undefined) style.place = placeOf(position);
  const line = attributes["style:text-line-through-style"] ?? attributes["style:text-line-through-type"];
  if (line !== undefined) style.isStruck = line !== "none";
  const weight = attributes["fo:font-weight"];
  if (weight !== undefined) style.isBold = /^(?:bold|[6-9]\d\d)$/.test(weight);
  const shown =
    attributes["text:display"] ?? attributes["table:display"] ?? attributes["presentation:visibility"];
  if (shown !== undefined) style.isHidden = /^(?:none|false|hidden)$/.test(shown);
}

/** "super 58%", "-33% 58%", "0% 100%" */
function placeOf(position: string): string {
  const height = Number.parseFloat(position);
  if (/^super/.test(position) || height > 0) return "sup";
  return /^sub/.test(position) || height < 0 ? "sub" : "";
}
