// Owns the schemas of beta sign-ups.
import { z } from "@hono/zod-openapi";
import { line, newEmail } from "../router.ts";

export const newBetaSignup = z
  .strictObject({ email: newEmail, name: line(200).optional() })
  .openapi("NewBetaSignup");

/** Echoes the request. Does not reveal whether the email was already on the list. */
export const betaSignup = z
  .object({ email: z.string().openapi({ example: "ada@example.com" }), name: z.string().nullable() })
  .openapi("BetaSignup");
