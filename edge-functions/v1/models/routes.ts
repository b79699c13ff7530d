// Owns the endpoints for a team's models: connections, usage and budget. Keys are write-only; only users connect models, never an API
// key.
import { calledTeam, inTeam, oneInTeam, workInTeam } from "../in-team.ts";
import { routes } from "../route.ts";
import { json, jsonBody, pageQuery, requireRow, router } from "../router.ts";
import { connectionUpdateBody, modelCalls, newConnectionBody, viewModels } from "./calls.ts";
import {
  addConnection,
  changeConnection,
  readConnection,
  removeConnection,
  testConnection,
} from "./connections.ts";
import * as queries from "./queries.ts";
import { budget, budgetUpdate, usageList, usageQuery } from "./schema.ts";

const route = routes({ tags: ["Models"], permission: "models.write" });

/** Mounted at /v1/teams. */
export const models = router()
  .openapi(
    route({
      ...modelCalls.list,
      path: "/{teamId}/models",
      permission: "team.read",
      summary: "List a team's model connections",
      description:
        "Without their keys, and with the models that the team uses. Addresses are shown to callers who may change them.",
      access: "user",
      request: { params: inTeam, query: pageQuery },
    }),
    async (c) => {
      const { teamId, mayChange } = await workInTeam(c, async (tx, teamId) => {
        const [row] = await tx<{ may: boolean }[]>`
          select ${teamId} = any ((select private.teams_with('models.write'))::uuid[]) as may`;
        return { teamId, mayChange: row?.may ?? false };
      });
      const { data, ...view } = await viewModels(teamId, c.req.valid("query"));
      return c.json(
        { data: mayChange ? data : data.map((one) => ({ ...one, baseUrl: null })), ...view },
        200,
      );
    },
  )
  .openapi(
    route({
      ...modelCalls.add,
      path: "/{teamId}/models",
      summary: "Connect a model to a team",
      description:
        "Tests the model with one call, and stores the connection if it answers. A role has one connection; a second one is " +
        "rejected with CONFLICT. A new embedding model takes over each knowledge base once it is re-indexed; until then the " +
        "previous one answers.",
      access: "user",
      request: { params: inTeam, body: newConnectionBody },
    }),
    async (c) => c.json(await addConnection(await calledTeam(c), c.req.valid("json")), 201),
  )
  .openapi(
    route({
      ...modelCalls.read,
      path: "/{teamId}/models/{id}",
      summary: "Read a model connection of a team",
      access: "user",
      request: { params: oneInTeam },
    }),
    async (c) => {
      const teamId = await calledTeam(c);
      return c.json(requireRow(await readConnection(teamId, c.req.valid("param").id)), 200);
    },
  )
  .openapi(
    route({
      ...modelCalls.change,
      path: "/{teamId}/models/{id}",
      summary: "Update a model connection of a team",
      description:
        "Tests the model with one call, and stores the change if it answers. Another embedding model is another connection, with " +
        "its own id: the previous one answers until each knowledge base is re-indexed.",
      access: "user",
      request: { params: oneInTeam, body: connectionUpdateBody },
    }),
    async (c) => {
      const teamId = await calledTeam(c);
      return c.json(await changeConnection(teamId, c.req.valid("param").id, c.req.valid("json")), 200);
    },
  )
  .openapi(
    route({
      ...modelCalls.remove,
      path: "/{teamId}/models/{id}",
      summary: "Disconnect a model from a team",
      description: "The installation's model replaces it.",
      access: "user",
      request: { params: oneInTeam },
    }),
    async (c) => {
      const teamId = await calledTeam(c);
      requireRow((await removeConnection(teamId, c.req.valid("param").id)) || undefined);
      return c.body(null, 204);
    },
  )
  .openapi(
    route({
      ...modelCalls.test,
      path: "/{teamId}/models/{id}/test",
      summary: "Test a model connection of a team",
      description:
        "Calls the model once with the stored settings. VALIDATION_FAILED says why it does not answer.",
      access: "user",
      request: { params: oneInTeam },
    }),
    async (c) => c.json(await testConnection(await calledTeam(c), c.req.valid("param").id), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/usage",
      permission: "insights.read",
      summary: "Read a team's model usage",
      description:
        "Tokens and cost per day, week, month, agent, channel or model. The built-in models cost nothing and are not counted.",
      request: { params: inTeam, query: usageQuery },
      responses: { 200: json(usageList) },
    }),
    async (c) => {
      const list = await workInTeam(c, (tx, team) => queries.readUsage(tx, team, c.req.valid("query")));
      return c.json(list, 200);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/budget",
      permission: "insights.read",
      summary: "Read a team's model budget",
      request: { params: inTeam },
      responses: { 200: json(budget) },
    }),
    async (c) => {
      return c.json(requireRow(await queries.readBudget(await calledTeam(c))), 200);
    },
  )
  .openapi(
    route({
      method: "put",
      path: "/{teamId}/budget",
      summary: "Set a team's model budget",
      description: "Agents stop answering, with BUDGET_REACHED, before the cap is exceeded.",
      access: "user",
      request: { params: inTeam, body: jsonBody(budgetUpdate) },
      responses: { 200: json(budget) },
    }),
    async (c) => {
      const teamId = await calledTeam(c);
      await queries.setTeamCap(teamId, c.req.valid("json"));
      return c.json(requireRow(await queries.readBudget(teamId)), 200);
    },
  );
