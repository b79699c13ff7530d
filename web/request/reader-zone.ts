// Owns the reader's time zone. Only their browser knows it: client/every-page/time-zone.ts reports it, and a cookie stores it.
const known = new Set(Intl.supportedValuesOf("timeZone"));

/**
 * The cookie's time zone under its canonical name; UTC when it is missing or invalid. Canonical, because each zone
 * caches a formatter.
 */
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
