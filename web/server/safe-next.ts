// Where to go after a form: a path of ours, never another site.

/** `next` when it is a path on this site, else `fallback`. Backslashes and control characters fool URL parsers. */
export function safeNext(next: unknown, fallback = "/"): string {
  if (typeof next !== "string" || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)) return fallback;
  const url = new URL(next, "http://site.invalid");
  return url.host === "site.invalid" ? url.pathname + url.search + url.hash : fallback;
}
