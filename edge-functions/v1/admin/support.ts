// Owns the platform admins' endpoints for support tickets. Row-level security decides who reads and closes them.
import { z } from "@hono/zod-openapi";
import { asCaller, type Transaction } from "../../_shared/database/db.ts";
import { routes } from "../route.ts";
import {
  claimsOf,
  id,
  json,
  jsonBody,
  oneById,
  pageOf,
  pageQuery,
  requireRow,
  router,
  time,
} from "../router.ts";
import { contains, numberedPage } from "../sql.ts";
import { ticket } from "../support/schema.ts";

const route = routes({ tags: ["Admin"], access: "platformAdmin" });

const status = z.enum(["open", "closed"]);

const adminTicket = ticket
  .extend({
    status,
    userId: id.nullable().openapi({ description: "The user who asked, if they were logged in." }),
    mailedAt: time.nullable().openapi({ description: "When it was sent to the support address." }),
  })
  .openapi("AdminSupportTicket");
type AdminTicket = z.infer<typeof adminTicket>;

const ticketsQuery = pageQuery.extend({
  search: z
    .string()
    .max(200)
    .optional()
    .openapi({ description: "Part of the subject, the message, the email or the name." }),
  status: status.optional(),
});
type TicketsQuery = z.infer<typeof ticketsQuery>;

const ticketUpdate = z.strictObject({ status }).openapi("SupportTicketUpdate");

const columns = (tx: Transaction) => tx`
  t.id, t.email, t.name, t.subject, t.message, t.status, t.user_id, t.mailed_at, t.created_at, t.updated_at`;

export async function listTickets(tx: Transaction, { search, status, page, perPage }: TicketsQuery) {
  const words = search === undefined ? "" : contains(search);
  const matches = tx`true ${status ? tx`and t.status = ${status}` : tx``}
    ${words ? tx`and (t.subject ilike ${words} or t.message ilike ${words} or t.email ilike ${words} or t.name ilike ${words})` : tx``}`;
  return await numberedPage<AdminTicket>(
    tx,
    { columns: columns(tx), from: tx`public.support_tickets t where ${matches}`, order: tx`t.id desc` },
    { page, perPage },
  );
}

/** Mounted at /v1/admin/support. */
export const adminSupport = router()
  .openapi(
    route({
      method: "get",
      path: "/tickets",
      summary: "List support tickets, newest first",
      request: { query: ticketsQuery },
      responses: { 200: json(pageOf(adminTicket)) },
    }),
    async (c) => c.json(await asCaller(claimsOf(c), (tx) => listTickets(tx, c.req.valid("query"))), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/tickets/{id}",
      summary: "Read a support ticket",
      request: { params: oneById },
      responses: { 200: json(adminTicket) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const [row] = await asCaller(
        claimsOf(c),
        (tx) => tx<AdminTicket[]>`select ${columns(tx)} from public.support_tickets t where t.id = ${id}`,
      );
      return c.json(requireRow(row), 200);
    },
  )
  .openapi(
    route({
      method: "put",
      path: "/tickets/{id}",
      summary: "Close or reopen a support ticket",
      request: { params: oneById, body: jsonBody(ticketUpdate) },
      responses: { 200: json(adminTicket) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { status } = c.req.valid("json");
      const [row] = await asCaller(
        claimsOf(c),
        (tx) => tx<AdminTicket[]>`
          update public.support_tickets t set status = ${status} where t.id = ${id} returning ${columns(tx)}`,
      );
      return c.json(requireRow(row), 200);
    },
  );
