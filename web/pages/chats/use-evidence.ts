// The source of a reply that is shown next to the chat, and the mark that opened it. One per chat.
import { createContext, useCallback, useContext, useMemo, useRef, useState } from "react";

export type EvidenceTab = "sources" | "why";

export interface ShownEvidence {
  messageId: string;
  tab: EvidenceTab;
  /** The n of the citation's mark in the reply's text; null for the first. */
  index: number | null;
}

export interface EvidenceControl {
  shown: ShownEvidence | null;
  /** Shows a source, or the passages behind a reply. Focus returns to `opener` when the pane closes. */
  show(evidence: ShownEvidence, opener?: HTMLElement): void;
  close(): void;
}

export function useEvidenceControl(): EvidenceControl {
  const [shown, setShown] = useState<ShownEvidence | null>(null);
  const opener = useRef<HTMLElement>(undefined);
  const show = useCallback((evidence: ShownEvidence, from?: HTMLElement) => {
    if (from) opener.current = from;
    setShown(evidence);
  }, []);
  const close = useCallback(() => {
    setShown(null);
    // After the sheet has closed, since nothing behind it can take focus. The row may have been rendered again since.
    requestAnimationFrame(() => opener.current?.isConnected && opener.current.focus({ preventScroll: true }));
  }, []);
  return useMemo(() => ({ shown, show, close }), [shown, show, close]);
}

const none: EvidenceControl = { shown: null, show: () => undefined, close: () => undefined };
const EvidenceContext = createContext<EvidenceControl>(none);
export const EvidenceProvider = EvidenceContext.Provider;
export const useEvidence = (): EvidenceControl => useContext(EvidenceContext);
