// Tells the server the reader's time zone, for the moments on the pages that it makes.
import { ZONE_COOKIE } from "../zone-cookie.ts";

/** Writes the cookie where the server does not have it yet, or the reader has travelled. */
export function tellTimeZone(): void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const line = `${ZONE_COOKIE}=${encodeURIComponent(timeZone)}`;
  if (document.cookie.split("; ").includes(line)) return;
  // biome-ignore lint/suspicious/noDocumentCookie: cookieStore is there on https alone
  document.cookie = `${line}; path=/; max-age=31536000; samesite=lax`;
}
