// The redirects of this installation: our own short and former addresses, and those of ROUTE_REDIRECTS.
import { type RouteRules, redirectOf } from "../render/route-rules.ts";
import { env } from "./env.ts";

const OWN: Record<string, string> = {
  "/signup": "/register",
  "/sign-up": "/register",
  "/signin": "/login",
  "/sign-in": "/login",
  "/privacy": "/privacy-policy",
  "/terms": "/terms-of-use",
  "/api": "/v1/docs",
  "/settings": "/account",
};

/** Every rule, in the format of builds/meta/{id}.json. */
export const routeRules: RouteRules = Object.fromEntries(
  Object.entries({ ...OWN, ...env.ROUTE_REDIRECTS }).map(([path, to]) => [
    path,
    { redirect: { to, statusCode: 302 } },
  ]),
);

/** The redirect target of a page's address, as a Location; null when no rule matches. It may be on another site. */
export function redirectLocation(address: URL): string | null {
  const to = redirectOf(routeRules, address)?.to;
  if (!to) return null;
  return to.origin === address.origin ? to.pathname + to.search + to.hash : to.href;
}
