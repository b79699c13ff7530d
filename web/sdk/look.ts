// The look of an agent's button, and its icons. Shared by the script on customers' pages, the server that sends it, and
// the preview.

export interface WidgetLook {
  /** As #rrggbb, with black or white on it. */
  color: string;
  onColor: string;
  icon: string;
  /** Text next to the icon; empty for the icon alone. */
  label: string;
  position: string;
}

/** SVG paths in a box of 24 by 24, drawn as strokes. */
export const ICONS: Record<string, string> = {
  chat: "M21 11.5a8.4 8.4 0 0 1-12 7.6L3 21l1.9-6a8.4 8.4 0 1 1 16.1-3.5Z",
  question: "M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20M9.1 9a3 3 0 0 1 5.8 1c0 2-2.9 2.4-2.9 4M12 17.5v.01",
  sparkles: "M11 3 9 9.5 3 12l6 2.5L11 21l2-6.5 6-2.5-6-2.5ZM19 2v4M17 4h4",
  book: "M12 7v14M12 7a4 4 0 0 0-4-3H2v14h7a3 3 0 0 1 3 3 3 3 0 0 1 3-3h7V4h-6a4 4 0 0 0-4 3",
  headset:
    "M3 11h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-5a9 9 0 0 1 18 0v5a2 2 0 0 1-2 2h-1a2 2 0 0 1-2-2v-3a2 2 0 0 1 2-2h3M21 16v2a4 4 0 0 1-4 4h-5",
};
export const CLOSE_ICON = "M18 6 6 18M6 6l12 12";
