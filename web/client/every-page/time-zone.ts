// Reports the reader's time zone to the server, for the dates on the pages that it renders.
import { start } from "./start.ts";

/** Sends the zone when the server used another one: on the first page, and after the reader has travelled. */
export function reportTimeZone(): void {
  // The widget's host stores no preferences, and another site frames no other page.
  if (parent !== window) return;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (timeZone !== start.timeZone) navigator.sendBeacon("/preferences", new URLSearchParams({ timeZone }));
}
