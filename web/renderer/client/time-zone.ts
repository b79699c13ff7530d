// Tells the server the reader's time zone, for the moments on the pages that it makes.
import { start } from "./start.ts";

/** Says it where the server took another: at the first page, and when the reader has travelled. */
export function tellTimeZone(): void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (timeZone !== start.timeZone) navigator.sendBeacon("/preferences", new URLSearchParams({ timeZone }));
}
