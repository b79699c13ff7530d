// Ctrl+P in a long chat: loads all of it before the browser prints, which would only print what is loaded.
import { useEffect, useState } from "react";
import type { ChatState } from "./use-chat.ts";

/** @returns whether the rest is being loaded to be printed */
export function usePrinting({ hasOlder, loadOlder, messages }: ChatState): boolean {
  const [isAsked, setIsAsked] = useState(false);
  useEffect(() => {
    if (!hasOlder) return;
    const onKey = (event: KeyboardEvent) => {
      const isPrint = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "p";
      if (!isPrint || event.shiftKey || event.altKey) return;
      event.preventDefault();
      setIsAsked(true);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [hasOlder]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that arrives asks for the next
  useEffect(() => {
    if (!isAsked) return;
    if (hasOlder) {
      void loadOlder().then((isLoaded) => isLoaded || setIsAsked(false));
      return;
    }
    setIsAsked(false);
    print();
  }, [isAsked, hasOlder, loadOlder, messages.length]);
  return isAsked;
}
