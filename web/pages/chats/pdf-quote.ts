// Where a quote stands in a PDF: its runs of text, and their boxes on a drawn page.
import type { PageViewport, PDFDocumentProxy } from "unpdf/pdfjs";
import { quoteOnPage } from "./quote-on-page.ts";

/** A box on a page, in CSS pixels. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

type Run = Awaited<ReturnType<typeof textOf>>[number];

/** A run of text, and the quoted part of it. */
interface QuotedPart {
  run: Run;
  start: number;
  end: number;
}
/** The quoted parts by page; empty when the quote was not found. */
export type QuotedText = Map<number, QuotedPart[]>;

/** Finds the quote: on the first page that contains all of it, else across one of the pages and the next, else nowhere. */
export async function findQuote(pdf: PDFDocumentProxy, pages: number[], quote: string): Promise<QuotedText> {
  const read = new Map<number, Promise<Run[]>>();
  const runsOf = (page: number) => {
    const runs = read.get(page) ?? textOf(pdf, page);
    read.set(page, runs);
    return runs;
  };
  for (const follow of [[0], [0, 1]]) {
    for (const first of pages) {
      const those = follow.map((by) => first + by).filter((page) => page <= pdf.numPages);
      const runs = (
        await Promise.all(those.map(async (page) => (await runsOf(page)).map((run) => ({ page, run }))))
      ).flat();
      const parts = quoteOnPage(
        runs.map(({ run }) => run.str),
        quote,
      ).flatMap(({ piece, start, end }) => {
        const one = runs[piece];
        return one ? [{ ...one, start, end }] : [];
      });
      if (parts.length === 0) continue;
      const onPage = those.map((page) => [page, parts.filter((part) => part.page === page)] as const);
      return new Map(onPage.filter(([, some]) => some.length > 0));
    }
  }
  return new Map();
}

async function textOf(pdf: PDFDocumentProxy, number: number) {
  const { items } = await (await pdf.getPage(number)).getTextContent();
  return items.flatMap((item) => ("str" in item ? [item] : []));
}

/** Positions of the quote on a page, in CSS pixels: a box for each run of text. */
export function boxesOf(parts: QuotedPart[], viewport: PageViewport): Box[] {
  return parts.flatMap(({ run, start, end }) => {
    const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = run.transform as number[];
    const along = run.width / (Math.hypot(a, b) || 1);
    const up = (run.height || Math.hypot(c, d)) / (Math.hypot(c, d) || 1);
    const corners = [start, end].flatMap((offset) => {
      const part = (offset / run.str.length) * along;
      return [-0.2 * up, up].map((height) => {
        const point = viewport.convertToViewportPoint(x + a * part + c * height, y + b * part + d * height);
        return { x: Number(point[0]), y: Number(point[1]) };
      });
    });
    const [left, right] = [Math.min, Math.max].map((of) => of(...corners.map((corner) => corner.x)));
    const [top, bottom] = [Math.min, Math.max].map((of) => of(...corners.map((corner) => corner.y)));
    if (left === undefined || right === undefined || top === undefined || bottom === undefined) return [];
    return [{ left, top, width: right - left, height: bottom - top }];
  });
}
