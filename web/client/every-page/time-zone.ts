// Reports the reader's time zone to the server, for the dates on the pages that it renders.
import { start } from "./start.ts";

/** Sends the zone when the server used another one: on the first page, and after the reader has travelled. */
export function reportTimeZone(): void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (timeZone !== start.timeZone) navigator.sendBeacon("/preferences", new URLSearchParams({ timeZone }));
}
