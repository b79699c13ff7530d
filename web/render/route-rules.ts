// Redirects by path, for the server, which answers them, and the browser, which then skips the request. A key is a
// path, or a prefix that ends in /**; the /** in its target stands for the rest of the path.

interface RouteRule {
  redirect: { to: string; statusCode: 301 | 302 | 307 | 308 };
}
export type RouteRules = Record<string, RouteRule>;

const WILDCARD = "/**";

function target(pattern: string, to: string, pathname: string): string | null {
  if (!pattern.endsWith(WILDCARD)) return pattern === pathname ? to : null;
  const base = pattern.slice(0, -WILDCARD.length);
  if (pathname !== base && !pathname.startsWith(`${base}/`)) return null;
  // "/old//evil.example" must not become "//evil.example", which is an address of another site.
  const rest = pathname.slice(base.length).replace(/^\/+/, "/");
  return to.endsWith(WILDCARD) ? to.slice(0, -WILDCARD.length) + rest : to;
}

/** The redirect target of an address, with its query; null when no rule matches. The longest matching key wins. */
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
