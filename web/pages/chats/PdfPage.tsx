// A rendered page of a PDF, with the quote marked on it. Screen readers get the text next to it. Loaded when a PDF is
// first cited.
import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "#translations";
import { IconButton } from "../../ui/IconButton.tsx";
import { ScrollArea } from "../../ui/ScrollArea.tsx";
import { useDrawnPage, useOpenedPdf } from "./use-pdf-page.ts";

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

const ZOOMS = [1, 1.5, 2, 3];

export function PdfPage(props: PdfPageProps) {
  const { t } = useTranslation("passages");
  const opened = useOpenedPdf(props);
  const home = opened?.home ?? props.pages[0] ?? 1;
  /** The page that the reader turned to; null for the one with the quote. */
  const [turned, setTurned] = useState<number | null>(null);
  const shown = turned ?? home;
  const [zoom, setZoom] = useState(0);
  const { area, canvas, width, marks } = useDrawnPage(opened, shown, ZOOMS[zoom] ?? 1, props.onFailure);

  const numPages = opened?.pdf.numPages;
  const last = Math.max(home, ...(opened?.quoted.keys() ?? []));
  const turn = (by: number) => {
    if (numPages) setTurned(Math.min(numPages, Math.max(1, shown + by)));
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
      isOff: !numPages || shown >= numPages,
    },
    { label: t("evidence.zoomOut"), Icon: ZoomOut, act: () => scale(-1), isOff: zoom === 0 },
    { label: t("evidence.zoomIn"), Icon: ZoomIn, act: () => scale(1), isOff: zoom === ZOOMS.length - 1 },
  ];
  return (
    <>
      <div className="flex items-center gap-1 border-line border-b px-2 py-1">
        <p className="flex-1 px-2 text-muted text-xs" role="status">
          {t("evidence.pageOf", { page: shown, total: numPages ?? "…" })}
          {opened?.quoted.size === 0 && shown === home && ` · ${t("evidence.unmarked")}`}
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
        <div className="relative" style={{ width }}>
          <canvas
            ref={canvas}
            role="img"
            aria-label={marks && marks.length > 0 ? props.quote : t("wholePage", { page: shown })}
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
