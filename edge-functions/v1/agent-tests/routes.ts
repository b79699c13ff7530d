// Owns the endpoints for agent tests.
import { z } from "@hono/zod-openapi";
import { readAgent } from "../agents/queries.ts";
import { changeInTeam, oneInTeam, readInTeam, workInTeam } from "../in-team.ts";
import { routes } from "../route.ts";
import { json, jsonBody, pageOf, requireRow, router } from "../router.ts";
import { deletedResponse, removeInTeam, restoreInTeam, restoring } from "../undoing.ts";
import { writeCsv } from "./csv.ts";
import { importTests } from "./importing.ts";
import * as queries from "./queries.ts";
import { agentTest, agentTestUpdate, imported, newAgentTest, testsImport, testsQuery } from "./schema.ts";

const route = routes({ tags: ["Agent tests"] });
const oneTest = oneInTeam.extend({ testId: z.uuid() });

/** Mounted at /v1/teams. */
export const agentTests = router()
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/agents/{id}/tests",
      permission: "agents.read",
      summary: "List an agent's tests",
      request: { params: oneInTeam, query: testsQuery },
      responses: { 200: json(pageOf(agentTest)) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const page = await workInTeam(c, async (tx, team) => {
        requireRow(await readAgent(tx, team, id));
        return await queries.listTests(tx, { teamId: team, agentId: id }, c.req.valid("query"));
      });
      return c.json(page, 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/agents/{id}/tests",
      permission: "agents.write",
      summary: "Add a test",
      description: "By hand, or from a reply that the caller may read. An agent has at most 500 tests.",
      request: { params: oneInTeam, body: jsonBody(newAgentTest) },
      responses: { 201: json(agentTest, "Created") },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const test = await workInTeam(c, async (tx, team) => {
        requireRow(await readAgent(tx, team, id));
        return await queries.addTest(tx, { teamId: team, agentId: id }, c.req.valid("json"));
      });
      return c.json(test, 201);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/agents/{id}/tests/export",
      permission: "agents.read",
      summary: "Export an agent's tests as CSV",
      request: { params: oneInTeam },
      responses: {
        200: { description: "OK", content: { "text/csv": { schema: z.string() } } },
      },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const tests = await workInTeam(c, async (tx, team) => {
        requireRow(await readAgent(tx, team, id));
        return await queries.allTests(tx, { teamId: team, agentId: id });
      });
      return c.body(writeCsv(tests), 200, {
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": 'attachment; filename="tests.csv"',
      });
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/agents/{id}/tests/import",
      permission: "agents.write",
      summary: "Import tests from a CSV file",
      description:
        "Columns: question, facts, document and mustRefuse. Valid rows are added, except those that the agent has as tests already; rejected rows are reported, also one whose question has a test that expects something else.",
      request: { params: oneInTeam, body: jsonBody(testsImport) },
      responses: { 200: json(imported) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const report = await workInTeam(c, async (tx, team) => {
        requireRow(await readAgent(tx, team, id));
        return await importTests(tx, { teamId: team, agentId: id }, c.req.valid("json").csv);
      });
      return c.json(report, 200);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/agents/{id}/tests/{testId}",
      permission: "agents.read",
      summary: "Read a test",
      request: { params: oneTest },
      responses: { 200: json(agentTest) },
    }),
    async (c) => {
      const { id, testId } = c.req.valid("param");
      const row = await readInTeam(c, (tx, team) =>
        queries.readTest(tx, { teamId: team, agentId: id }, testId),
      );
      return c.json(requireRow(row), 200);
    },
  )
  .openapi(
    route({
      method: "put",
      path: "/{teamId}/agents/{id}/tests/{testId}",
      permission: "agents.read",
      summary: "Update a test",
      request: { params: oneTest, body: jsonBody(agentTestUpdate) },
      responses: { 200: json(agentTest) },
    }),
    async (c) => {
      const { id, testId } = c.req.valid("param");
      const row = await changeInTeam(c, {
        change: (tx, team) =>
          queries.updateTest(tx, { teamId: team, agentId: id }, testId, c.req.valid("json")),
        read: (tx, team) => queries.readTest(tx, { teamId: team, agentId: id }, testId),
      });
      return c.json(row, 200);
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/{teamId}/agents/{id}/tests/{testId}",
      permission: "agents.read",
      summary: "Delete a test",
      description: "Its results in past runs are kept.",
      request: { params: oneTest },
      responses: deletedResponse,
    }),
    async (c) => {
      const { id, testId } = c.req.valid("param");
      await removeInTeam(
        c,
        { kind: "agent_tests", id: testId },
        {
          remove: (tx, team) => queries.deleteTest(tx, { teamId: team, agentId: id }, testId),
          read: (tx, team) => queries.readTest(tx, { teamId: team, agentId: id }, testId),
        },
      );
      return c.body(null, 204);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/agents/{id}/tests/{testId}/restore",
      permission: "agents.write",
      summary: "Restore a deleted test",
      ...restoring,
      request: { params: oneTest },
      responses: { 200: json(agentTest) },
    }),
    async (c) => {
      const { id, testId } = c.req.valid("param");
      const test = await restoreInTeam(c, { kind: "agent_tests", id: testId }, (tx, team) =>
        queries.readTest(tx, { teamId: team, agentId: id }, testId),
      );
      return c.json(test, 200);
    },
  );
