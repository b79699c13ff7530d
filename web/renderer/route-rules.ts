// Redirects by path, known to the server, which answers them, and to the browser, which need not ask. A key is a path, or
// the start of paths with /** at its end; then the target's /** stands for the rest.

interface RouteRule {
  redirect: { to: string; statusCode: 301 | 302 | 307 | 308 };
}
export type RouteRules = Record<string, RouteRule>;

const WILDCARD = "/**";

function target(pattern: string, to: string, pathname: string): string | null {
  if (!pattern.endsWith(WILDCARD)) return pattern === pathname ? to : null;
  const base = pattern.slice(0, -WILDCARD.length);
  if (pathname !== base && !pathname.startsWith(`${base}/`)) return null;
  return to.endsWith(WILDCARD) ? to.slice(0, -WILDCARD.length) + pathname.slice(base.length) : to;
}

/** Where the rules send an address, with its query; null where they leave it alone. The longest key that fits counts. */
export function redirectOf(rules: RouteRules, url: URL): { to: URL; statusCode: number } | null {
  const patterns = Object.keys(rules).sort((a, b) => b.length - a.length);
  for (const pattern of patterns) {
    const { to, statusCode } = rules[pattern]?.redirect ?? { to: "", statusCode: 302 };
    const path = target(pattern, to, url.pathname);
    if (!path) continue;
    const address = new URL(path, url);
    for (const [name, value] of url.searchParams)
      if (!address.searchParams.has(name)) address.searchParams.append(name, value);
    return { to: address, statusCode };
  }
  return null;
}
