// Owns the keys of the Supabase project: how our own calls show one, and whether a caller showed one. Does not sign anything.
import { env } from "../env.ts";
import { sameText } from "../secrets/same-text.ts";

/** Legacy keys are JWTs, and bearer tokens too. A key of the newer kind is refused there. */
const isBearerToken = (key: string) => !key.startsWith("sb_");

/**
 * What the platform shows where it calls Supabase or a function of its own.
 * @param accessToken of the user on whose behalf it calls
 */
export function platformHeaders(accessToken?: string): Record<string, string> {
  const [key = ""] = env().serviceKeys;
  const bearer = accessToken ?? (isBearerToken(key) ? key : undefined);
  return { apikey: key, ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }) };
}

/** Whether a request shows a key of the service, as a bearer token or in the header apikey. */
export function isFromService(headers: Headers): boolean {
  const bearer = /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  return isServiceKey(bearer) || isServiceKey(headers.get("apikey"));
}

export const isServiceKey = (text: string | null | undefined): boolean => isOneOf(text, env().serviceKeys);
export const isPublicKey = (text: string | null | undefined): boolean => isOneOf(text, env().publicKeys);

function isOneOf(text: string | null | undefined, keys: string[]): boolean {
  if (!text) return false;
  // All are compared, so that the time taken says nothing about any.
  return keys.filter((key) => sameText(text, key)).length > 0;
}
