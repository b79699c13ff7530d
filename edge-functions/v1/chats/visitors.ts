// Owns what people without an account may cost: how often they start chats and ask. Members are their team's to manage.
import type { Context } from "hono";
import { clientAddresses, hitsOfLimit, type Limit, take } from "../../_shared/limits.ts";
import type { AppEnv } from "../router.ts";

const limits = {
  chat: { windowSeconds: 600, perAddress: 60, perSubject: 30 },
  question: { windowSeconds: 60, perAddress: 60, perSubject: 20 },
} as const satisfies Record<string, Limit>;

/** Counts what a visitor does. @throws ApiError RATE_LIMITED */
export async function limitVisitor(c: Context<AppEnv>, what: keyof typeof limits): Promise<void> {
  const { caller } = c.var;
  if (caller.kind !== "visitor" && caller.kind !== "anonymous") return;
  const subject = caller.kind === "visitor" ? caller.id : undefined;
  const addresses = clientAddresses(c.req.header("X-Forwarded-For"));
  await take(hitsOfLimit(`visitor.${what}`, limits[what], addresses, subject));
}
