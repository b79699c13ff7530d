// Tells the server the reader's time zone, for the moments on the pages that it makes.
import { ZONE_COOKIE } from "../zone-cookie.ts";

/** Writes the cookie, at every page: a reader may travel. */
export function tellTimeZone(): void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  // biome-ignore lint/suspicious/noDocumentCookie: cookieStore is there on https alone
  document.cookie = `${ZONE_COOKIE}=${timeZone}; path=/; max-age=31536000; samesite=lax`;
}
