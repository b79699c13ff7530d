// Owns the calls that open, renew and recover sessions. The auth server keeps passwords and sessions; what it does not
// promise (bans, limits, equal answers) is kept in sessions.ts.
import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { signDirectToken } from "../../_shared/auth.ts";
import { asCaller, readAsCaller } from "../../_shared/db.ts";
import { env } from "../../_shared/env.ts";
import { ApiError } from "../../_shared/errors.ts";
import { clientAddresses } from "../../_shared/limits.ts";
import {
  type AppEnv,
  claimsOf,
  failures,
  id,
  json,
  jsonBody,
  pageQuery,
  router,
  signedIn,
  signedInUser,
  userOf,
} from "../router.ts";
import { user } from "../users/schema.ts";
import { accountOf } from "./accounts.ts";
import * as own from "./own-sessions.ts";
import * as shapes from "./schema.ts";
import * as sessions from "./sessions.ts";

const tags = ["Auth"];
const open = { tags, security: [] };

const addressesOf = (c: Context<AppEnv>) => clientAddresses(c.req.header("X-Forwarded-For"));
const arrivalOf = (c: Context<AppEnv>) => ({
  addresses: addressesOf(c),
  arrivedAt: c.var.arrivedAt,
  userAgent: c.req.header("User-Agent") ?? "",
});

/** Mounted at /v1/auth. */
export const auth = router()
  .openapi(
    createRoute({
      method: "get",
      path: "/me",
      summary: "Read the caller's account",
      tags,
      middleware: [signedInUser],
      responses: { 200: json(user), ...failures },
    }),
    async (c) => c.json(await accountOf(userOf(c).id, claimsOf(c)), 200),
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/token",
      summary: "Exchange an API key for a token that PostgREST takes",
      tags,
      description:
        "The token holds for 15 minutes, has exactly the key's rights, and ends with the key. It opens the rows " +
        "alone: no call here takes it.",
      middleware: [signedIn],
      responses: { 200: json(shapes.directToken), ...failures },
    }),
    async (c) => {
      const { caller } = c.var;
      if (caller.kind !== "apiKey")
        throw new ApiError("FORBIDDEN", "Only an API key is exchanged for a token.");
      // A transaction of the key's own says whether it is there still.
      await asCaller(caller.claims, (tx) => tx`select 1`);
      return c.json(await signDirectToken(caller), 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/login",
      summary: "Log in",
      ...open,
      request: { body: jsonBody(shapes.login) },
      responses: { 200: json(shapes.session), ...failures },
    }),
    async (c) => {
      const { email, password } = c.req.valid("json");
      return c.json(await sessions.logIn(email, password, arrivalOf(c)), 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/register",
      summary: "Register",
      ...open,
      request: { body: jsonBody(shapes.registration) },
      responses: { 201: json(shapes.registered, "Created"), ...failures },
    }),
    async (c) => c.json(await sessions.register(c.req.valid("json"), addressesOf(c)), 201),
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/refresh",
      summary: "Renew a session",
      ...open,
      description: "A refresh token works once; using it again later ends the session.",
      request: { body: jsonBody(shapes.refresh) },
      responses: { 200: json(shapes.renewed), ...failures },
    }),
    async (c) => c.json(await sessions.renew(c.req.valid("json").token, arrivalOf(c)), 200),
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/resendConfirm",
      summary: "Send the confirmation mail again",
      ...open,
      request: { body: jsonBody(shapes.resendConfirm) },
      responses: { 202: json(shapes.sent, "Accepted"), ...failures },
    }),
    async (c) => {
      await sessions.sendMail("confirmation", c.req.valid("json").name, addressesOf(c));
      return c.json({ status: "accepted" } as const, 202);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/forgotPassword",
      summary: "Ask for a mail to choose a new password",
      ...open,
      request: { body: jsonBody(shapes.forgotPassword) },
      responses: { 202: json(shapes.sent, "Accepted"), ...failures },
    }),
    async (c) => {
      await sessions.sendMail("recovery", c.req.valid("json").email, addressesOf(c));
      return c.json({ status: "accepted" } as const, 202);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/forgotPassword/confirm",
      summary: "Choose a new password with the code of a mail",
      ...open,
      request: { body: jsonBody(shapes.newPasswordByCode) },
      responses: { 200: json(shapes.done), ...failures },
    }),
    async (c) => {
      const { username, code, password } = c.req.valid("json");
      await sessions.resetPassword(username, code, password, addressesOf(c));
      return c.json({ status: "ok" } as const, 200);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/sessions",
      summary: "List where the caller is logged in",
      tags,
      middleware: [signedInUser],
      request: { query: pageQuery },
      responses: { 200: json(shapes.ownSessions), ...failures },
    }),
    async (c) =>
      c.json(await readAsCaller(claimsOf(c), (tx) => own.listSessions(tx, c.req.valid("query"))), 200),
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/sessions",
      summary: "Log out everywhere, here included",
      tags,
      middleware: [signedInUser],
      responses: { 204: { description: "Every session has ended." }, ...failures },
    }),
    async (c) => {
      await asCaller(claimsOf(c), (tx) => own.endSessions(tx, null, false));
      return c.body(null, 204);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/sessions/{id}",
      summary: "Log out one session",
      tags,
      middleware: [signedInUser],
      request: { params: z.object({ id }) },
      responses: { 204: { description: "The session has ended." }, ...failures },
    }),
    async (c) => {
      const session = c.req.valid("param").id;
      const ended = await asCaller(claimsOf(c), (tx) => own.endSessions(tx, session, false));
      if (ended === 0) throw new ApiError("NOT_FOUND");
      return c.body(null, 204);
    },
  )
  .openapi(
    createRoute({
      method: "put",
      path: "/password",
      summary: "Change the caller's password",
      description: "Takes the present one, and ends every other session.",
      tags,
      middleware: [signedInUser],
      request: { body: jsonBody(shapes.passwordChange) },
      responses: { 200: json(shapes.done), ...failures },
    }),
    async (c) => {
      await own.changePassword(userOf(c), c.req.valid("json"), addressesOf(c));
      return c.json({ status: "ok" } as const, 200);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/confirm",
      summary: "Confirm an account with the code of a mail",
      ...open,
      request: { query: shapes.confirmQuery },
      responses: {
        200: json(shapes.done, "Confirmed"),
        302: { description: "Confirmed; on to redirectUrl, which is within the web app." },
        ...failures,
      },
    }),
    async (c) => {
      const { username, code, redirectUrl } = c.req.valid("query");
      await sessions.confirm(username, code, addressesOf(c));
      const target = withinWeb(redirectUrl);
      return target ? c.redirect(target, 302) : c.json({ status: "ok" } as const, 200);
    },
  );

/** An address of the web app, or undefined for any other: a mail's link must not lead to a stranger's page. */
function withinWeb(url: string | undefined): string | undefined {
  if (!url || !URL.canParse(url)) return undefined;
  const target = new URL(url);
  return target.origin === new URL(env().WEB_URL).origin ? target.href : undefined;
}
