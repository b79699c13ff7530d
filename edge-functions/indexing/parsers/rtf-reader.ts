// Reads the tokens of an RTF file: which words are shown, in which paragraph, list and table. Follows version 1.9.1 of the specification.
import { limits, ParseError } from "./document.ts";
import type { Letterhead } from "./letterhead.ts";
import { RtfFlow, type RtfMarks, type RtfParagraph } from "./rtf-flow.ts";
import { RowPlaces } from "./rtf-tables.ts";
import { codePageOf, decodePage, type RtfToken } from "./rtf-tokens.ts";
import {
  contents,
  header,
  headingStyle,
  nowhere,
  optional,
  type Place,
  passing,
  places,
  shown,
  signs,
} from "./rtf-words.ts";

interface Field {
  code: string;
}

interface State extends RtfMarks {
  place: "" | "sup" | "sub";
  goesTo: Place;
  /** The code page; undefined: the document's. */
  page: number | undefined;
  /** Characters that stand for one of \\u in older programs. */
  fallback: number;
  isHidden: boolean;
  style: number;
  outline: number;
  isInTable: boolean;
  tables: number;
  level: number;
  indent: number;
  field?: Field;
  /** Before the first word of the group. */
  isNew: boolean;
  /** Behind \\*: a reader skips what it does not know. */
  isOptional: boolean;
  /** The flow that ends with the group. */
  ends: "" | "note" | "box";
}

/** The state of groups inside of each other; deeper ones share it. */
const deepest = 2000;
const mostStyles = 10_000;

const western = 1252;
const wordless: ReadonlySet<Place> = new Set<Place>(["nowhere", "inside", "fonts", "row"]);

const plain: State = {
  isBold: false,
  isStruck: false,
  place: "",
  goesTo: "text",
  page: undefined,
  fallback: 1,
  isHidden: false,
  style: 0,
  outline: 9,
  isInTable: false,
  tables: 0,
  level: 0,
  indent: 0,
  isNew: false,
  isOptional: false,
  ends: "",
};

export class RtfReader {
  title = "";
  comments = 0;
  embedded = 0;
  readonly #name: string;
  readonly #letterhead: Letterhead;
  #state: State = { ...plain };
  #states: State[] = [];
  #tooDeep = 0;
  #isEnded = false;
  #flows = [new RtfFlow()];
  /** Of characters that are not decoded yet, since one may take several bytes, written in several ways. */
  #bytes = new Uint8Array(1024);
  #byteCount = 0;
  /** Characters of a fallback that still follow. */
  #skip = 0;
  #defaultPage = western;
  #defaultFont = 0;
  readonly #pages = new Map<number, number>();
  #font = 0;
  readonly #levels = new Map<number, number>();
  #style: { number: number; level: number; name: string } | undefined;
  #row = new RowPlaces();
  #innerRow = new RowPlaces();
  #notes = 0;
  #length = 0;

  /** @param name the file's, for the error */
  constructor(name: string, letterhead: Letterhead) {
    this.#name = name;
    this.#letterhead = letterhead;
  }

  /** @throws ParseError `too_large` */
  read(token: RtfToken): void {
    if (token.kind === "bytes") {
      this.#addBytes(token.bytes);
      return;
    }
    if (token.kind === "binary") {
      this.#skip = Math.max(0, this.#skip - 1);
      return;
    }
    this.#decode();
    if (token.kind === "open") this.#openGroup();
    else if (token.kind === "control") this.#control(token.word, token.value);
    else this.#closeGroup();
  }

  /** @returns the text as HTML */
  finish(): string {
    this.#decode();
    while (this.#states.length > 0) this.#closeGroup();
    return this.#flow.finish(this.#paragraph);
  }

  get #flow(): RtfFlow {
    return this.#flows.at(-1) ?? new RtfFlow();
  }

  get #paragraph(): RtfParagraph {
    const { style, outline, isInTable, tables, level, indent } = this.#state;
    const heading = outline < 9 ? Math.min(6, outline + 1) : (this.#levels.get(style) ?? 0);
    return { heading, indent: indent || level, tables: isInTable ? Math.max(1, tables) : tables };
  }

  #openGroup(): void {
    this.#skip = 0;
    if (this.#states.length === 0) this.#isEnded = false;
    if (this.#states.length >= deepest) {
      this.#tooDeep++;
      return;
    }
    this.#states.push(this.#state);
    this.#state = { ...this.#state, isNew: true, isOptional: false, ends: "" };
  }

