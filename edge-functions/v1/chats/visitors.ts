// Owns how often people who are not of an agent's team start chats with it. Members are their team's to manage. What they ask
// is counted in _shared/requests/usage-limits.ts.
import type { Caller } from "../../_shared/requests/auth.ts";
import { type ClientAddress, type Hit, hitsOfLimit, type Limit } from "../../_shared/requests/limits.ts";

const limit: Limit = { windowSeconds: 600, perAddress: 60, perSubject: 30 };

/** The hits of a chat that somebody starts. */
export function chatHits(caller: Caller, addresses: ClientAddress[], isOwn: boolean): Hit[] {
  if (caller.kind === "service" || caller.kind === "apiKey" || isOwn) return [];
  return hitsOfLimit("visitor.chat", limit, addresses, "id" in caller ? caller.id : undefined);
}
