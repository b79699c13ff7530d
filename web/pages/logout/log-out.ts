// Ends a browser session.
import type { DataRequest } from "../../request/request-scope.ts";
import { loginAddress, safeNext } from "../../request/safe-next.ts";
import { sessionOf } from "../../request/session.ts";

const PRIVATE = /^\/(teams|account|dashboard|onboarding)(\/|$)/;

/**
 * Ends the session here and on the auth server. Returns where to go: to the login for `next`, which another account may
 * see; else back to the page if it is public, else to the login.
 */
export async function logOut({ api, headers, url }: DataRequest): Promise<string> {
  const id = sessionOf((await api.token().catch(() => null)) ?? "");
  // When the API is unreachable, the session in this browser still ends.
  if (id) await api.send("DELETE", "/v1/auth/sessions/{id}", { id }).catch(() => undefined);
  api.setSession(null);
  const next = safeNext(url.searchParams.get("next"), "");
  if (next) return loginAddress(next);
  const referer = headers.get("referer") ?? "";
  const from = URL.canParse(referer) ? safeNext(new URL(referer).pathname) : "/account";
  return PRIVATE.test(from) || from === "/logout" ? "/login" : from;
}
