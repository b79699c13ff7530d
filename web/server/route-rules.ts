// The route rules of this installation: short and former addresses of our own, and those that ROUTE_REDIRECTS adds.
import { type RouteRules, redirectOf } from "../renderer/route-rules.ts";
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

/** Every rule, in the form of builds/meta/{id}.json. */
export const routeRules: RouteRules = Object.fromEntries(
  Object.entries({ ...OWN, ...env.ROUTE_REDIRECTS }).map(([path, to]) => [
    path,
    { redirect: { to, statusCode: 302 } },
  ]),
);

/** Where the rules send an address of a page, as a Location; null where none speaks of it. Other sites are possible. */
export function ruledLocation(address: URL): string | null {
  const to = redirectOf(routeRules, address)?.to;
  if (!to) return null;
  return to.origin === address.origin ? to.pathname + to.search + to.hash : to.href;
}