  #closeGroup(): void {
    this.#skip = 0;
    if (this.#tooDeep > 0) {
      this.#tooDeep--;
      return;
    }
    const { ends, goesTo } = this.#state;
    const outer = this.#states.pop();
    if (!outer) return;
    if (ends) {
      const html = this.#flow.finish(this.#paragraph);
      this.#flows.pop();
      this.#flow.addAfter(ends === "note" ? html.replace(/^(<p>)?/, `<p>[${this.#notes}] `) : html);
    }
    if (goesTo === "header" && outer.goesTo !== "header") this.#letterhead.closeParagraph();
    if (goesTo === "styles") this.#endStyle();
    this.#state = outer;
    this.#isEnded = this.#states.length === 0;
    if (this.#isEnded) this.#state = { ...plain, goesTo: "nowhere" };
  }

  #control(word: string, value: number | undefined): void {
    const state = this.#state;
    const isFirst = state.isNew;
    state.isNew = false;
    if (word === "*") {
      state.isOptional = isFirst;
      state.isNew = isFirst;
      return;
    }
    // Behind the end may stand anything, and damaged files go on.
    if (this.#isEnded && word === "pard") this.#state = { ...plain };
    if (this.#skip > 0 && signs[word] !== undefined) {
      this.#skip--;
      return;
    }
    this.#skip = 0;
    if (isFirst && this.#openDestination(word)) return;
    if (state.goesTo === "inside" && (word === "objemb" || word === "objicemb")) this.embedded++;
    if (state.goesTo === "nowhere" || state.goesTo === "inside") return;
    if (state.goesTo === "row") this.#innerRow = rowAfter(this.#innerRow, word, value);
    else if (state.goesTo === "fonts") this.#readFont(word, value);
    else if (state.goesTo === "styles") this.#readStyle(word, value);
    else if (word === "u") {
      this.#add(String.fromCharCode((value ?? 0) & 0xffff));
      this.#skip = state.fallback;
    } else if (signs[word] !== undefined) this.#add(signs[word]);
    else if (!this.#format(word, value)) this.#structure(word, value);
    if (word === "nestrow") this.#flow.endRow(this.#innerRow, Math.max(2, state.tables));
  }

  /** @returns true for the name of a destination */
  #openDestination(word: string): boolean {
    const state = this.#state;
    if (state.goesTo === "nowhere") return true;
    if (word === "annotation") this.comments++;
    if (shown.has(word)) {
      if (word !== "ud" && word !== "result") this.#openFlow("box");
      if (state.goesTo === "inside") state.goesTo = "text";
      return true;
    }
    if (state.goesTo === "inside") {
      if (word === "title") state.goesTo = "title";
      else if (state.isOptional || nowhere.has(word)) state.goesTo = "nowhere";
      return state.goesTo !== "inside";
    }
    if (word === "footnote") {
      this.#flow.add(`[${++this.#notes}]`, plain);
      this.#openFlow("note");
    } else if (header.test(word)) {
      state.goesTo = "header";
      this.#letterhead.openParagraph();
    } else if (word === "field") state.field = { code: "" };
    else if (word === "fldrslt") this.#openResult(state);
    else if (places[word]) state.goesTo = places[word];
    else if (nowhere.has(word) || (state.isOptional && !optional.has(word))) state.goesTo = "nowhere";
    else return optional.has(word);
    return true;
  }

  #openFlow(ends: "note" | "box"): void {
    this.#flows.push(new RtfFlow());
    this.#state = Object.assign(this.#state, {
      ends,
      isInTable: false,
      tables: 0,
      style: 0,
      outline: 9,
      place: "",
    });
  }

  #openResult(state: State): void {
    const { code = "" } = state.field ?? {};
    if (state.goesTo === "header" && passing.test(code)) this.#letterhead.addPageNumber();
    const isLeftOut = contents.test(code) || (state.goesTo === "header" && passing.test(code));
    if (isLeftOut) state.goesTo = "nowhere";
  }

  #readFont(word: string, value = 0): void {
    if (word === "f") this.#font = value;
    const page = word === "fcharset" ? codePageOf(value) : word === "cpg" ? value : undefined;
    if (page !== undefined && this.#pages.size < mostStyles) this.#pages.set(this.#font, page);
  }

  #readStyle(word: string, value = 0): void {
    if (word === "s") this.#style = { number: value, level: 9, name: "" };
    if (word === "outlinelevel" && this.#style) this.#style.level = value;
  }

  #endStyle(): void {
    const { number, level, name } = this.#style ?? { number: 0, level: 9, name: "" };
    this.#style = undefined;
    const named = headingStyle.exec(name);
    const heading = level < 9 ? level + 1 : named ? Number(named[1] ?? 1) : 0;
    if (heading > 0 && this.#levels.size < mostStyles) this.#levels.set(number, Math.min(6, heading));
  }

  /** @returns true for a word about how the next words look */
  #format(word: string, value: number | undefined): boolean {
    const state = this.#state;
    const isOn = value !== 0;
    if (word === "plain") {
      Object.assign(state, { isBold: false, isStruck: false, place: "", isHidden: false });
      const page = this.#pages.get(this.#defaultFont);
      state.page = page === western ? undefined : page;
    } else if (word === "b") state.isBold = isOn;
    else if (word === "strike" || word === "striked") state.isStruck = isOn;
    else if (word === "super" || word === "sub") state.place = isOn ? (word === "super" ? "sup" : "sub") : "";
    else if (word === "nosupersub") state.place = "";
    else if (word === "v" || word === "deleted") state.isHidden = isOn;
    else if (word === "f") state.page = this.#pages.get(value ?? 0);
    else if (word === "uc") state.fallback = Math.max(0, Math.min(value ?? 1, 100));
    else return false;
    return true;
  }

  #structure(word: string, value = 0): void {
    const state = this.#state;
    this.#row = rowAfter(this.#row, word, value);
    if (word === "pard")
      Object.assign(state, { style: 0, outline: 9, isInTable: false, tables: 0, level: 0, indent: 0 });
    else if (word === "s") state.style = value;
    else if (word === "outlinelevel") state.outline = value;
    else if (word === "intbl") state.isInTable = true;
    else if (word === "itap") state.tables = Math.max(0, value);
    else if (word === "ilvl") state.level = Math.max(0, value);
    else if (word === "li") state.indent = value;
    else if (word === "line" || word === "lbr") this.#breakLine();
    else if (word === "par" || word === "sect" || word === "page" || word === "column") this.#endParagraph();
    else if (word === "cell" || word === "nestcell")
      this.#endCell(word === "cell" ? 1 : Math.max(2, state.tables));
    else if (word === "row" && state.goesTo === "text") this.#flow.endRow(this.#row, 1);
    else if (word === "ansicpg") this.#defaultPage = value;
    else if (word === "mac") this.#defaultPage = 10_000;
    else if (word === "pc") this.#defaultPage = 437;
    else if (word === "pca") this.#defaultPage = 850;
    else if (word === "deff") this.#defaultFont = value;
  }

  #breakLine(): void {
    if (this.#state.goesTo === "header") this.#letterhead.add("\n");
    else if (this.#state.goesTo === "text") this.#flow.addBreak();
  }

  #endParagraph(): void {
    const { goesTo } = this.#state;
    if (goesTo === "header") {
      this.#letterhead.closeParagraph();
      this.#letterhead.openParagraph();
    } else if (goesTo === "text") this.#flow.endParagraph(this.#paragraph);
  }

  #endCell(tables: number): void {
    if (this.#state.goesTo === "header") this.#letterhead.add("\t");
    else if (this.#state.goesTo === "text") this.#flow.endCell({ ...this.#paragraph, tables });
  }

  #addBytes(bytes: Uint8Array): void {
    this.#state.isNew = false;
    const from = Math.min(this.#skip, bytes.length);
    this.#skip -= from;
    if (from === bytes.length || wordless.has(this.#state.goesTo)) return;
    const count = this.#byteCount + bytes.length - from;
    if (count > this.#bytes.length) {
      const more = new Uint8Array(2 * count);
      more.set(this.#bytes);
      this.#bytes = more;
    }
    this.#bytes.set(bytes.subarray(from), this.#byteCount);
    this.#byteCount = count;
  }

  #decode(): void {
    if (this.#byteCount === 0) return;
    const bytes = this.#bytes.subarray(0, this.#byteCount);
    this.#byteCount = 0;
    this.#add(decodePage(bytes, this.#state.page ?? this.#defaultPage));
  }

  #add(text: string): void {
    const { goesTo, isHidden, field } = this.#state;
    this.#length += text.length;
    if (this.#length > 3 * limits.textChars)
      throw new ParseError("too_large", this.#name, {
        limit: `${limits.textChars / 2 ** 20} million characters of text`,
      });
    if (goesTo === "title") this.title += text;
    else if (goesTo === "field" && field) field.code += text;
    else if (goesTo === "styles" && this.#style) this.#style.name += text;
    else if (isHidden) return;
    else if (goesTo === "mark") this.#flow.addMark(text);
    else if (goesTo === "header") this.#letterhead.add(text);
    else if (goesTo === "text") this.#flow.add(text, this.#state);
  }
}

/** The places of a row's cells behind a word, which may begin the next row's. */
function rowAfter(places: RowPlaces, word: string, value: number | undefined): RowPlaces {
  const next = word === "trowd" ? new RowPlaces() : places;
  next.read(word, value);
  return next;
}
