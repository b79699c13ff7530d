// Owns the endpoint that adds an email to the beta list.
import { asService } from "../../_shared/database/db.ts";
import { hitsOf, take } from "../../_shared/requests/limits.ts";
import { routes } from "../route.ts";
import { addressesOf, json, jsonBody, router } from "../router.ts";
import { betaSignup, newBetaSignup } from "./schema.ts";

const route = routes({ tags: ["Beta"] });

/** Mounted at /v1/beta. Writes as the service: no client may read the list, not even the email's owner. */
export const beta = router().openapi(
  route({
    method: "post",
    path: "/",
    access: "open",
    strangersMayRepeat: true,
    summary: "Join the beta list",
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
