// Owns the HTML around the main region. A layout is a pure function of its frame, so it is rendered once for each and kept: the key is
// everything that it may show, the reader's name included, so nobody gets a frame that is not theirs.
import { createHash } from "node:crypto";
import type { ReactNode } from "react";
import { type LayoutName, layouts } from "../layouts/layouts.ts";
import type { Frame } from "./render-context.tsx";

/** The frames of the readers of a while; each is some 15 kB. */
const MOST_KEPT = 400;
/** Stands where the main region's HTML goes. React writes no comment of ours, and escapes what people wrote. */
export const MAIN_MARK = "<!--main-->";

const kept = new Map<string, { before: string; after: string }>();

/** The layout's HTML around `mainHtml`. @param render a layout's node to HTML, with MAIN_MARK as its main region */
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

/** A key for all that the layout shows but the current entry, so that the browser knows when swapping the main region is not enough. */
export function layoutKey(name: LayoutName, { current: _current, isMac: _isMac, ...frame }: Frame): string {
  return `${name}-${createHash("sha256").update(JSON.stringify(frame)).digest("base64url").slice(0, 12)}`;
}
