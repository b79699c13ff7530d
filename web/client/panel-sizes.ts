// The widths of a view's panels, in percent, stored in a cookie so that the server renders them as they were left.
import type { CSSProperties } from "react";

/** By panel name. */
export type PanelSizes = Record<string, number>;

const DAYS = 365;

/** The room that a group keeps for its last panel (see keeps-room) until the browser has read that panel. */
export const roomFor = (size: number | undefined): CSSProperties =>
  ({ "--last-panel": size }) as CSSProperties;

export const panelCookie = (view: string): string => `parley-panels-${view}`;

/** The sizes in a cookie, "34_66"; null when it holds none for these panels. */
export function panelSizes(cookie: string | undefined, panels: readonly string[]): PanelSizes | null {
  if (!cookie || !/^[\d._]{1,60}$/.test(cookie)) return null;
  const sizes = cookie.split("_").map(Number);
  const isSound = sizes.length === panels.length && sizes.every((size) => size >= 0 && size <= 100);
  if (!isSound || Math.abs(sizes.reduce((sum, size) => sum + size, 0) - 100) > 0.5) return null;
  return Object.fromEntries(panels.map((panel, at) => [panel, sizes[at] ?? 0]));
}

/** Stores the sizes for the next page that shows the view. */
export function keepPanelSizes(view: string, panels: readonly string[], sizes: PanelSizes): void {
  const value = panels.map((panel) => String(Math.round((sizes[panel] ?? 0) * 100) / 100)).join("_");
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${panelCookie(view)}=${value}; Path=/; Max-Age=${DAYS * 86_400}; SameSite=Lax${secure}`;
}
