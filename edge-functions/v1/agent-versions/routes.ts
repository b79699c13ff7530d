// Owns the endpoints for agent versions: drafts, publishing, and restoring an earlier version.
import { z } from "@hono/zod-openapi";
import { testerOf } from "../agent-tests/runs.ts";
import { readAgent } from "../agents/queries.ts";
import { agentSettingsUpdate } from "../agents/schema.ts";
import { oneInTeam, readInTeam, workInTeam } from "../in-team.ts";
import { routes } from "../route.ts";
import { json, jsonBody, pageOf, pageQuery, requireRow, router } from "../router.ts";
import { kickIndexing } from "../tasks/kick.ts";
import { publish, restore, saveDraft } from "./publishing.ts";
import * as queries from "./queries.ts";
import { agentVersion, begunRun, publishInput } from "./schema.ts";

const route = routes({ tags: ["Agent versions"] });
const oneVersion = oneInTeam.extend({ versionId: z.uuid() });

/** Mounted at /v1/teams. */
export const agentVersions = router()
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/agents/{id}/versions",
      permission: "agents.read",
      summary: "List an agent's versions, newest first",
      description: "Every change to an agent creates a version. Versions are read-only.",
      request: { params: oneInTeam, query: pageQuery },
      responses: { 200: json(pageOf(agentVersion)) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const page = await workInTeam(c, async (tx, team) => {
        requireRow(await readAgent(tx, team, id));
        return await queries.listVersions(tx, { teamId: team, agentId: id }, c.req.valid("query"));
      });
      return c.json(page, 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/agents/{id}/versions",
      permission: "agents.read",
      summary: "Save a draft of an agent",
      description: "The live version with these changes. It takes effect when it is published.",
      request: { params: oneInTeam, body: jsonBody(agentSettingsUpdate) },
      responses: { 201: json(agentVersion, "Created") },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const asked = testerOf(c, id);
      return c.json(await saveDraft(asked, c.req.valid("json")), 201);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/agents/{id}/versions/{versionId}",
      permission: "agents.read",
      summary: "Read a version",
      request: { params: oneVersion },
      responses: { 200: json(agentVersion) },
    }),
    async (c) => {
      const { id, versionId } = c.req.valid("param");
      const row = await readInTeam(c, (tx, team) =>
        queries.readVersion(tx, { teamId: team, agentId: id }, versionId),
      );
      return c.json(requireRow(row), 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/agents/{id}/versions/{versionId}/restore",
      permission: "agents.read",
      summary: "Restore a version",
      description:
        "Takes effect immediately, as a new version. Knowledge bases that were deleted since are left out.",
      request: { params: oneVersion },
      responses: { 201: json(agentVersion, "Created") },
    }),
    async (c) => {
      const { id, versionId } = c.req.valid("param");
      return c.json(await restore(testerOf(c, id), versionId), 201);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/agents/{id}/publish",
      permission: "agents.read",
      summary: "Publish a draft",
      description:
        "200 with the version if its tests break nothing compared with the live version. 202 with a new run if they have not run " +
        "to completion, or the last run was stopped: publish again when it has ended. 409 if tests are broken or " +
        "undecided, unless `anyway` is set.",
      request: { params: oneInTeam, body: jsonBody(publishInput) },
      responses: { 200: json(agentVersion), 202: json(begunRun, "Accepted") },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const asked = testerOf(c, id);
      const done = await publish(asked, c.req.valid("json"));
      if (!("run" in done)) return c.json(done.version, 200);
      kickIndexing();
      return c.json(done.run, 202);
    },
  );
