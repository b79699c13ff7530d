// Ends a session of the browser.
import type { RequestScope } from "./request-scope.ts";

const PRIVATE = /^\/(teams|account|dashboard|onboarding)(\/|$)/;

/** Clears the session and says where to go: back to the page if it is public, else to the login. */
export function logOut({ api, headers }: RequestScope): string {
  api.setSession(null);
  const referer = headers.get("referer") ?? "";
  const from = URL.canParse(referer) ? new URL(referer).pathname : "/account";
  return PRIVATE.test(from) || from === "/logout" ? "/login" : from;
}
