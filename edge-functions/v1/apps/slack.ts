// Owns the calls that connect an agent to Slack and take it out again. What Slack then sends goes to edge-functions/slack.
import { z } from "@hono/zod-openapi";
import { asCaller, readAsCaller } from "../../_shared/database/db.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { beginInstall, requireSlack } from "../../slack/install.ts";
import { confirmArrival, openArrival } from "../../slack/install-confirmation.ts";
import { leavingAfter } from "../../slack/installations.ts";
import { routes } from "../route.ts";
import { claimsOf, found, json, jsonBody, router } from "../router.ts";
import * as queries from "./queries.ts";
import { app, connectInput, connection, installProof, waitingInstall } from "./schema.ts";

const route = routes({ tags: ["Apps"] });

const ofAgent = z.object({ agentId: z.uuid() });

/** Mounted at /v1/integration. */
export const integration = router()
  // Before the calls about an agent, whose id it would be taken for.
  .openapi(
    route({
      method: "post",
      path: "/slack/installs",
      summary: "Read the Slack install that waits for its person",
      description:
        "For the page that Slack's consent leads back to: which workspace, which agent, which team. Nothing is connected by it.",
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
        "Connects the app to the workspace. For the person who began, or one who may where a key did.",
      request: { body: jsonBody(installProof) },
      responses: { 200: json(app) },
    }),
    async (c) => {
      const claims = claimsOf(c);
      const id = await confirmArrival(claims, c.req.valid("json"));
      return c.json(found(await asCaller(claims, (tx) => queries.readApp(tx, id))), 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/slack/{agentId}",
      summary: "Connect an agent to a Slack workspace",
      description:
        "Makes the agent's app where there is none that waits, and gives the address where somebody installs it into a workspace. UNAVAILABLE where this installation has no Slack app.",
      request: { params: ofAgent, body: { ...jsonBody(connectInput), required: false } },
      responses: { 201: json(connection, "Begun") },
    }),
    async (c) => {
      const { agentId } = c.req.valid("param");
      const { appId, challenge } = c.req.valid("json") ?? {};
      const claims = claimsOf(c);
      const id = await asCaller(claims, async (tx) => {
        const agent = found(await queries.readAgentOfApp(tx, agentId));
        if (!agent.allowed) throw new ApiError("FORBIDDEN");
        requireSlack();
        if (appId) {
          const known = found(await queries.readApp(tx, appId, agent.teamId));
          if (known.agentId !== agentId) throw new ApiError("CONFLICT", "This app is another agent's.");
          return known.id;
        }
        const waiting = await queries.findPendingApp(tx, agentId);
        const values = { name: agent.name, type: "slack" as const, agentId };
        return waiting?.id ?? found(await queries.createApp(tx, agent.teamId, values)).id;
      });
      return c.json({ installUrl: await beginInstall(id, claims, challenge), appId: id }, 201);
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/slack/{agentId}",
      summary: "Take an agent out of Slack",
      description: "Removes every Slack app of the agent.",
      request: { params: ofAgent },
      responses: { 204: { description: "Disconnected" } },
    }),
    async (c) => {
      const { agentId } = c.req.valid("param");
      const workspaces = await asCaller(claimsOf(c), (tx) => queries.workspacesOf(tx, { agentId }));
      await leavingAfter(workspaces, () =>
        asCaller(claimsOf(c), async (tx) => {
          const agent = found(await queries.readAgentOfApp(tx, agentId));
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
      return c.json(found(await readAsCaller(claimsOf(c), (tx) => queries.readApp(tx, appId))), 200);
    },
  );
