// Owns the limit on chats started by people outside an agent's team. Members are their team's responsibility.
// _shared/requests/usage-limits.ts counts the questions.
import type { Caller } from "../../_shared/requests/auth.ts";
import { type ClientAddress, type Hit, hitsOfLimit, type Limit } from "../../_shared/requests/limits.ts";

const limit: Limit = { windowSeconds: 600, perAddress: 60, perSubject: 30 };

/** The hits of starting a chat. */
export function chatHits(caller: Caller, addresses: ClientAddress[], isOwn: boolean): Hit[] {
  if (caller.kind === "service" || caller.kind === "apiKey" || isOwn) return [];
  return hitsOfLimit("visitor.chat", limit, addresses, "id" in caller ? caller.id : undefined);
}
