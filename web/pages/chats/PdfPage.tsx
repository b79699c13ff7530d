// A rendered page of a PDF, with the quote marked on it. Screen readers get the text next to it. Loaded when a PDF is
// first cited.
import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { PageViewport, PDFDocumentProxy } from "unpdf/pdfjs";
import { useTranslation } from "#translations";
import { getApi } from "../../client/call-api.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { ScrollArea } from "../../ui/ScrollArea.tsx";
import { openPdf } from "./pdf-file.ts";
import { quoteOnPage } from "./quote-on-page.ts";

export interface PdfPageProps {
  file: { id: string; teamId: string; size: number };
  /** Pages that may contain the quote, the likeliest first. */
  pages: number[];
  quote: string;
  /** Called with the pages where the quote was found. */
  onPages(pages: QuotedPages): void;
  /** Called when the page cannot be shown; the text is shown instead. */
  onFailure(): void;
}

export interface QuotedPages {
  page: number;
  /** The quote may end on the next page. */
  lastPage: number;
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const ZOOMS = [1, 1.5, 2, 3];
/** Phones refuse larger canvases. */
const MOST_PIXELS = 16_000_000;

export function PdfPage({ file, pages, quote, onPages, onFailure }: PdfPageProps) {
  const { t } = useTranslation("passages");
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null);
  /** The quoted parts by page; empty when the quote was not found. */
  const [quoted, setQuoted] = useState<QuotedText>(new Map());
  /** The page on which the quote starts, or is expected to, and the page that is shown. */
  const [home, setHome] = useState(pages[0] ?? 1);
  const [shown, setShown] = useState(home);
  const [zoom, setZoom] = useState(0);
  const [width, setWidth] = useState(0);
  const [marks, setMarks] = useState<Box[] | null>(null);
  const area = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
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
      const opened = await openPdf(url, size, { signal, onFailure: fail });
      const there = likely
        .split(" ")
        .map(Number)
        .filter((page) => page >= 1 && page <= opened.numPages);
      const found = await quotedText(opened, there, quote);
      if (signal.aborted) return;
      const [first = there[0] ?? 1] = found.keys();
      if (found.size > 0) onPages({ page: first, lastPage: Math.max(...found.keys()) });
      setQuoted(found);
      setHome(first);
      setShown(first);
      setPdf(opened);
    })().catch(fail);
    return () => reader.abort();
  }, [teamId, id, size, likely, quote, onPages]);

  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (!pdf || width === 0) return;
    let isOver = false;
    let stop: (() => void) | undefined;
    (async () => {
      const one = await pdf.getPage(Math.min(shown, pdf.numPages));
      const natural = one.getViewport({ scale: 1 });
      const cssScale = (width * (ZOOMS[zoom] ?? 1)) / natural.width;
      const most = Math.sqrt(MOST_PIXELS / (natural.width * natural.height));
      const viewport = one.getViewport({ scale: Math.min(cssScale * devicePixelRatio, most) });
      const target = canvas.current;
      if (isOver || !target) return;
      target.width = Math.floor(viewport.width);
      target.height = Math.floor(viewport.height);
      const drawing = one.render({ canvas: target, viewport });
      stop = () => drawing.cancel();
      const found = boxesOf(quoted.get(shown) ?? [], one.getViewport({ scale: cssScale }));
      await drawing.promise;
      if (isOver) return;
      setMarks(found);
      const [first] = found;
      if (first && area.current) area.current.scrollTop = first.top - area.current.clientHeight / 3;
    })().catch(() => isOver || failed.current());
    return () => {
      isOver = true;
      stop?.();
    };
  }, [pdf, shown, quoted, zoom, width]);

  const last = Math.max(home, ...quoted.keys());
  const turn = (by: number) => {
    if (!pdf) return;
    setMarks(null);
    setShown(Math.min(pdf.numPages, Math.max(1, shown + by)));
  };
  const scale = (by: number) => setZoom(Math.min(ZOOMS.length - 1, Math.max(0, zoom + by)));
  function onKeyDown(event: KeyboardEvent) {
    const act = {
      "+": () => scale(1),
      "=": () => scale(1),
      "-": () => scale(-1),
      PageDown: () => turn(1),
      PageUp: () => turn(-1),
    }[event.key];
    if (!act || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  }
  const controls = [
    { label: t("evidence.previousPage"), Icon: ChevronLeft, act: () => turn(-1), isOff: shown <= 1 },
    {
      label: t("evidence.nextPage"),
      Icon: ChevronRight,
      act: () => turn(1),
      isOff: !pdf || shown >= pdf.numPages,
    },
    { label: t("evidence.zoomOut"), Icon: ZoomOut, act: () => scale(-1), isOff: zoom === 0 },
    { label: t("evidence.zoomIn"), Icon: ZoomIn, act: () => scale(1), isOff: zoom === ZOOMS.length - 1 },
  ];
  return (
    <>
      <div className="flex items-center gap-1 border-line border-b px-2 py-1">
        <p className="flex-1 px-2 text-muted text-xs" role="status">
          {t("evidence.pageOf", { page: shown, total: pdf?.numPages ?? "…" })}
          {pdf && quoted.size === 0 && shown === home && ` · ${t("evidence.unmarked")}`}
          {marks && shown === home && last > home && ` · ${t("evidence.continues", { page: last })}`}
        </p>
        {controls.map(({ label, Icon, act, isOff }) => (
          <IconButton key={label} label={label} aria-disabled={isOff} onClick={() => isOff || act()}>
            <Icon aria-hidden className="size-4" />
          </IconButton>
        ))}
      </div>
      <ScrollArea
        ref={area}
        role="region"
        tabIndex={0}
        aria-label={t("evidence.drawnPage", { page: shown })}
        aria-busy={marks === null}
        onKeyDown={onKeyDown}
        className="min-h-0 flex-1 bg-sunken"
      >
        <div className="relative" style={{ width: width * (ZOOMS[zoom] ?? 1) }}>
          <canvas
            ref={canvas}
            role="img"
            aria-label={marks && marks.length > 0 ? quote : t("wholePage", { page: shown })}
            className="block h-auto w-full bg-white"
          />
          {marks?.map((box) => (
            <span
              key={`${box.left} ${box.top}`}
              aria-hidden
              data-quoted
              className="absolute rounded-xs bg-marker mix-blend-multiply"
              style={box}
            />
          ))}
        </div>
      </ScrollArea>
    </>
  );
}

type Run = Awaited<ReturnType<typeof textOf>>[number];

/** A run of text, and the quoted part of it. */
interface QuotedPart {
  run: Run;
  start: number;
  end: number;
}
type QuotedText = Map<number, QuotedPart[]>;

/** Finds the quote: on the first page that contains all of it, else across one of the pages and the next, else nowhere. */
async function quotedText(pdf: PDFDocumentProxy, pages: number[], quote: string): Promise<QuotedText> {
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
function boxesOf(parts: QuotedPart[], viewport: PageViewport): Box[] {
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
