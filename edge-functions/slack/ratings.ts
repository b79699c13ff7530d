// Owns the feedback buttons under a reply: a press stores the same feedback as on the web, as the thread's visitor.
import { z } from "zod";
import { asCaller } from "../_shared/database/db.ts";
import { rateMessage } from "../v1/messages/queries.ts";
import { ratingAction } from "./blocks.ts";
import { claimsOfThread, findThreadOfMessage } from "./threads.ts";

const press = z.object({
  type: z.literal("block_actions"),
  team: z.object({ id: z.string() }),
  channel: z.object({ id: z.string() }),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().optional() })).max(25),
});

/** Rates the reply whose button was pressed. Ignores other interactions. */
export async function rate(payload: unknown): Promise<void> {
  const parsed = press.safeParse(payload);
  if (!parsed.success) return;
  const { team, channel, actions } = parsed.data;
  for (const { action_id, value } of actions) {
    const [, rating, messageId] = /^(up|down):([0-9a-f-]{36})$/.exec(value ?? "") ?? [];
    if (!action_id.startsWith(ratingAction) || !messageId || (rating !== "up" && rating !== "down")) continue;
    const thread = await findThreadOfMessage(team.id, channel.id, messageId);
    if (!thread) continue;
    await asCaller(claimsOfThread(thread), (tx) => rateMessage(tx, thread.chatId, messageId, { rating }));
  }
}
