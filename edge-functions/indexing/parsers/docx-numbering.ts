// Counts a Word document's numbered paragraphs (ECMA-376, part 1, 17.9): "3.2", "(b)", "Article IV". A document stores no number, only the
// level of each paragraph and the level's pattern.
import type { Archive } from "./archive.ts";
import { type Numerals, numeral } from "./numerals.ts";
import { readXml } from "./xml.ts";

interface Level {
  start: number;
  format: string;
  /** "%1.%2" */
  pattern: string;
  /** The style whose paragraphs have this level. */
  style: string;
  isDecimal: boolean;
}

interface List {
  id: string;
  /** The overridden start of each level. */
  starts: Map<number, number>;
}

/** Where a paragraph stands: absent parts come from its style. */
export interface Place {
  list?: string;
  level?: number;
  style?: string;
}

interface Style {
  basedOn: string;
  list: string;
  level: number | undefined;
}

const levelsOfWord = new Set(Array(9).keys());
const mostStylesAbove = 20;
const numerals = new Set(["decimal", "lowerLetter", "upperLetter", "lowerRoman", "upperRoman"]);

export class Numbering {
  readonly #levels = new Map<string, Map<number, Level>>();
  readonly #lists = new Map<string, List>();
  readonly #styles = new Map<string, Style>();
  /** The count of each level, by the definition that lists share. */
  readonly #counts = new Map<string, (number | undefined)[]>();
  readonly #begun = new Set<string>();

  static async read(archive: Archive): Promise<Numbering> {
    const numbering = new Numbering();
    await numbering.#readLists(archive);
    await numbering.#readStyles(archive);
    return numbering;
  }

  /** The number of the next paragraph, "" when it has none. Call it once for each paragraph, in order. */
  next(place: Place): string {
    const { list: id, level } = this.#placeOf(place);
    const list = this.#lists.get(id);
    const levels = list && this.#levels.get(list.id);
    const own = levels?.get(level);
    if (!list || !levels || !own) return "";
    const counts = this.#counts.get(list.id) ?? [];
    this.#counts.set(list.id, counts);
    const stated = list.starts.get(level);
    const restarts = stated !== undefined && !this.#begun.has(`${id} ${level}`);
    this.#begun.add(`${id} ${level}`);
    const before = counts[level];
    counts[level] = restarts ? stated : before === undefined ? own.start : before + 1;
    counts.length = level + 1;
    if (own.format === "bullet") return "";
    return own.pattern.replace(/%([1-9])/g, (_, position: string) => {
      const at = Number(position) - 1;
      const one = levels.get(at);
      if (!one || at > level) return "";
      counts[at] ??= one.start;
      return write(own.isDecimal ? "decimal" : one.format, counts[at] ?? one.start);
    });
  }

  #placeOf({ list, level, style = "" }: Place): { list: string; level: number } {
    let name = style;
    for (let i = 0; i < mostStylesAbove; i++) {
      if (list !== undefined) break;
      const own = this.#styles.get(name);
      if (!own) break;
      if (own.list) {
        list = own.list;
        level ??= own.level ?? this.#levelOfStyle(own.list, name);
      }
      name = own.basedOn;
    }
    return { list: list ?? "", level: level ?? 0 };
  }

  #levelOfStyle(list: string, style: string): number | undefined {
    const levels = this.#levels.get(this.#lists.get(list)?.id ?? "") ?? new Map<number, Level>();
    return [...levels].find(([, level]) => level.style === style)?.[0];
  }

  async #readLists(archive: Archive): Promise<void> {
    const links = new Map<string, string>();
    const linked = new Map<string, string>();
    let definition = "";
    let list = "";
    let at = 0;
    let level: Level | undefined;
    await readXml(archive, "word/numbering.xml", {
      open: (tag, attributes) => {
        const value = attributes["w:val"] ?? "";
        if (tag === "abstractNum") {
          definition = attributes["w:abstractNumId"] ?? "";
          this.#levels.set(definition, new Map());
        } else if (tag === "styleLink") links.set(value, definition);
        else if (tag === "numStyleLink") linked.set(definition, value);
        else if (tag === "num") list = attributes["w:numId"] ?? "";
        else if (tag === "abstractNumId") this.#lists.set(list, { id: value, starts: new Map() });
        else if (tag === "lvl" || tag === "lvlOverride") at = Number(attributes["w:ilvl"]) || 0;
        else if (tag === "startOverride") this.#lists.get(list)?.starts.set(at, Number(value) || 0);
        if (tag === "lvl" && !list && levelsOfWord.has(at)) {
          level = { start: 1, format: "decimal", pattern: "", style: "", isDecimal: false };
          this.#levels.get(definition)?.set(at, level);
        }
        if (!level) return;
        if (tag === "start") level.start = Number(value) || 0;
        if (tag === "numFmt") level.format = value;
        if (tag === "lvlText") level.pattern = value.slice(0, 100);
        if (tag === "pStyle") level.style = value;
        if (tag === "isLgl") level.isDecimal = !/^(?:0|false)$/.test(value);
      },
      close: (tag) => {
        if (tag === "lvl") level = undefined;
      },
    });
    for (const [id, style] of linked) {
      const levels = this.#levels.get(links.get(style) ?? "");
      if (levels) this.#levels.set(id, levels);
    }
  }

  async #readStyles(archive: Archive): Promise<void> {
    let style: Style | undefined;
    await readXml(archive, "word/styles.xml", {
      open: (tag, attributes) => {
        const value = attributes["w:val"] ?? "";
        if (tag === "style") {
          style = { basedOn: "", list: "", level: undefined };
          this.#styles.set(attributes["w:styleId"] ?? "", style);
        } else if (tag === "basedOn" && style) style.basedOn = value;
        else if (tag === "numId" && style) style.list = value;
        else if (tag === "ilvl" && style) style.level = Number(value) || 0;
      },
      close: (tag) => {
        if (tag === "style") style = undefined;
      },
    });
  }
}

function write(format: string, count: number): string {
  if (format === "none") return "";
  if (format === "decimalZero") return String(count).padStart(2, "0");
  return numeral(numerals.has(format) ? (format as Numerals) : "decimal", count);
}
