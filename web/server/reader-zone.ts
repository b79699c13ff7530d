// Owns the reader's time zone, which only their browser knows: renderer/client/time-zone.ts says it, and a cookie keeps it.
const known = new Set(Intl.supportedValuesOf("timeZone"));

/** The zone that a cookie names, by its one name; UTC for none, and for what is no zone: a formatter is kept for each. */
export function readerZone(cookie: string | undefined): string {
  if (!cookie) return "UTC";
  if (known.has(cookie)) return cookie;
  try {
    const { timeZone } = new Intl.DateTimeFormat(undefined, { timeZone: cookie }).resolvedOptions();
    return known.has(timeZone) ? timeZone : "UTC";
  } catch {
    return "UTC";
  }
}
