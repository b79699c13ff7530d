// Owns the endpoint for support requests. A ticket is stored first, then mailed; a failed mail is retried with the next ticket.
import { defaultLanguage } from "../../../locales/registry.ts";
import { env } from "../../_shared/env.ts";
import { disarm } from "../../_shared/mail/disarm.ts";
import { sendMail } from "../../_shared/mail/mail.ts";
import { log } from "../../_shared/operation/log.ts";
import { hitsOf, take } from "../../_shared/requests/limits.ts";
import { inBackground } from "../background.ts";
import { routes } from "../route.ts";
import { addressesOf, json, jsonBody, requireRow, router } from "../router.ts";
import { createTicket, putBack, takeUnmailed } from "./queries.ts";
import { newTicket, type Ticket, ticket } from "./schema.ts";

const route = routes({ tags: ["Support"] });

/** Mounted at /v1/support. */
export const support = router().openapi(
  route({
    method: "post",
    path: "/tickets",
    access: "anyone",
    strangersMayRepeat: true,
    summary: "Send a support request",
    request: { body: jsonBody(newTicket) },
    responses: { 201: json(ticket, "Created") },
  }),
  async (c) => {
    const values = c.req.valid("json");
    const { caller } = c.var;
    await take(hitsOf("support", addressesOf(c), values.email));
    const created = requireRow(await createTicket(values, caller.kind === "user" ? caller.id : null));
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
    language: defaultLanguage,
    subject: `[Support] ${disarm(subject)}`,
    paragraphs: [disarm(message)],
    note: `From ${name ? `${disarm(name)}, ` : ""}${email}. Ticket ${id}.`,
  });
}
