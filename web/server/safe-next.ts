// Where to go after a form: a path of ours, never another site.

/**
 * `next` when it is a path on this site, else `fallback`. Backslashes and control characters fool URL parsers, and so do dots
 * that leave two slashes at the beginning once they are resolved.
 */
export function safeNext(next: unknown, fallback = "/"): string {
  if (typeof next !== "string" || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)) return fallback;
  const url = new URL(next, "http://site.invalid");
  if (url.host !== "site.invalid" || url.pathname.startsWith("//")) return fallback;
  return url.pathname + url.search + url.hash;
}

/** Beyond it a redirect's header would be more than proxies pass on. */
const LONGEST_NEXT = 2_000;

/** The login, which leads back to a page of ours. */
export function loginBefore(page: string): string {
  return page.length > LONGEST_NEXT ? "/login" : `/login?next=${encodeURIComponent(page)}`;
}
