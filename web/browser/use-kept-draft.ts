// What is being written in a composer, kept in this tab until it is sent.
import { useCallback, useEffect, useState } from "react";
import { inTab } from "./storage.ts";

/** @param key names the conversation; null keeps nothing */
export function useKeptDraft(key: string | null): [string, (text: string) => void] {
  const [text, setText] = useState("");
  useEffect(() => {
    const kept = key === null ? null : inTab.get(key);
    // What was typed before the page came alive is newer.
    if (kept) setText((now) => now || kept);
  }, [key]);
  const change = useCallback(
    (next: string) => {
      setText(next);
      if (key === null) return;
      if (next) inTab.set(key, next);
      else inTab.remove(key);
    },
    [key],
  );
  return [text, change];
}
