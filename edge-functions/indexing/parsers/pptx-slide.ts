// Reads one slide's shapes into its title and blocks of text, and a slide's notes.
import type { Archive } from "./archive.ts";
import { MathText } from "./math-text.ts";
import { describePicture } from "./picture-words.ts";
import { writeMarked, writeRaised } from "./raised-text.ts";
import type { GridCell } from "./table-grid.ts";
import { readPrefixed, readXml } from "./xml.ts";

export type SlideBlock =
  | { kind: "text"; text: string }
  | { kind: "list"; items: { text: string; level: number }[] }
  | { kind: "table"; rows: GridCell[][]; caption?: string }
  /** A chart or a diagram, by its relation's id. */
  | { kind: "graphic"; id: string };

export interface SlideText {
  title: string;
  isHidden: boolean;
  blocks: SlideBlock[];
}

interface Paragraph {
  text: string;
  /** Whether all of its words are; undefined without any. */
  isBold?: boolean;
  indent?: number;
  level: number;
  isBare: boolean;
}

/** Placeholders that repeat on every slide and carry no text of their own. */
const furniture = new Set(["dt", "ftr", "sldNum", "hdr"]);
/** Placeholders in which the template sets bullets by default; one without a type is included. */
const bulleted = new Set(["body", "obj", "placeholder"]);

export async function readSlide(archive: Archive, part: string): Promise<SlideText> {
  const slide: SlideText = { title: "", isHidden: false, blocks: [] };
  let placeholder = "";
  let paragraphs: Paragraph[] = [];
  let rows: GridCell[][] | undefined;
  /** The alternative text of the open picture. */
  let description: string | undefined;
  let merged: Pick<GridCell, "columns" | "rows"> | undefined;
  let inText = false;
  let math: MathText | undefined;
  // Its words wait for its end: cutting them from the paragraph's would copy that for every run.
  let run: Run | undefined;
  let tail = "";
  let fallbacks = 0;
  const last = () => paragraphs.at(-1);
  const endShape = () => {
    const said = paragraphs.filter(({ text }) => text.trim() !== "");
    paragraphs = [];
    if (said.length === 0 || furniture.has(placeholder)) return;
    if (placeholder === "title" || placeholder === "ctrTitle") {
      slide.title ||= said.map(({ text }) => text).join(" ");
    } else slide.blocks.push(...blocksOf(said, bulleted.has(placeholder)));
  };
  await readXml(archive, part, {
    open(tag, attributes) {
      // What a program shows that does not know the newer form before it.
      if (tag === "Fallback") fallbacks++;
      if (fallbacks > 0) return;
      if (math || tag === "oMath") {
        math ??= new MathText();
        math.open(tag, readPrefixed(attributes, "val"));
        return;
      }
      const graphic = tag === "chart" ? "id" : tag === "relIds" ? "dm" : undefined;
      if (graphic) slide.blocks.push({ kind: "graphic", id: readPrefixed(attributes, graphic) ?? "" });
      if (tag === "sld") slide.isHidden = /^(?:0|false)$/.test(attributes.show ?? "");
      if (tag === "sp" || tag === "pic" || tag === "graphicFrame") placeholder = "";
      if (tag === "pic") description = "";
      if (tag === "cNvPr" && description === "") description = describePicture(attributes.descr ?? "");
      if (tag === "ph") placeholder = attributes.type ?? "placeholder";
      if (tag === "tbl") rows = [];
      if (tag === "tr") rows?.push([]);
      // Cells covered by a merged cell are present in the file, with a mark.
      if (tag === "tc") {
        const isCovered = [attributes.hMerge, attributes.vMerge].some((mark) =>
          /^(?:1|true)$/.test(mark ?? ""),
        );
        merged = isCovered
          ? undefined
          : { columns: Number(attributes.gridSpan) || 1, rows: Number(attributes.rowSpan) || 1 };
      }
      if (tag === "p") paragraphs.push({ text: "", level: 0, isBare: false });
      const paragraph = last();
      if (paragraph && tag === "pPr") paragraph.level = Math.min(8, Math.max(0, Number(attributes.lvl) || 0));
      if (paragraph && tag === "pPr") paragraph.indent = Number(attributes.marL) || paragraph.level;
      if (paragraph && tag === "buNone") paragraph.isBare = true;
      if (paragraph && tag === "br") paragraph.text += "\n";
      if (tag === "p") tail = "";
      if (tag === "r") run = { text: "", isRaised: false, isStruck: false, isBold: false };
      if (tag === "rPr" && run) {
        run.isRaised = Number(attributes.baseline) > 0;
        run.isBold = /^(?:1|true)$/.test(attributes.b ?? "");
        run.isStruck = /^(?:sng|dbl)Strike$/.test(attributes.strike ?? "");
      }
      inText = tag === "t";
    },
    text(text) {
      const paragraph = last();
      if (fallbacks > 0) return;
      if (math) math.text(text);
      else if (inText && run) run.text += text;
      else if (inText && paragraph) paragraph.text += text;
    },
    close(tag) {
      inText = false;
      if (tag === "Fallback") fallbacks--;
      if (fallbacks > 0) return;
      const paragraph = last();
      if (math) {
        math.close();
        if (tag !== "oMath") return;
        if (paragraph) paragraph.text += math.finish();
        math = undefined;
      }
      if (tag === "r" && run) {
        if (paragraph) paragraph.text += writeRun(run, tail);
        if (paragraph && run.text.trim() !== "") paragraph.isBold = run.isBold && paragraph.isBold !== false;
        tail = run.text || tail;
        run = undefined;
      }
      if (tag === "tc") {
        if (merged) rows?.at(-1)?.push({ ...cellOf(paragraphs), ...merged });
        paragraphs = [];
      }
      if (tag === "tbl" && rows) {
        slide.blocks.push({ kind: "table", rows });
        rows = undefined;
      }
      if (tag === "sp") endShape();
      if (tag === "pic" && description && !furniture.has(placeholder))
        slide.blocks.push({ kind: "text", text: description });
      if (tag === "pic") description = undefined;
    },
  });
  return slide;
}

