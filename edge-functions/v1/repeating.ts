// Owns whether a caller may still have the answer that a call gave before: access may have ended since. Does not store answers.
import type { Context } from "hono";
import { asCaller, type Transaction } from "../_shared/database/db.ts";
import { readChatHead } from "./messages/queries.ts";
import { paramsOf } from "./route.ts";
import { type AppEnv, claimsOf, requireRow, teamWith } from "./router.ts";

/**
 * Admits the caller where the call itself worked: in its team with the permission of its route, to its chat, to its agent.
 * @param body the parsed body, which names the team of a new role and the agent of a completion; undefined for an upload
 * @throws ApiError NOT_AUTHENTICATED for a revoked key or an ended session; NOT_FOUND; FORBIDDEN
 */
export async function admitAgain(c: Context<AppEnv>, body: unknown): Promise<void> {
  const { permission, team = "teamId", agentIn } = c.var.route;
  const params = paramsOf(c);
  const named = params[team] ?? textIn(body, "teamId");
  const agent = params.agentId ?? (agentIn && textIn(body, agentIn));
  await asCaller(claimsOf(c), async (tx) => {
    if (permission && named) await teamWith(tx, named, permission);
    if (params.chatId) requireRow(await readChatHead(tx, params.chatId));
    if (agent) requireRow((await findAgent(tx, agent))[0]);
  });
}

/** An agent that the caller may know. */
const findAgent = (tx: Transaction, id: string) =>
  tx`select 1 where private.is_public_agent(${id}) or exists (select from public.agents a where a.id = ${id})`;

function textIn(body: unknown, name: string): string | undefined {
  const value = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
  return typeof value === "string" ? value : undefined;
}
