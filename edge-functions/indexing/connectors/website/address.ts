// Owns a page's URL: its normal form, whether it belongs to a source, and whether it looks like a crawler trap. Pure.

/** Query fields that identify the reader or the referrer, not the content. */
const bookkeeping =
  /^(?:utm_\w+|fbclid|gclid|msclkid|mc_[ce]id|phpsessid|jsessionid|aspsessionid\w*|sid|session_?id)$/i;

/** The maximum length of a URL in characters, so that it fits an external id, which may have 512. */
export const longestAddress = 500;

/** A URL in its normal form. @returns undefined when it is too long, or no page's URL */
export function normalizeAddress(text: string, base?: string): URL | undefined {
  const url = inOneForm(text, base);
  return url && url.href.length <= longestAddress ? url : undefined;
}

/**
 * The normal form of a URL: no fragment, no session, no default port, query sorted, so that a page is requested once.
 * @returns undefined when it is no page's URL
 */
export function inOneForm(text: string, base?: string): URL | undefined {
  const url = URL.parse(text.trim(), base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  url.hash = "";
  url.pathname = url.pathname.replace(/;(?:jsessionid|phpsessid|sid)=[^/;]*/gi, "");
  const fields = [...url.searchParams].filter(([name]) => !bookkeeping.test(name));
  fields.sort(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)));
  url.search = new URLSearchParams(fields).toString();
  return url;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * True when a path and query begin with a pattern, in which "*" stands for any characters: "/docs/" and "/docs/*" mean the same. Takes
 * at most as many steps as the product of the two lengths.
 */
export function fits(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const [first = "", ...rest] = parts;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

export interface Scope {
  startUrl?: string | undefined;
  sitemapUrl?: string | undefined;
  include: readonly string[];
  exclude: readonly string[];
}

/** Where the crawl begins: the start, or the sitemap if only that is set. @throws TypeError when neither is */
export const beginningOf = ({ startUrl, sitemapUrl }: Pick<Scope, "startUrl" | "sitemapUrl">): URL =>
  new URL(startUrl ?? sitemapUrl ?? "");

/** True when the source reads a URL. It always reads its start, whatever the patterns. */
export function isCovered(url: URL, { startUrl, sitemapUrl, include, exclude }: Scope): boolean {
  if (url.origin !== beginningOf({ startUrl, sitemapUrl }).origin) return false;
  if (startUrl !== undefined && url.href === normalizeAddress(startUrl)?.href) return true;
  const path = url.pathname + url.search;
  if (exclude.some((pattern) => fits(pattern, path))) return false;
  return include.length === 0 || include.some((pattern) => fits(pattern, path));
}

/** True when a path is circular: it contains the same segment three times. */
export function isCircular({ pathname }: URL): boolean {
  const counts = new Map<string, number>();
  for (const part of pathname.split("/").filter(Boolean)) {
    const count = (counts.get(part) ?? 0) + 1;
    if (count >= 3) return true;
    counts.set(part, count);
  }
  return false;
}

/** True for the URL of a login page. */
export function isLogin({ hostname, pathname }: URL): boolean {
  return (
    /(?:^|[/_.-])(?:log-?in|sign-?in|sso|oauth2?|saml)(?:$|[/_.-])/i.test(pathname) ||
    /^(?:login|signin|sso|auth|accounts?)\./i.test(hostname)
  );
}
