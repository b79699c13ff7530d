// A PDF that is opened at a quote, and its drawn page.
import { type RefObject, useEffect, useRef, useState } from "react";
import type { PDFDocumentProxy } from "unpdf/pdfjs";
import { getApi } from "../../client/call-api.ts";
import type { PdfPageProps } from "./PdfPage.tsx";
import { openPdf } from "./pdf-file.ts";
import { type Box, boxesOf, findQuote, type QuotedText } from "./pdf-quote.ts";

/** Phones refuse larger canvases. */
const MOST_PIXELS = 16_000_000;

export interface OpenedPdf {
  pdf: PDFDocumentProxy;
  quoted: QuotedText;
  /** The page on which the quote starts, or is expected to. */
  home: number;
}

/** Opens the file and finds the quote in it; null until then. */
export function useOpenedPdf({ file, pages, quote, onPages, onFailure }: PdfPageProps): OpenedPdf | null {
  const [opened, setOpened] = useState<OpenedPdf | null>(null);
  const failed = useRef(onFailure);
  failed.current = onFailure;
  const { id, teamId, size } = file;
  const likely = pages.join(" ");
  useEffect(() => {
    const reader = new AbortController();
    const { signal } = reader;
    const fail = () => signal.aborted || failed.current();
    (async () => {
      const { url } = await getApi("/v1/teams/{teamId}/files/{id}", { teamId, id });
      const pdf = await openPdf(url, size, { signal, onFailure: fail });
      const there = likely
        .split(" ")
        .map(Number)
        .filter((page) => page >= 1 && page <= pdf.numPages);
      const quoted = await findQuote(pdf, there, quote);
      if (signal.aborted) return;
      const [home = there[0] ?? 1] = quoted.keys();
      if (quoted.size > 0) onPages({ page: home, lastPage: Math.max(...quoted.keys()) });
      setOpened({ pdf, quoted, home });
    })().catch(fail);
    return () => reader.abort();
  }, [teamId, id, size, likely, quote, onPages]);
  return opened;
}

export interface Drawing {
  area: RefObject<HTMLDivElement | null>;
  canvas: RefObject<HTMLCanvasElement | null>;
  /** Of the page, in CSS pixels. */
  width: number;
  /** The quote on the drawn page; null until it is drawn. */
  marks: Box[] | null;
}

/**
 * Draws a page as wide as its area times the zoom, and scrolls to the quote.
 * @param shown the page's number.
 */
export function useDrawnPage(
  opened: OpenedPdf | null,
  shown: number,
  zoom: number,
  onFailure: () => void,
): Drawing {
  const area = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const available = useWidth(area);
  const [drawn, setDrawn] = useState<{ page: number; marks: Box[] } | null>(null);
  const failed = useRef(onFailure);
  failed.current = onFailure;
  const width = available * zoom;
  useEffect(() => {
    if (!opened || width === 0) return;
    const { pdf, quoted } = opened;
    let isOver = false;
    let stop: (() => void) | undefined;
    (async () => {
      const page = await pdf.getPage(Math.min(shown, pdf.numPages));
      const natural = page.getViewport({ scale: 1 });
      const cssScale = width / natural.width;
      const most = Math.sqrt(MOST_PIXELS / (natural.width * natural.height));
      const viewport = page.getViewport({ scale: Math.min(cssScale * devicePixelRatio, most) });
      const target = canvas.current;
      if (isOver || !target) return;
      target.width = Math.floor(viewport.width);
      target.height = Math.floor(viewport.height);
      const drawing = page.render({ canvas: target, viewport });
      stop = () => drawing.cancel();
      const marks = boxesOf(quoted.get(shown) ?? [], page.getViewport({ scale: cssScale }));
      await drawing.promise;
      if (isOver) return;
      setDrawn({ page: shown, marks });
      const [first] = marks;
      if (first && area.current) area.current.scrollTop = first.top - area.current.clientHeight / 3;
    })().catch(() => isOver || failed.current());
    return () => {
      isOver = true;
      stop?.();
    };
  }, [opened, shown, width]);
  return { area, canvas, width, marks: drawn?.page === shown ? drawn.marks : null };
}

/** The width of an element that may be resized, in CSS pixels; 0 before it is known. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
