// Owns the call with which anyone puts their e-mail on the list for the beta.
import { createRoute } from "@hono/zod-openapi";
import { asService } from "../../_shared/db.ts";
import { clientAddresses, hitsOf, take } from "../../_shared/limits.ts";
import { failures, json, jsonBody, router } from "../router.ts";
import { betaSignup, newBetaSignup } from "./schema.ts";

/** Mounted at /v1/beta. The service writes: the list is nobody's to read, not even the e-mail's owner. */
export const beta = router().openapi(
  createRoute({
    method: "post",
    path: "/",
    summary: "Join the list for the beta",
    tags: ["Beta"],
    security: [],
    request: { body: jsonBody(newBetaSignup) },
    responses: { 201: json(betaSignup, "Created"), ...failures },
  }),
  async (c) => {
    const { email, name = null } = c.req.valid("json");
    await take(hitsOf("beta", clientAddresses(c.req.header("X-Forwarded-For")), email));
    await asService(
      (tx) => tx`insert into public.beta_signups (email, name) values (${email}, ${name})
                 on conflict (lower(email)) do nothing`,
    );
    return c.json({ email, name }, 201);
  },
);
