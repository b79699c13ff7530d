// Owns the calls by which somebody changes the address of their account. What they do is in email-change.ts.
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
      summary: "Read the caller's email, and the change of it that waits",
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
        "Takes the present password. Both mailboxes get a mail with a link, and the email changes when both were opened within 24 " +
        "hours; then every session but this one ends. An email that has an account is answered in the same way.",
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
      summary: "Send the mails of the change of email again",
      description: "The links of before stop working.",
      responses: { 202: json(shapes.ownEmail, "Accepted") },
    }),
    async (c) => c.json(await change.resendEmailChange(userOf(c), addressesOf(c)), 202),
  )
  .openapi(
    route({
      method: "delete",
      path: "/email/pending",
      access: "user",
      summary: "Cancel the change of email that waits",
      responses: { 204: { description: "Cancelled: no link of its mails works any more." } },
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
      summary: "Agree to a change of email with the code of a mail",
      request: { body: jsonBody(shapes.emailCode) },
      responses: { 200: json(shapes.emailChanged) },
    }),
    async (c) => c.json(await change.confirmEmailChange(c.req.valid("json").code, addressesOf(c)), 200),
  );
