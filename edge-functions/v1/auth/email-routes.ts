// Owns the endpoints for changing an account's address. The rules are in email-change.ts.
import { routes } from "../route.ts";
import { addressesOf, json, jsonBody, router, userOf } from "../router.ts";
import * as change from "./email-change.ts";
import * as shapes from "./schema.ts";

const route = routes({ tags: ["Auth"] });

/** Mounted at /v1/auth. */
export const email = router()
  .openapi(
    route({
      method: "get",
      path: "/email",
      access: "user",
      summary: "Read the caller's email and its pending change",
      responses: { 200: json(shapes.ownEmail) },
    }),
    async (c) => c.json(await change.readOwnEmail(userOf(c)), 200),
  )
  .openapi(
    route({
      method: "put",
      path: "/email",
      access: "user",
      summary: "Change the caller's email",
      description:
        "Requires the current password. Both mailboxes receive a mail with a link, and the email changes once both were opened " +
        "within 24 hours; every session except this one then ends. The response is the same for an email that already has an " +
        "account.",
      request: { body: jsonBody(shapes.newOwnEmail) },
      responses: { 202: json(shapes.ownEmail, "Accepted") },
    }),
    async (c) => c.json(await change.askEmailChange(userOf(c), c.req.valid("json"), addressesOf(c)), 202),
  )
  .openapi(
    route({
      method: "post",
      path: "/email/resend",
      access: "user",
      summary: "Resend the mails of a pending email change",
      description: "Earlier links stop working.",
      responses: { 202: json(shapes.ownEmail, "Accepted") },
    }),
    async (c) => c.json(await change.resendEmailChange(userOf(c), addressesOf(c)), 202),
  )
  .openapi(
    route({
      method: "delete",
      path: "/email/pending",
      access: "user",
      summary: "Cancel a pending email change",
      responses: { 204: { description: "Cancelled: the links in its mails no longer work." } },
    }),
    async (c) => {
      await change.cancelEmailChange(userOf(c));
      return c.body(null, 204);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/email/confirm",
      access: "open",
      summary: "Confirm an email change with the code of a mail",
      request: { body: jsonBody(shapes.emailCode) },
      responses: { 200: json(shapes.emailChanged) },
    }),
    async (c) => c.json(await change.confirmEmailChange(c.req.valid("json").code, addressesOf(c)), 200),
  );
