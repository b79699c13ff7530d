// Owns the Supabase project's keys: how our calls send one, and whether a caller sent one. Does not sign anything.
import { env } from "../env.ts";
import { isSameText } from "../secrets/same-text.ts";

/** Legacy keys are JWTs and also valid bearer tokens. Newer keys are rejected as bearer tokens. */
const isBearerToken = (key: string) => !key.startsWith("sb_");

/**
 * Headers for the platform's calls to Supabase or to its own functions.
 * @param accessToken of the user on whose behalf it calls
 */
export function platformHeaders(accessToken?: string): Record<string, string> {
  const [key = ""] = env().serviceKeys;
  const bearer = accessToken ?? (isBearerToken(key) ? key : undefined);
  return { apikey: key, ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }) };
}

/** True when a request carries a service key, as a bearer token or in the apikey header. */
export function isFromService(headers: Headers): boolean {
  const bearer = /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  return isServiceKey(bearer) || isServiceKey(headers.get("apikey"));
}

/** The message to a caller that is not the service. */
export const onlyService = "Only the service may call this.";

export const isServiceKey = (text: string | null | undefined): boolean => isOneOf(text, env().serviceKeys);
export const isPublicKey = (text: string | null | undefined): boolean => isOneOf(text, env().publicKeys);

function isOneOf(text: string | null | undefined, keys: string[]): boolean {
  if (!text) return false;
  // Compares all keys, so that the time taken reveals nothing about any of them.
  return keys.filter((key) => isSameText(text, key)).length > 0;
}
