// Owns the zone in which moments are shown. On the server it is the reader's by their cookie (server/reader-zone.ts); in the browser it
// is the browser's own, and nobody has to say it.
import { createContext, use } from "react";

export const TimeZone = createContext<string | undefined>(undefined);

/** A zone's name, such as Europe/Paris; undefined for the browser's own. */
export const useTimeZone = (): string | undefined => use(TimeZone);

/** The browser's own by its name; UTC where it does not know the zone that it is in. */
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
