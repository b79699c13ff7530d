// Where a reader is in a chat: at its end, which is followed while text comes in, or further up, where the rows in view stay
// in place when older ones are inserted above them.
import { type UIEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ChatState } from "./use-chat.ts";

// useLayoutEffect warns when it is rendered on the server.
const useBrowserLayoutEffect = typeof window === "undefined" ? useEffect : useLayoutEffect;
const NEAR_END_PX = 80;

/** Browsers tell screen readers of new rows some frames after these are there. */
const MUTED_MS = 1_000;

/** A screen reader would read each page of older messages aloud. */
function mute(log: Element): void {
  log.ariaLive = "off";
  setTimeout(() => log.removeAttribute("aria-live"), MUTED_MS);
}

/**
 * For the scrolled element: its ref and scroll handler, whether its reader is away from the end, and how to go there.
 * `keepEnd` is called after something else than a message was added at the end.
 */
export function useReadingPosition(messages: ChatState["messages"], live: ChatState["live"]) {
  const scroller = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const [isAway, setAway] = useState(false);

  /** The first row and its position, so that rows inserted above do not move it. */
  const firstRow = useRef<{ element: Element; top: number } | null>(null);
  const keepFirstRow = useCallback(() => {
    const element = scroller.current?.querySelector("[data-message]");
    firstRow.current = element ? { element, top: element.getBoundingClientRect().top } : null;
  }, []);

  const toEnd = useCallback(() => {
    isFollowing.current = true;
    setAway(false);
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
    // The button goes.
    scroller.current?.focus({ preventScroll: true });
  }, []);

  const keepEnd = useCallback(() => {
    const { current: element } = scroller;
    if (element && isFollowing.current) element.scrollTop = element.scrollHeight;
  }, []);

  const onScroll = useCallback(
    ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }: UIEvent<HTMLElement>) => {
      isFollowing.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
      setAway(!isFollowing.current);
      keepFirstRow();
    },
    [keepFirstRow],
  );

  const asked = messages.findLast(({ role }) => role === "user")?.id;
  const askedBefore = useRef(asked);
  useBrowserLayoutEffect(() => {
    const { current: element } = scroller;
    if (!element) return;
    // After asking, the reader sees the answer.
    if (asked === "pending" && askedBefore.current !== asked) isFollowing.current = true;
    askedBefore.current = asked;
    // The greeting is read from its start.
    if (messages.length === 0 && !live) return;
    const { current: first } = firstRow;
    const isOlder = first?.element.isConnected && element.querySelector("[data-message]") !== first.element;
    if (isOlder) mute(element);
    if (isFollowing.current) element.scrollTop = element.scrollHeight;
    else if (isOlder) element.scrollTop += first.element.getBoundingClientRect().top - first.top;
    keepFirstRow();
  }, [messages, live, asked, keepFirstRow]);

  return { scroller, isAway, onScroll, toEnd, keepEnd };
}
