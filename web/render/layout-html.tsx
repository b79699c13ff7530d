// Owns the HTML around the main region. A layout is a pure function of its frame, so its HTML is rendered once per
// frame and cached. The key is everything that it can show, the reader's name included, so nobody gets another reader's
// frame.
import { createHash } from "node:crypto";
import type { ReactNode } from "react";
import { type LayoutName, layouts } from "../layouts/layouts.ts";
import type { Frame } from "./render-context.tsx";

/** Frames in the cache; each is about 15 kB. */
const MOST_KEPT = 400;
/** Placeholder for the main region's HTML. React writes no such comment, and escapes users' text. */
export const MAIN_MARK = "<!--main-->";

const kept = new Map<string, { before: string; after: string }>();

/** The layout's HTML around `mainHtml`. @param render renders a layout to HTML, with MAIN_MARK as its main region */
export function layoutHtml(
  name: LayoutName,
  frame: Frame,
  mainHtml: string,
  render: (node: ReactNode) => string,
): string {
  const key = `${name} ${JSON.stringify(frame)}`;
  const { before, after } = kept.get(key) ?? renderLayout(name, render);
  kept.delete(key);
  kept.set(key, { before, after });
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return before + mainHtml + after;
}

function renderLayout(name: LayoutName, render: (node: ReactNode) => string) {
  const Layout = layouts[name];
  const [before, after, ...more] = render(<Layout />).split(MAIN_MARK);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`The layout ${name} must hold exactly one MainRegion`);
  return { before, after };
}

/** A key for everything that the layout shows except the current entry. When it changes, the browser must load the document. */
export function layoutKey(name: LayoutName, { current: _current, isMac: _isMac, ...frame }: Frame): string {
  return `${name}-${createHash("sha256").update(JSON.stringify(frame)).digest("base64url").slice(0, 12)}`;
}
