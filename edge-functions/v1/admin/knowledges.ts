// Owns the platform admins' calls for knowledges of every team.
import { searchRecords } from "../knowledges/records.ts";
import { knowledgeCalls } from "../knowledges/routes.ts";
import { knowledgesQuery, newKnowledge } from "../knowledges/schema.ts";
import { jsonBody, router } from "../router.ts";
import { anyRow, everyTeam } from "./every-team.ts";
import { inAnyTeam, teamFilter } from "./place.ts";

const { list, create, read, update, remove, index } = knowledgeCalls;

/** Mounted at /v1/admin/knowledges. */
export const adminKnowledges = router()
  .openapi(
    ...everyTeam(list, "query", {
      path: "/",
      summary: "List the knowledges of every team, newest first",
      request: { query: knowledgesQuery.omit({ sort: true }).extend(teamFilter) },
    }),
  )
  .openapi(
    ...everyTeam(create, "json", {
      path: "/",
      summary: "Make a knowledge in any team",
      request: { body: jsonBody(inAnyTeam(newKnowledge).openapi("NewKnowledgeInTeam")) },
    }),
  )
  .openapi(
    ...anyRow(searchRecords, "knowledges", {
      path: "/{id}/records",
      summary: "Search the records of any knowledge, or list them",
    }),
  )
  .openapi(
    ...anyRow(read, "knowledges", {
      path: "/{id}",
      summary: "Read any knowledge",
    }),
  )
  .openapi(
    ...anyRow(update, "knowledges", {
      path: "/{id}",
      summary: "Change any knowledge",
    }),
  )
  .openapi(
    ...anyRow(remove, "knowledges", {
      path: "/{id}",
      summary: "Delete any knowledge and its index",
    }),
  )
  .openapi(
    ...anyRow(index, "knowledges", {
      path: "/{id}/index",
      summary: "Index any knowledge",
    }),
  );
