// The state of the command palette: its entries, what the server finds for the typed text, and whether it can be asked.
import { useCallback, useEffect, useState } from "react";
import type { EndedPalette, Palette, PaletteItem } from "../../render/palette.ts";
import { pageHeaders } from "../call-api.ts";

const ASK_AFTER_MS = 150;

/** The session of the page's person has ended. */
class SessionEnd extends Error {
  override name = "SessionEnd";
  constructor(readonly palette: EndedPalette) {
    super(palette.title);
  }
}

/** Throws SessionEnd. */
async function load(query: string, signal?: AbortSignal): Promise<Palette> {
  const search = new URLSearchParams({ path: location.pathname, query });
  const answer = await fetch(`/palette.json?${search}`, { signal, headers: pageHeaders() });
  if (answer.status === 401) throw new SessionEnd((await answer.json()) as EndedPalette);
  if (!answer.ok) throw new Error(`The palette answered ${answer.status}`);
  return (await answer.json()) as Palette;
}

/** The previous list, shown at once while it is fetched again. */
let known: Palette | null = null;

export interface PaletteState {
  /** Null until it is loaded. */
  palette: Palette | null;
  /** Set once the session has ended. */
  ended: EndedPalette | null;
  /** True when the last call got no answer. */
  failed: boolean;
  /** The team's content for the typed text. */
  found: PaletteItem[];
  /** The text that was searched last. */
  foundFor: string;
}

/** @param text what is typed, without the spaces around it */
export function usePalette(text: string): PaletteState {
  const [palette, setPalette] = useState(known);
  const [ended, setEnded] = useState<EndedPalette | null>(null);
  const [failed, setFailed] = useState(false);
  const [found, setFound] = useState<{ text: string; items: PaletteItem[] }>({ text: "", items: [] });

  const receive = useCallback((next: Palette) => {
    known = next;
    setPalette(next);
    setFailed(false);
  }, []);
  const fail = useCallback((error: unknown) => {
    setFailed(true);
    if (!(error instanceof SessionEnd)) return;
    // Another person's list otherwise, once somebody else has logged in.
    known = null;
    setEnded(error.palette);
  }, []);

  useEffect(() => {
    load("").then(receive, fail);
  }, [receive, fail]);

  // Searches the team's content on the server. Further typing cancels the previous search.
  useEffect(() => {
    if (!text) return;
    const controller = new AbortController();
    const search = async () => {
      try {
        const next = await load(text, controller.signal);
        receive(next);
        setFound({ text, items: next.found });
      } catch (error) {
        if (controller.signal.aborted) return;
        setFound({ text, items: [] });
        fail(error);
      }
    };
    const timer = setTimeout(() => void search(), ASK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text, receive, fail]);

  // Results of another query are dropped, unless the reader is still typing the same word.
  const fits = text !== "" && found.text !== "" && text.startsWith(found.text);
  return { palette, ended, failed, found: fits ? found.items : [], foundFor: found.text };
}
