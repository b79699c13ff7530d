// Reads the headers and footers that a Word document shows (ECMA-376, part 1, 17.10). Former ones stay in the file.
import type { Archive } from "./archive.ts";
import type { Letterhead } from "./letterhead.ts";
import type { Relation } from "./office.ts";
import { readXml } from "./xml.ts";

/** What a reader finds on the page, and changes from page to page or from day to day. */
const passing = /^\s*(?:PAGE|NUMPAGES|SECTION|SECTIONPAGES|FILENAME|DATE|TIME|PRINTDATE|SAVEDATE)\b/i;
/** Not shown, or shown a second time. */
const skipped = new Set(["Fallback", "del", "moveFrom"]);
const reference = /<(\/?)w:(headerReference|footerReference|titlePg|sectPr)\b([^<>]*)>/g;

/** The ids of the headers and footers of a document's sections, headers first. */
export function headersIn(document: string, hasEvenPages: boolean): string[] {
  const shown = { headerReference: new Set<string>(), footerReference: new Set<string>() };
  let section: { kind: keyof typeof shown; id: string; type: string }[] = [];
  let hasFirstPage = false;
  for (const [, closing, tag, attributes = ""] of document.matchAll(reference)) {
    if (tag === "titlePg") hasFirstPage = !/\bw:val="(?:0|false|off)"/.test(attributes);
    else if (tag === "headerReference" || tag === "footerReference") {
      const id = /\br:id="([^"]*)"/.exec(attributes)?.[1] ?? "";
      section.push({ kind: tag, id, type: /\bw:type="(\w*)"/.exec(attributes)?.[1] ?? "" });
    } else if (closing) {
      for (const { kind, id, type } of section)
        if ((type !== "first" || hasFirstPage) && (type !== "even" || hasEvenPages)) shown[kind].add(id);
      section = [];
      hasFirstPage = false;
    }
  }
  return [...shown.headerReference, ...shown.footerReference];
}

/** True when even pages have headers of their own. */
export async function hasEvenHeaders(archive: Archive): Promise<boolean> {
  let has = false;
  await readXml(archive, "word/settings.xml", {
    open(tag, attributes) {
      if (tag === "evenAndOddHeaders") has = !/^(?:0|false|off)$/.test(attributes["w:val"] ?? "");
    },
  });
  return has;
}

export async function readHeaders(
  archive: Archive,
  relations: Map<string, Relation>,
  ids: string[],
  letterhead: Letterhead,
): Promise<void> {
  const parts = new Set(ids.flatMap((id) => relations.get(id)?.part ?? []));
  for (const part of parts) await readHeader(archive, part, letterhead);
}

async function readHeader(archive: Archive, part: string, letterhead: Letterhead): Promise<void> {
  /** The open fields: the code, then what is shown of it. */
  const fields: { code: string; isShown: boolean; isPassing: boolean }[] = [];
  let passingFields = 0;
  let depth = 0;
  let skippedFrom = 0;
  let runFrom = 0;
  let isHidden = false;
  let tagOfText = "";
  await readXml(archive, part, {
    open(tag, attributes) {
      depth++;
      if (skippedFrom) return;
      // A template's "[Type here]" is in the content behind this mark.
      if (skipped.has(tag)) skippedFrom = depth;
      else if (tag === "showingPlcHdr") skippedFrom = depth - 2;
      else if (tag === "p") letterhead.openParagraph();
      else if (tag === "fldSimple" && passing.test(attributes["w:instr"] ?? "")) {
        letterhead.addPageNumber();
        skippedFrom = depth;
      } else if (tag === "r") {
        runFrom = depth;
        isHidden = false;
      } else if (tag === "vanish") isHidden = !/^(?:0|false|off)$/.test(attributes["w:val"] ?? "");
      else if (tag === "fldChar") openField(attributes["w:fldCharType"]);
      else if (depth === runFrom + 1 && passingFields === 0) {
        if (tag === "tab" || tag === "ptab") letterhead.add("\t");
        if (tag === "br" || tag === "cr") letterhead.add("\n");
      }
      tagOfText = tag;
    },
    text(text) {
      if (skippedFrom) return;
      const field = fields.at(-1);
      if (tagOfText === "instrText" && field && !field.isShown) field.code += text;
      else if (tagOfText === "t" && !isHidden && passingFields === 0) letterhead.add(text);
    },
    close(tag) {
      const closed = depth--;
      tagOfText = "";
      if (skippedFrom) {
        if (skippedFrom === closed) skippedFrom = 0;
      } else if (tag === "p") letterhead.closeParagraph();
    },
  });

  function openField(type: string | undefined): void {
    if (type === "begin") fields.push({ code: "", isShown: false, isPassing: false });
    const field = fields.at(-1);
    if (!field) return;
    if (!field.isShown && type !== "begin") {
      field.isShown = true;
      field.isPassing = passing.test(field.code);
      if (field.isPassing) passingFields++;
    }
    if (type !== "end") return;
    fields.pop();
    if (!field.isPassing) return;
    passingFields--;
    letterhead.addPageNumber();
  }
}
