// Owns the endpoints that open, renew and recover sessions. The auth server stores passwords and sessions; sessions.ts adds what it does
// not guarantee (bans, limits, equal answers).
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { asCaller, readAsCaller } from "../../_shared/database/db.ts";
import { env } from "../../_shared/env.ts";
import { signDirectToken } from "../../_shared/requests/auth.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { routes } from "../route.ts";
import {
  type AppEnv,
  addressesOf,
  claimsOf,
  id,
  json,
  jsonBody,
  pageQuery,
  router,
  userOf,
} from "../router.ts";
import { user } from "../users/schema.ts";
import { accountOf } from "./accounts.ts";
import * as own from "./own-sessions.ts";
import * as shapes from "./schema.ts";
import * as sessions from "./sessions.ts";

const route = routes({ tags: ["Auth"] });

const arrivalOf = (c: Context<AppEnv>) => ({
  addresses: addressesOf(c),
  arrivedAt: c.var.arrivedAt,
  userAgent: c.req.header("User-Agent") ?? "",
});

/** Mounted at /v1/auth. */
export const auth = router()
  .openapi(
    route({
      method: "get",
      path: "/me",
      access: "user",
      summary: "Read the caller's account",
      responses: { 200: json(user) },
    }),
    async (c) => c.json(await accountOf(userOf(c).id, claimsOf(c)), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/token",
      summary: "Exchange an API key for a PostgREST token",
      description:
        "The token is valid for 15 minutes, has exactly the key's permissions, and ends with the key. It gives access to rows " +
        "only: no endpoint here accepts it.",
      responses: { 200: json(shapes.directToken) },
    }),
    async (c) => {
      const { caller } = c.var;
      if (caller.kind !== "apiKey")
        throw new ApiError("FORBIDDEN", "Only an API key can be exchanged for a token.");
      // A transaction as the key fails if the key was deleted.
      await asCaller(caller.claims, (tx) => tx`select 1`);
      return c.json(await signDirectToken(caller), 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/login",
      access: "open",
      summary: "Log in",
      request: { body: jsonBody(shapes.login) },
      responses: { 200: json(shapes.session) },
    }),
    async (c) => {
      const { email, password } = c.req.valid("json");
      return c.json(await sessions.logIn(email, password, arrivalOf(c)), 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/register",
      access: "open",
      strangersMayRepeat: true,
      summary: "Register",
      request: { body: jsonBody(shapes.registration) },
      responses: { 201: json(shapes.registered, "Created") },
    }),
    async (c) => c.json(await sessions.register(c.req.valid("json"), addressesOf(c)), 201),
  )
  .openapi(
    route({
      method: "post",
      path: "/refresh",
      access: "open",
      summary: "Renew a session",
      description:
        "A refresh token works once; reuse ends the session. With an Idempotency-Key, whose value does not matter as the token names the request, " +
        "the same tokens are returned again for 30 seconds, for clients that lost the answer.",
      request: { body: jsonBody(shapes.refresh) },
      responses: { 200: json(shapes.renewed) },
    }),
    async (c) => {
      const isRepeatable = c.req.header("Idempotency-Key") !== undefined;
      return c.json(await sessions.renew(c.req.valid("json").token, arrivalOf(c), isRepeatable), 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/resendConfirm",
      access: "open",
      strangersMayRepeat: true,
      summary: "Resend the confirmation mail",
      request: { body: jsonBody(shapes.resendConfirm) },
      responses: { 202: json(shapes.sent, "Accepted") },
    }),
    async (c) => {
      await sessions.sendMail("confirmation", c.req.valid("json").name, addressesOf(c));
      return c.json({ status: "accepted" } as const, 202);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/forgotPassword",
      access: "open",
      strangersMayRepeat: true,
      summary: "Request a mail to choose a new password",
      request: { body: jsonBody(shapes.forgotPassword) },
      responses: { 202: json(shapes.sent, "Accepted") },
    }),
    async (c) => {
      await sessions.sendMail("recovery", c.req.valid("json").email, addressesOf(c));
      return c.json({ status: "accepted" } as const, 202);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/forgotPassword/confirm",
      access: "open",
      summary: "Set a new password with the code of a mail",
      request: { body: jsonBody(shapes.newPasswordByCode) },
      responses: { 200: json(shapes.done) },
    }),
    async (c) => {
      const { username, code, password } = c.req.valid("json");
      await sessions.resetPassword(username, code, password, addressesOf(c));
      return c.json({ status: "ok" } as const, 200);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/sessions",
      access: "user",
      summary: "List the caller's sessions",
      request: { query: pageQuery },
      responses: { 200: json(shapes.ownSessions) },
    }),
    async (c) =>
      c.json(await readAsCaller(claimsOf(c), (tx) => own.listSessions(tx, c.req.valid("query"))), 200),
  )
  .openapi(
    route({
      method: "delete",
      path: "/sessions",
      access: "user",
      summary: "Log out everywhere, including here",
      responses: { 204: { description: "Every session has ended." } },
    }),
    async (c) => {
      await asCaller(claimsOf(c), (tx) => own.endSessions(tx, null, false));
      return c.body(null, 204);
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/sessions/{id}",
      access: "user",
      summary: "Log out one session",
      request: { params: z.object({ id }) },
      responses: { 204: { description: "The session has ended." } },
    }),
    async (c) => {
      const session = c.req.valid("param").id;
      const ended = await asCaller(claimsOf(c), (tx) => own.endSessions(tx, session, false));
      if (ended === 0) throw new ApiError("NOT_FOUND");
      return c.body(null, 204);
    },
  )
  .openapi(
    route({
      method: "put",
      path: "/password",
      access: "user",
      summary: "Change the caller's password",
      description: "Requires the current password, and ends every other session.",
      request: { body: jsonBody(shapes.passwordChange) },
      responses: { 200: json(shapes.done) },
    }),
    async (c) => {
      await own.changePassword(userOf(c), c.req.valid("json"), addressesOf(c));
      return c.json({ status: "ok" } as const, 200);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/confirm",
      access: "open",
      summary: "Confirm an account with the code of a mail",
      request: { query: shapes.confirmQuery },
      responses: {
        200: json(shapes.confirmed, "Confirmed"),
        302: { description: "Confirmed. Redirects to redirectUrl within the web app." },
      },
    }),
    async (c) => {
      const { username, code, redirectUrl, signIn } = c.req.valid("query");
      const target = withinWeb(redirectUrl);
      const begins = signIn === "true" && !target;
      const confirmed = await sessions.confirm(username, code, arrivalOf(c), begins);
      return target ? c.redirect(target, 302) : c.json({ status: "ok" as const, ...confirmed }, 200);
    },
  );

/** Returns a URL of the web app; undefined for any other, because a mail must not link to a foreign page. */
function withinWeb(url: string | undefined): string | undefined {
  if (!url || !URL.canParse(url)) return undefined;
  const target = new URL(url);
  return target.origin === new URL(env().WEB_URL).origin ? target.href : undefined;
}
