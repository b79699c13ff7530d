// Owns the platform admins' endpoints for knowledge bases of every team.
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
      summary: "List the knowledge bases of every team, newest first",
      request: { query: knowledgesQuery.omit({ sort: true }).extend(teamFilter) },
    }),
  )
  .openapi(
    ...everyTeam(create, "json", {
      path: "/",
      summary: "Create a knowledge base in any team",
      request: { body: jsonBody(inAnyTeam(newKnowledge).openapi("NewKnowledgeInTeam")) },
    }),
  )
  .openapi(
    ...anyRow(searchRecords, {
      path: "/{id}/records",
      summary: "Search or list the records of any knowledge base",
    }),
  )
  .openapi(
    ...anyRow(read, {
      path: "/{id}",
      summary: "Read any knowledge base",
    }),
  )
  .openapi(
    ...anyRow(update, {
      path: "/{id}",
      summary: "Update any knowledge base",
    }),
  )
  .openapi(
    ...anyRow(remove, {
      path: "/{id}",
      summary: "Delete any knowledge base and its index",
    }),
  )
  .openapi(
    ...anyRow(index, {
      path: "/{id}/index",
      summary: "Index any knowledge base",
    }),
  );
