// Owns the endpoints for test runs: starting and stopping a run, its results, and a person's verdict in place of the judge's.
import { z } from "@hono/zod-openapi";
import { begunRun } from "../agent-versions/schema.ts";
import { readAgent } from "../agents/queries.ts";
import { changeInTeam, oneInTeam, workInTeam } from "../in-team.ts";
import { inWords, languageOf } from "../language.ts";
import { routes } from "../route.ts";
import { accepted, json, jsonBody, pageOf, pageQuery, requireRow, router } from "../router.ts";
import { kickIndexing } from "../tasks/kick.ts";
import * as queries from "./run-queries.ts";
import { startRun, stopRun, testerOf } from "./runs.ts";
import { newRun, overruling, testResult, testRun, testRunWithResults } from "./schema.ts";

const route = routes({ tags: ["Agent tests"] });
const oneRun = oneInTeam.extend({ runId: z.uuid() });
const oneResult = oneRun.extend({ resultId: z.uuid() });

/** Mounted at /v1/teams, before the calls for single tests. */
export const agentTestRuns = router()
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/agents/{id}/tests/runs",
      permission: "agents.read",
      summary: "List the runs of an agent's tests, newest first",
      description: "The latest 50 runs are kept.",
      request: { params: oneInTeam, query: pageQuery },
      responses: { 200: json(pageOf(testRun)) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const page = await workInTeam(c, async (tx, team) => {
        requireRow(await readAgent(tx, team, id));
        const language = await languageOf(c, tx);
        const { data, ...rest } = await queries.listRuns(
          tx,
          { teamId: team, agentId: id },
          c.req.valid("query"),
        );
        return { data: data.map((row) => inWords(row, language)), ...rest };
      });
      return c.json(page, 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/agents/{id}/tests/runs",
      permission: "agents.read",
      summary: "Run an agent's tests",
      description:
        "With the live version, or with another version compared with it. Each answer counts against the caller's and the team's limits. An agent has one run at a time.",
      request: { params: oneInTeam, body: { ...jsonBody(newRun), required: false } },
      responses: { 202: json(begunRun, "Accepted") },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { versionId } = c.req.valid("json") ?? {};
      const asked = testerOf(c, id);
      const run = await startRun(asked, versionId);
      kickIndexing();
      return c.json(run, 202);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/agents/{id}/tests/runs/{runId}",
      permission: "agents.read",
      summary: "Read a run with its results, broken tests first",
      request: { params: oneRun },
      responses: { 200: json(testRunWithResults) },
    }),
    async (c) => {
      const { id, runId } = c.req.valid("param");
      const run = await workInTeam(c, async (tx, team) => {
        const place = { teamId: team, agentId: id };
        const row = requireRow(await queries.readRun(tx, place, runId));
        return {
          ...inWords(row, await languageOf(c, tx)),
          results: await queries.listResults(tx, place, runId),
        };
      });
      return c.json(run, 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/agents/{id}/tests/runs/{runId}/stop",
      permission: "agents.read",
      summary: "Stop a run",
      description:
        "Results so far are kept. The run's status becomes stopped within a few seconds; the answer in progress is aborted.",
      request: { params: oneRun },
      responses: { 202: json(accepted, "Accepted") },
    }),
    async (c) => {
      const { id, runId } = c.req.valid("param");
      const taskId = await stopRun(testerOf(c, id), runId);
      kickIndexing();
      return c.json({ taskId }, 202);
    },
  )
  .openapi(
    route({
      method: "put",
      path: "/{teamId}/agents/{id}/tests/runs/{runId}/results/{resultId}",
      permission: "agents.read",
      summary: "Override a result's verdict",
      description:
        "Records who and when. It also applies to later runs while the answer to the test stays the same.",
      request: { params: oneResult, body: jsonBody(overruling) },
      responses: { 200: json(testResult) },
    }),
    async (c) => {
      const { id, runId, resultId } = c.req.valid("param");
      const { overruled } = c.req.valid("json");
      const row = await changeInTeam(c, {
        change: (tx, team) =>
          queries.overrule(tx, { teamId: team, agentId: id }, { runId, resultId, overruled }),
        read: (tx, team) => queries.readResult(tx, { teamId: team, agentId: id }, runId, resultId),
      });
      return c.json(row, 200);
    },
  );
