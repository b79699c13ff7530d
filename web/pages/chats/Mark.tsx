// The mark of a source in a reply. Shows the source in a small card on hover and focus, and opens it next to the chat.
import { type RefObject, useCallback, useEffect, useId, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "#translations";
import { Button } from "../../ui/Button.tsx";
import { CitedWords } from "./CitedWords.tsx";
import type { Citation } from "./chat.ts";
import type { CitedSource } from "./cited-sources.ts";
import { useEvidence } from "./use-evidence.ts";
import { usePlaceWords } from "./use-place-words.ts";

const OPEN_MS = 150;
/** Time for the pointer to move from the mark to its card. */
const CLOSE_MS = 150;
const GAP_PX = 6;
const MARGIN_PX = 8;

/** For every mark, including one that opens nothing yet, so that nothing moves when it does. */
export const markLook =
  "min-w-5 rounded-sm bg-accent-soft px-1 font-medium font-mono text-accent-ink text-xs leading-5";

export interface MarkProps {
  messageId: string;
  source: CitedSource;
  citation: Citation;
}

export function Mark({ messageId, source, citation }: MarkProps) {
  const { t } = useTranslation("chat");
  const { shown, show } = useEvidence();
  const isShown = shown?.messageId === messageId && shown.tab === "sources" && shown.index === citation.index;
  const id = useId();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const set = useCallback((next: boolean, afterMs: number) => {
    clearTimeout(timer.current);
    if (afterMs > 0) timer.current = setTimeout(() => setOpen(next), afterMs);
    else setOpen(next);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <sup className="mx-0.5">
      <Button
        variant="bare"
        ref={button}
        type="button"
        data-citation={citation.index}
        aria-label={t("mark", { index: source.number, title: citation.title })}
        aria-haspopup="dialog"
        aria-expanded={isShown}
        aria-describedby={open ? id : undefined}
        onClick={({ currentTarget }) => {
          set(false, 0);
          show({ messageId, tab: "sources", index: citation.index }, currentTarget);
        }}
        onPointerEnter={({ pointerType }) => pointerType !== "touch" && set(true, OPEN_MS)}
        onPointerLeave={() => set(false, CLOSE_MS)}
        onFocus={({ currentTarget }) => currentTarget.matches(":focus-visible") && set(true, 0)}
        onBlur={() => set(false, 0)}
        className={`${markLook} hover:bg-accent hover:text-on-accent aria-expanded:bg-accent aria-expanded:text-on-accent`}
      >
        {source.number}
      </Button>
      {open && <Card id={id} source={source} citation={citation} at={button} set={set} />}
    </sup>
  );
}

interface CardProps extends Omit<MarkProps, "messageId"> {
  id: string;
  at: RefObject<HTMLElement | null>;
  set(open: boolean, afterMs: number): void;
}

/**
 * In the top layer, so that no scroll area clips it, and outside the log, which would announce it as a message. The
 * pointer may enter it, to read or select.
 */
function Card({ id, source, citation, at, set }: CardProps) {
  const place = usePlaceWords()(source);
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current: element } = card;
    const { current: mark } = at;
    if (!element || !mark) return;
    element.showPopover();
    const { left, bottom, top, width } = mark.getBoundingClientRect();
    const size = element.getBoundingClientRect();
    const below = bottom + GAP_PX;
    const fits = below + size.height + MARGIN_PX <= innerHeight;
    element.style.top = `${Math.max(MARGIN_PX, fits ? below : top - GAP_PX - size.height)}px`;
    element.style.left = `${Math.max(MARGIN_PX, Math.min(left + width / 2 - size.width / 2, innerWidth - size.width - MARGIN_PX))}px`;
    const close = () => set(false, 0);
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      // Closes only the card: Escape would otherwise stop the reply or close the widget too.
      event.preventDefault();
      event.stopImmediatePropagation();
      close();
    };
    addEventListener("keydown", onKey, { capture: true });
    addEventListener("scroll", close, { capture: true, passive: true });
    return () => {
      removeEventListener("keydown", onKey, { capture: true });
      removeEventListener("scroll", close, { capture: true });
    };
  }, [at, set]);
  return createPortal(
    <div
      ref={card}
      id={id}
      role="tooltip"
      popover="manual"
      onPointerEnter={() => set(true, 0)}
      onPointerLeave={() => set(false, CLOSE_MS)}
      className="fixed inset-auto m-0 w-80 max-w-[calc(100vw-1rem)] rounded-md border border-line bg-raised p-3 text-ink text-sm leading-5 shadow-popover"
    >
      <p className="flex items-baseline gap-2">
        <span className="font-mono text-accent-ink text-xs">{source.number}</span>
        <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
          {citation.title}
        </span>
      </p>
      {place && (
        <p dir="auto" className="truncate text-muted text-xs">
          {place}
        </p>
      )}
      <div className="mt-2 max-h-48 overflow-hidden">
        <CitedWords citation={citation} short />
      </div>
    </div>,
    document.body,
  );
}
