// A chat and its evidence: next to it when there is room, over it as a sheet otherwise.
import {
  type KeyboardEvent,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "#translations";
import { lazyPart } from "../../client/lazy-part.tsx";
import type { ChatMessage, Citation } from "./chat.ts";
import { type EvidenceControl, EvidenceProvider, useEvidenceControl } from "./use-evidence.ts";

// Most readers never open it, so its code loads when it is first opened.
const EvidencePane = lazyPart(async () => (await import("./EvidencePane.tsx")).EvidencePane);

/** Below this width the chat keeps the whole width. */
const ROOM_PX = 704;

export interface WithEvidenceProps {
  chatId: string | null;
  messages: ChatMessage[];
  /** Address of a team's source, with {sourceId} as placeholder; null for readers outside the team. */
  sourceAddress: string | null;
  /** Whether the reader may see the documents and the passages behind each reply. */
  explains: boolean;
  /** The view's own container for the pane, used while it is visible. */
  place?: EvidencePlace;
  children: ReactNode;
}

export interface EvidencePlace {
  control: EvidenceControl;
  element: HTMLElement | null;
}

export function WithEvidence(props: WithEvidenceProps) {
  const { chatId, messages, sourceAddress, explains, place, children } = props;
  const own = useEvidenceControl();
  const control = place?.control ?? own;
  const box = useRef<HTMLDivElement>(null);
  const [hasRoom, setHasRoom] = useState(true);
  const documentHref = useCallback(
    ({ sourceId, documentId, quote }: Citation) =>
      sourceAddress && sourceId
        ? `${sourceAddress.replace("{sourceId}", sourceId)}/documents/${documentId}?${new URLSearchParams({ quote })}#quote`
        : null,
    [sourceAddress],
  );
  useEffect(() => {
    const element = place ? place.element : box.current;
    if (!element) return;
    // A hidden container has no width.
    const least = place ? 1 : ROOM_PX;
    const observer = new ResizeObserver(() => setHasRoom(element.clientWidth >= least));
    observer.observe(element);
    return () => observer.disconnect();
  }, [place]);
  const { shown } = control;
  const message = shown && messages.find(({ id }) => id === shown.messageId);
  return (
    <EvidenceProvider value={control}>
      <div ref={box} className="flex min-h-0 min-w-0 flex-1">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">{children}</div>
        {shown && message && (
          <Frame isSheet={!hasRoom} place={place?.element ?? null} control={control}>
            <Suspense fallback={<div aria-busy="true" className="skeleton m-4 h-24" />}>
              <EvidencePane
                explainIn={explains ? chatId : null}
                message={message}
                shown={shown}
                control={control}
                documentHref={documentHref}
              />
            </Suspense>
          </Frame>
        )}
      </div>
    </EvidenceProvider>
  );
}

interface FrameProps {
  isSheet: boolean;
  place: HTMLElement | null;
  control: EvidenceControl;
  children: ReactNode;
}

function Frame({ isSheet, place, control, children }: FrameProps) {
  const { t } = useTranslation("passages");
  const sheet = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isSheet) sheet.current?.showModal();
  }, [isSheet]);
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    // Closes only the pane: Escape would otherwise stop the reply or close the widget too.
    event.preventDefault();
    event.stopPropagation();
    control.close();
  }
  if (isSheet) {
    return (
      <dialog
        ref={sheet}
        aria-label={t("evidence.title")}
        onKeyDown={onKeyDown}
        onCancel={(event) => {
          event.preventDefault();
          control.close();
        }}
        onClick={({ target, currentTarget }) => target === currentTarget && control.close()}
        className="mx-auto mt-auto mb-0 h-[85dvh] max-h-none w-full max-w-2xl flex-col rounded-t-lg border border-line border-b-0 bg-ground p-0 shadow-popover backdrop:bg-black/40 open:flex"
      >
        {children}
      </dialog>
    );
  }
  const aside = (
    <aside
      aria-label={t("evidence.title")}
      onKeyDown={onKeyDown}
      className={`flex min-h-0 flex-col bg-ground ${place ? "flex-1" : "w-[42%] max-w-md shrink-0 border-line border-l"}`}
    >
      {children}
    </aside>
  );
  return place ? createPortal(aside, place) : aside;
}
