// Owns the time zone in which dates are shown. On the server it is the reader's, from their cookie
// (request/reader-zone.ts); in the browser it is the browser's own and need not be set.
import { createContext, use } from "react";

export const TimeZone = createContext<string | undefined>(undefined);

/** A zone's name, such as Europe/Paris; undefined for the browser's own. */
export const useTimeZone = (): string | undefined => use(TimeZone);

/** The name of the browser's zone; UTC when the browser does not support it. */
export function ownTimeZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return Intl.supportedValuesOf("timeZone").includes(timeZone) ? timeZone : "UTC";
}

/** A zone's name in a language, such as Central European Time. */
export function timeZoneName(language: string, timeZone = "UTC"): string {
  if (timeZone === "UTC") return timeZone;
  const parts = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: "longGeneric" }).formatToParts();
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
}
