// Owns the shapes of beta sign-ups.
import { z } from "@hono/zod-openapi";
import { line, newEmail } from "../router.ts";

export const newBetaSignup = z
  .strictObject({ email: newEmail, name: line(200).optional() })
  .openapi("NewBetaSignup");

/** What was sent and nothing that tells whether the e-mail was on the list before. */
export const betaSignup = z
  .object({ email: z.string().openapi({ example: "ada@example.com" }), name: z.string().nullable() })
  .openapi("BetaSignup");
