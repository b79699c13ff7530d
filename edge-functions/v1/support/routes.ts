// Owns the call with which anyone asks for support. The ticket is stored first, then mailed; one that could not be mailed
// goes out with the next.
import { createRoute } from "@hono/zod-openapi";
import { env } from "../../_shared/env.ts";
import { clientAddresses, hitsOf, take } from "../../_shared/limits.ts";
import { log } from "../../_shared/log.ts";
import { sendMail } from "../../_shared/mail.ts";
import { inBackground } from "../background.ts";
import { failures, found, json, jsonBody, router } from "../router.ts";
import { createTicket, putBack, takeUnmailed } from "./queries.ts";
import { newTicket, type Ticket, ticket } from "./schema.ts";

/** Mounted at /v1/support. */
export const support = router().openapi(
  createRoute({
    method: "post",
    path: "/tickets",
    summary: "Ask for support",
    tags: ["Support"],
    request: { body: jsonBody(newTicket) },
    responses: { 201: json(ticket, "Created"), ...failures },
  }),
  async (c) => {
    const values = c.req.valid("json");
    const { caller } = c.var;
    await take(hitsOf("support", clientAddresses(c.req.header("X-Forwarded-For")), values.email));
    const created = found(await createTicket(values, caller.kind === "user" ? caller.id : null));
    inBackground(mailWaiting(), "mail: support tickets");
    return c.json(created, 201);
  },
);

const mostAtOnce = 10;

async function mailWaiting(): Promise<void> {
  let last: Ticket | undefined;
  for (let count = 0; count < mostAtOnce; count++) {
    last = await takeUnmailed(last?.id ?? null);
    if (!last) return;
    const sent = await mailTicket(last).catch((error: Error) => {
      log("error", "a support ticket was not mailed", { ticketId: last?.id, error: error.message });
      return false;
    });
    if (!sent) await putBack(last.id);
  }
}

async function mailTicket({ id, email, name, subject, message }: Ticket): Promise<boolean> {
  return await sendMail({
    to: env().SUPPORT_EMAIL,
    replyTo: email,
    language: "en",
    subject: `[Support] ${subject}`,
    paragraphs: [message],
    note: `From ${name ? `${name}, ` : ""}${email}. Ticket ${id}.`,
  });
}
