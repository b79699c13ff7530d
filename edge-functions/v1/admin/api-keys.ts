// Owns the platform admins' endpoints for API keys of every team.
import { apiKeyCalls } from "../api-keys/routes.ts";
import { apiKeysQuery, newApiKey } from "../api-keys/schema.ts";
import { jsonBody, router } from "../router.ts";
import { anyRow, everyTeam } from "./every-team.ts";
import { inAnyTeam, teamFilter } from "./place.ts";

const { list, create, read, update, remove } = apiKeyCalls;

/** Mounted at /v1/admin/apiKeys. */
export const adminApiKeys = router()
  .openapi(
    ...everyTeam(list, "query", {
      path: "/",
      summary: "List the API keys of every team, newest first",
      request: { query: apiKeysQuery.extend(teamFilter) },
    }),
  )
  .openapi(
    ...everyTeam(create, "json", {
      path: "/",
      summary: "Create an API key for any team",
      description: "The response contains the key; it cannot be read again.",
      request: { body: jsonBody(inAnyTeam(newApiKey).openapi("NewApiKeyInTeam")) },
    }),
  )
  .openapi(...anyRow(read, { path: "/{id}", summary: "Read any API key" }))
  .openapi(
    ...anyRow(update, {
      path: "/{id}",
      summary: "Update any API key's name or role",
    }),
  )
  .openapi(
    ...anyRow(remove, {
      path: "/{id}",
      summary: "Revoke any API key",
    }),
  );
