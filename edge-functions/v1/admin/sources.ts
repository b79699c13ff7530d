// Owns the platform admins' endpoints for sources of every team.
import { jsonBody, router } from "../router.ts";
import { sourceCalls } from "../sources/routes.ts";
import { newSource, sourcesQuery } from "../sources/schema.ts";
import { anyRow, everyTeam } from "./every-team.ts";
import { inAnyTeam, teamFilter } from "./place.ts";

const { list, create, read, update, remove } = sourceCalls;

/** Mounted at /v1/admin/sources. */
export const adminSources = router()
  .openapi(
    ...everyTeam(list, "query", {
      path: "/",
      summary: "List the sources of every team, newest first",
      request: { query: sourcesQuery.omit({ sort: true }).extend(teamFilter) },
    }),
  )
  .openapi(
    ...everyTeam(create, "json", {
      path: "/",
      summary: "Add a source to any team",
      request: { body: jsonBody(inAnyTeam(newSource).openapi("NewSourceInTeam")) },
    }),
  )
  .openapi(...anyRow(read, { path: "/{id}", summary: "Read any source" }))
  .openapi(
    ...anyRow(update, {
      path: "/{id}",
      summary: "Update any source",
    }),
  )
  .openapi(
    ...anyRow(remove, {
      path: "/{id}",
      summary: "Delete any source and its documents",
    }),
  );
