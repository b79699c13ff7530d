// Reads what lies over a PDF's page (ISO 32000-1, 12.5): the values of a form, and text typed onto the page. Notes that a reader has to open
// are comments, which are only counted.
import type { TextRun } from "./pdf-lines.ts";

/** What pdf.js says of an annotation, as far as it is used. */
export interface Annotation {
  subtype?: string;
  rect?: number[];
  annotationFlags?: number;
  contentsObj?: { str?: string };
  fieldType?: string | null;
  fieldValue?: unknown;
  buttonValue?: unknown;
  exportValue?: unknown;
  checkBox?: boolean;
  radioButton?: boolean;
  password?: boolean;
}

const hidden = 2 | 32;
const comments = new Set([
  "Text",
  "Highlight",
  "Underline",
  "Squiggly",
  "StrikeOut",
  "Caret",
  "Ink",
  "Stamp",
]);
const usualSize = 10;
/** Annotations whose line is looked for among all of the page's text; further ones are lines of their own. */
const mostPlaced = 1000;

/** The number of comments with words. */
export const countNotes = (annotations: Annotation[]): number =>
  annotations.filter(({ subtype = "", contentsObj }) => comments.has(subtype) && contentsObj?.str?.trim())
    .length;

/** The words over a page, each on the line of the page's own text that it lies beside. */
export function runsOver(annotations: Annotation[], runs: TextRun[]): TextRun[] {
  return annotations.flatMap((annotation, i) => {
    const [left = 0, bottom = 0, right = 0, top = 0] = annotation.rect ?? [];
    const words = (annotation.annotationFlags ?? 0) & hidden ? "" : wordsOf(annotation);
    const lines = words.split(/\r\n?|\n/).filter((line) => line.trim() !== "");
    if (lines.length === 0) return [];
    const beside = lines.length > 1 || i >= mostPlaced ? undefined : lineBeside(runs, bottom, top);
    const size = beside?.height || usualSize;
    const first = beside?.transform[5] ?? (lines.length > 1 ? top - size : (bottom + top - 0.7 * size) / 2);
    return lines.map((str, at): TextRun => {
      const width = Math.min(right - left, 0.5 * size * str.length);
      return {
        str,
        hasEOL: true,
        height: size,
        width,
        transform: [size, 0, 0, size, left, first - 1.2 * size * at],
      };
    });
  });
}

function wordsOf({ subtype, contentsObj, fieldType, fieldValue, password, ...button }: Annotation): string {
  if (subtype === "FreeText") return contentsObj?.str ?? "";
  if (subtype !== "Widget" || password) return "";
  if (fieldType === "Btn") {
    if (!button.checkBox && !button.radioButton) return "";
    const own = button.radioButton ? button.buttonValue : button.exportValue;
    return fieldValue !== "Off" && fieldValue === own ? "[x]" : "[ ]";
  }
  const values: unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
  return values.filter((value) => typeof value === "string").join(", ");
}

/** The run whose base line crosses a field's height, nearest to where the field's own would be. */
function lineBeside(runs: TextRun[], bottom: number, top: number): TextRun | undefined {
  const base = bottom + 0.3 * (top - bottom);
  const distance = ({ transform }: TextRun) => Math.abs((transform[5] ?? 0) - base);
  return runs
    .filter(
      ({ str, transform: [, b = 0, , , , y = 0] }) =>
        str.trim() !== "" && b === 0 && y > bottom - 2 && y < top,
    )
    .sort((a, b) => distance(a) - distance(b))[0];
}
