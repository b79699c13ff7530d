// Ends a browser session.
import type { DataRequest } from "../../request/request-scope.ts";
import { safeNext } from "../../request/safe-next.ts";
import { sessionOf } from "../../request/session.ts";

const PRIVATE = /^\/(teams|account|dashboard|onboarding)(\/|$)/;

/** Ends the session here and on the auth server. Returns where to go: back to the page if it is public, else to the login. */
export async function logOut({ api, headers }: DataRequest): Promise<string> {
  const id = sessionOf((await api.token().catch(() => null)) ?? "");
  // When the API is unreachable, the session in this browser still ends.
  if (id) await api.send("DELETE", "/v1/auth/sessions/{id}", { id }).catch(() => undefined);
  api.setSession(null);
  const referer = headers.get("referer") ?? "";
  const from = URL.canParse(referer) ? safeNext(new URL(referer).pathname) : "/account";
  return PRIVATE.test(from) || from === "/logout" ? "/login" : from;
}
