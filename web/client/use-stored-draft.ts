// A composer's draft, stored in this tab until its question has arrived.
import { useCallback, useEffect, useRef, useState } from "react";
import { ownInTab } from "./own-storage.ts";

interface StoredDraft {
  text: string;
  change(text: string): void;
  /** Empties the field. The text stays stored, since a sent question may not arrive. */
  empty(): void;
  /** The question has arrived: drops its text, and keeps what was typed since. */
  drop(): void;
  /** Types a text again that could not be sent, before what was typed since. */
  putBack(text: string): void;
  /** Stores the draft under another key from now on. */
  move(key: string): void;
}

/** @param first names the chat */
export function useStoredDraft(first: string): StoredDraft {
  const [text, setText] = useState("");
  const key = useRef(first);
  const typed = useRef("");
  const change = useCallback((next: string) => {
    typed.current = next;
    setText(next);
    if (next) ownInTab.set(key.current, next);
    else ownInTab.remove(key.current);
  }, []);
  useEffect(() => {
    const stored = ownInTab.get(key.current);
    // Text that was typed before hydration is newer.
    if (stored && !typed.current) change(stored);
  }, [change]);
  const empty = useCallback(() => {
    typed.current = "";
    setText("");
  }, []);
  const drop = useCallback(() => {
    if (!typed.current) ownInTab.remove(key.current);
  }, []);
  const putBack = useCallback(
    (unsent: string) => change([unsent, typed.current].filter(Boolean).join("\n")),
    [change],
  );
  const move = useCallback((next: string) => {
    const stored = ownInTab.get(key.current);
    ownInTab.remove(key.current);
    key.current = next;
    if (stored) ownInTab.set(next, stored);
  }, []);
  return { text, change, empty, drop, putBack, move };
}
