// Owns the call with which anyone puts their e-mail on the list for the beta.
import { asService } from "../../_shared/database/db.ts";
import { hitsOf, take } from "../../_shared/requests/limits.ts";
import { routes } from "../route.ts";
import { addressesOf, json, jsonBody, router } from "../router.ts";
import { betaSignup, newBetaSignup } from "./schema.ts";

const route = routes({ tags: ["Beta"] });

/** Mounted at /v1/beta. The service writes: the list is nobody's to read, not even the e-mail's owner. */
export const beta = router().openapi(
  route({
    method: "post",
    path: "/",
    access: "open",
    strangersMayRepeat: true,
    summary: "Join the list for the beta",
    request: { body: jsonBody(newBetaSignup) },
    responses: { 201: json(betaSignup, "Created") },
  }),
  async (c) => {
    const { email, name = null } = c.req.valid("json");
    await take(hitsOf("beta", addressesOf(c), email));
    await asService(
      (tx) => tx`insert into public.beta_signups (email, name) values (${email}, ${name})
                 on conflict (lower(email)) do nothing`,
    );
    return c.json({ email, name }, 201);
  },
);
