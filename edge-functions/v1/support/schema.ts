// Owns the schemas of support tickets.
import { z } from "@hono/zod-openapi";
import { id, line, newEmail, times } from "../router.ts";

const fields = {
  email: newEmail,
  subject: line(200).openapi({ example: "I cannot upload a file" }),
  message: z.string().trim().min(1).max(10_000).openapi({ example: "The upload stops at 80 percent." }),
};

export const newTicket = z
  .strictObject({ ...fields, name: line(200).optional() })
  .openapi("NewSupportTicket");
export type NewTicket = z.infer<typeof newTicket>;

export const ticket = z
  .object({
    id,
    email: z.string().openapi({ example: "ada@example.com" }),
    name: z.string().nullable(),
    subject: z.string(),
    message: z.string(),
    ...times,
  })
  .openapi("SupportTicket");
export type Ticket = z.infer<typeof ticket>;
