// Owns the refusal of a site that may not embed an agent's chat, for new chats and for each question in one. Runs as the caller.
import type { Transaction } from "../../_shared/database/db.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { refusal } from "../../_shared/requests/refusals.ts";
import { mayEmbed } from "./origins.ts";

/**
 * @param site the page's site: browsers send it as Origin, and the widget's host forwards that of the page around its frame
 * @throws ApiError FORBIDDEN for a site that is not allowed
 */
export async function requireAllowedSite(tx: Transaction, agentId: string, site: string): Promise<void> {
  const [agent] = await tx<{ allowedOrigins: string[] }[]>`
    select allowed_origins from public.agents where id = ${agentId} and visibility = 'public'`;
  if (agent && !mayEmbed(agent.allowedOrigins, site))
    throw new ApiError("FORBIDDEN", refusal("siteNotAllowed"));
}
