// Where to redirect after a form: one of our own paths, never another site.

/**
 * `next` when it is a path on this site, else `fallback`. Backslashes and control characters mislead URL parsers, and
 * so do dot segments that resolve to two leading slashes.
 */
export function safeNext(next: unknown, fallback = "/"): string {
  if (typeof next !== "string" || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)) return fallback;
  const url = new URL(next, "http://site.invalid");
  if (url.host !== "site.invalid" || url.pathname.startsWith("//")) return fallback;
  return url.pathname + url.search + url.hash;
}

/** A longer redirect header exceeds what proxies accept. */
const LONGEST_NEXT = 2_000;

/** What the login says about a session that ended: a sent form was not accepted, or only a page was asked for. */
export type Ended = "unsaved" | "reading";

/** The page that creates a team, for somebody without one: it says why they are not on the page that they asked for. */
export const createTeamAddress = (page: string): string =>
  page.length > LONGEST_NEXT ? "/teams/create" : `/teams/create?from=${encodeURIComponent(page)}`;

/** The login's address, which returns to one of our pages. */
export function loginAddress(page: string, ended?: Ended): string {
  const parts = [
    page.length > LONGEST_NEXT ? "" : `next=${encodeURIComponent(page)}`,
    ended ? `ended=${ended}` : "",
  ].filter((part) => part !== "");
  return ["/login", ...(parts.length > 0 ? [parts.join("&")] : [])].join("?");
}
