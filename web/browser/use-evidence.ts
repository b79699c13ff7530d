// Which source of which reply is shown beside the conversation, and the mark that it was opened from. One for each conversation.
import { createContext, useCallback, useContext, useMemo, useRef, useState } from "react";

export type EvidenceTab = "sources" | "why";

export interface ShownEvidence {
  messageId: string;
  tab: EvidenceTab;
  /** The citation, by the n of its mark in the reply's text; null for the first. */
  index: number | null;
}

export interface EvidenceControl {
  shown: ShownEvidence | null;
  /** Shows a source, or why a reply is what it is. The focus comes back to `opener` when the pane closes. */
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
    // Once the sheet is gone, behind which nothing takes the focus. The row may have been rendered anew since.
    requestAnimationFrame(() => opener.current?.isConnected && opener.current.focus({ preventScroll: true }));
  }, []);
  return useMemo(() => ({ shown, show, close }), [shown, show, close]);
}

const none: EvidenceControl = { shown: null, show: () => undefined, close: () => undefined };
const EvidenceContext = createContext<EvidenceControl>(none);
export const EvidenceProvider = EvidenceContext.Provider;
export const useEvidence = (): EvidenceControl => useContext(EvidenceContext);
