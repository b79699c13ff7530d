// Owns what an address of a page is: its one form, which addresses belong to a source, and which look like a trap. Pure.

/** Query fields that say who reads or from where, not what is read. */
const bookkeeping =
  /^(?:utm_\w+|fbclid|gclid|msclkid|mc_[ce]id|phpsessid|jsessionid|aspsessionid\w*|sid|session_?id)$/i;

/** How long an address may be, in characters: a document's external id holds no more. */
export const longestAddress = 500;

/** An address in its one form, where it is short enough to be read. @returns undefined for any other, and for what is no address of a page */
export function normalised(text: string, base?: string): URL | undefined {
  const url = inOneForm(text, base);
  return url && url.href.length <= longestAddress ? url : undefined;
}

/**
 * The one form of an address: no fragment, no session, no default port, its query in order. The same page is asked for once.
 * @returns undefined for what is no address of a page
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
 * Whether a path and query fit a pattern: "/docs/" is where it begins, as "/docs/*" is, and a "*" stands for any characters. Takes at most as many
 * steps as the two are long, multiplied.
 */
export function fits(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  // Without a star, and after one at the end, the rest may be anything.
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

/** Where reading begins: the start, or the sitemap where that alone is given. @throws TypeError where neither is */
export const beginningOf = ({ startUrl, sitemapUrl }: Pick<Scope, "startUrl" | "sitemapUrl">): URL =>
  new URL(startUrl ?? sitemapUrl ?? "");

/** Whether an address is one that the source is to read. The start is, whatever the patterns say. */
export function isCovered(url: URL, { startUrl, sitemapUrl, include, exclude }: Scope): boolean {
  if (url.origin !== beginningOf({ startUrl, sitemapUrl }).origin) return false;
  if (startUrl !== undefined && url.href === normalised(startUrl)?.href) return true;
  const path = url.pathname + url.search;
  if (exclude.some((pattern) => fits(pattern, path))) return false;
  return include.length === 0 || include.some((pattern) => fits(pattern, path));
}

/** Whether a path goes round in circles: the same part of it three times. */
export function isCircular({ pathname }: URL): boolean {
  const counts = new Map<string, number>();
  for (const part of pathname.split("/").filter(Boolean)) {
    const count = (counts.get(part) ?? 0) + 1;
    if (count >= 3) return true;
    counts.set(part, count);
  }
  return false;
}

/** Whether an address leads to where people log in. */
export function isLogin({ hostname, pathname }: URL): boolean {
  return (
    /(?:^|[/_.-])(?:log-?in|sign-?in|sso|oauth2?|saml)(?:$|[/_.-])/i.test(pathname) ||
    /^(?:login|signin|sso|auth|accounts?)\./i.test(hostname)
  );
}
