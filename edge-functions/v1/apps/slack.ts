// Owns the endpoints that connect an agent to Slack and disconnect it. edge-functions/slack receives Slack's events.
import { z } from "@hono/zod-openapi";
import { asCaller, readAsCaller } from "../../_shared/database/db.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { beginInstall, requireSlack } from "../../slack/install.ts";
import { confirmArrival, openArrival } from "../../slack/install-confirmation.ts";
import { revokeUnusedTokensAfter } from "../../slack/installations.ts";
import { routes } from "../route.ts";
import { claimsOf, json, jsonBody, requireRow, router } from "../router.ts";
import * as queries from "./queries.ts";
import { app, connectInput, connection, installProof, waitingInstall } from "./schema.ts";

const route = routes({ tags: ["Apps"] });

const ofAgent = z.object({ agentId: z.uuid() });

/** Mounted at /v1/integration. */
export const integration = router()
  // Before the endpoints with an agent's id, whose pattern also matches this path.
  .openapi(
    route({
      method: "post",
      path: "/slack/installs",
      summary: "Read a pending Slack install",
      description:
        "For the page that Slack redirects to after consent: workspace, agent and team. Does not connect anything.",
      request: { body: jsonBody(installProof) },
      responses: { 200: json(waitingInstall) },
    }),
    async (c) => c.json(await openArrival(claimsOf(c), c.req.valid("json")), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/slack/installs/confirm",
      summary: "Confirm a Slack install",
      description:
        "Connects the app to the workspace. For the person who started the install, or, if an API key did, anyone who may.",
      request: { body: jsonBody(installProof) },
      responses: { 200: json(app) },
    }),
    async (c) => {
      const claims = claimsOf(c);
      const id = await confirmArrival(claims, c.req.valid("json"));
      return c.json(requireRow(await asCaller(claims, (tx) => queries.readApp(tx, id))), 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/slack/{agentId}",
      summary: "Connect an agent to a Slack workspace",
      description:
        "Creates the agent's app if none is pending, and returns the URL that installs it into a workspace. UNAVAILABLE if this installation has no Slack app.",
      request: { params: ofAgent, body: { ...jsonBody(connectInput), required: false } },
      responses: { 201: json(connection, "Begun") },
    }),
    async (c) => {
      const { agentId } = c.req.valid("param");
      const { appId, challenge } = c.req.valid("json") ?? {};
      const claims = claimsOf(c);
      const id = await asCaller(claims, async (tx) => {
        const agent = requireRow(await queries.readAgentOfApp(tx, agentId));
        if (!agent.allowed) throw new ApiError("FORBIDDEN");
        requireSlack();
        if (appId) {
          const known = requireRow(await queries.readApp(tx, appId, agent.teamId));
          if (known.agentId !== agentId) throw new ApiError("CONFLICT", "This app belongs to another agent.");
          return known.id;
        }
        const waiting = await queries.findPendingApp(tx, agentId);
        const values = { name: agent.name, type: "slack" as const, agentId };
        return waiting?.id ?? requireRow(await queries.createApp(tx, agent.teamId, values)).id;
      });
      return c.json({ installUrl: await beginInstall(id, claims, challenge), appId: id }, 201);
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/slack/{agentId}",
      summary: "Disconnect an agent from Slack",
      description: "Deletes every Slack app of the agent.",
      request: { params: ofAgent },
      responses: { 204: { description: "Disconnected" } },
    }),
    async (c) => {
      const { agentId } = c.req.valid("param");
      const workspaces = await asCaller(claimsOf(c), (tx) =>
        queries.workspacesOf(tx, { column: "agent_id", id: agentId }),
      );
      await revokeUnusedTokensAfter(workspaces, () =>
        asCaller(claimsOf(c), async (tx) => {
          const agent = requireRow(await queries.readAgentOfApp(tx, agentId));
          if (!agent.allowed) throw new ApiError("FORBIDDEN");
          if (!(await queries.deleteAppsOf(tx, agentId))) throw new ApiError("NOT_FOUND");
        }),
      );
      return c.body(null, 204);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/slack/{appId}",
      summary: "Read how an app is connected to Slack",
      request: { params: z.object({ appId: z.uuid() }) },
      responses: { 200: json(app) },
    }),
    async (c) => {
      const { appId } = c.req.valid("param");
      return c.json(requireRow(await readAsCaller(claimsOf(c), (tx) => queries.readApp(tx, appId))), 200);
    },
  );