function cellOf(paragraphs: Paragraph[]): GridCell {
  const said = paragraphs.filter(({ isBold }) => isBold !== undefined);
  return {
    text: paragraphs.map(({ text }) => text).join(" "),
    isBold: said.length > 0 && said.every(({ isBold }) => isBold),
    indent: said[0]?.indent ?? 0,
  };
}

interface Run {
  text: string;
  isBold: boolean;
  isRaised: boolean;
  isStruck: boolean;
}

/** @param before the words of the run before */
function writeRun({ text, isRaised, isStruck }: Run, before: string): string {
  const written = isRaised ? writeRaised(before, text) : text;
  return isStruck ? writeMarked("s", "", written) : written;
}

/** The speaker notes of a slide, as paragraphs. */
export async function readNotes(archive: Archive, part: string): Promise<string> {
  const paragraphs: string[] = [];
  let placeholder = "";
  let inText = false;
  await readXml(archive, part, {
    open(tag, attributes) {
      if (tag === "sp") placeholder = "";
      if (tag === "ph") placeholder = attributes.type ?? "";
      if (tag === "p") paragraphs.push("");
      inText = tag === "t" && placeholder === "body";
    },
    text(text) {
      if (inText) paragraphs.push((paragraphs.pop() ?? "") + text);
    },
    close() {
      inText = false;
    },
  });
  return paragraphs.filter((text) => text.trim() !== "").join("\n");
}

/** Several paragraphs in a bulleted placeholder form a list; a paragraph without a bullet stands alone. */
function blocksOf(paragraphs: Paragraph[], hasBullets: boolean): SlideBlock[] {
  const blocks: SlideBlock[] = [];
  for (const { text, level, isBare } of paragraphs) {
    const before = blocks.at(-1);
    if (!hasBullets || isBare || paragraphs.length === 1) blocks.push({ kind: "text", text });
    else if (before?.kind === "list") before.items.push({ text, level });
    else blocks.push({ kind: "list", items: [{ text, level }] });
  }
  return blocks;
}
