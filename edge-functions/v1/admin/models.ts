// Owns the platform admins' endpoints for the installation's models, and for every team's model costs.
import { env } from "../../_shared/env.ts";
import { connectionUpdateBody, modelCalls, newConnectionBody, viewModels } from "../models/calls.ts";
import {
  addConnection,
  changeConnection,
  readConnection,
  removeConnection,
  testConnection,
} from "../models/connections.ts";
import { findLocalModels } from "../models/local.ts";
import * as queries from "../models/queries.ts";
import { budget, installationCap, localModels, teamCosts } from "../models/schema.ts";
import { routes } from "../route.ts";
import { json, jsonBody, oneById, pageOf, pageQuery, requireRow, router } from "../router.ts";

const route = routes({ tags: ["Admin"], access: "platformAdmin" });

/** Mounted at /v1/admin/models. */
export const adminModels = router()
  .openapi(
    route({
      ...modelCalls.list,
      path: "/",
      summary: "List the installation's model connections",
      description: "Used by every team without its own connection.",
      request: { query: pageQuery },
    }),
    async (c) => c.json(await viewModels(null, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      ...modelCalls.add,
      path: "/",
      summary: "Connect a model to the installation",
      description:
        "Tests the model with one call, and stores the connection if it answers. A role has one connection; a second one is rejected with CONFLICT.",
      request: { body: newConnectionBody },
    }),
    async (c) => c.json(await addConnection(null, c.req.valid("json")), 201),
  )
  .openapi(
    route({
      method: "get",
      path: "/local",
      summary: "Find Ollama and LM Studio on the installation's machines",
      responses: { 200: json(localModels) },
    }),
    async (c) => c.json({ data: await findLocalModels(env().LOCAL_MODELS) }, 200),
  )
  .openapi(
    route({
      ...modelCalls.read,
      path: "/{id}",
      summary: "Read a model connection of the installation",
      request: { params: oneById },
    }),
    async (c) => c.json(requireRow(await readConnection(null, c.req.valid("param").id)), 200),
  )
  .openapi(
    route({
      ...modelCalls.change,
      path: "/{id}",
      summary: "Update a model connection of the installation",
      description:
        "Tests the model with one call, and stores the change if it answers. Another embedding model is another connection, with " +
        "its own id.",
      request: { params: oneById, body: connectionUpdateBody },
    }),
    async (c) => c.json(await changeConnection(null, c.req.valid("param").id, c.req.valid("json")), 200),
  )
  .openapi(
    route({
      ...modelCalls.remove,
      path: "/{id}",
      summary: "Disconnect a model from the installation",
      request: { params: oneById },
    }),
    async (c) => {
      requireRow((await removeConnection(null, c.req.valid("param").id)) || undefined);
      return c.body(null, 204);
    },
  )
  .openapi(
    route({
      ...modelCalls.test,
      path: "/{id}/test",
      summary: "Test a model connection of the installation",
      description:
        "Calls the model once with the stored settings. VALIDATION_FAILED says why it does not answer.",
      request: { params: oneById },
    }),
    async (c) => c.json(await testConnection(null, c.req.valid("param").id), 200),
  );

/** Mounted at /v1/admin/budgets. */
export const adminBudgets = router()
  .openapi(
    route({
      method: "get",
      path: "/",
      summary: "List this month's model costs of every team",
      request: { query: pageQuery },
      responses: { 200: json(pageOf(teamCosts)) },
    }),
    async (c) => c.json(await queries.listTeamCosts(c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "put",
      path: "/{id}",
      summary: "Set the installation's cap on a team's model costs",
      description:
        "By the team's id. Limits what the team spends on the installation's models, beside the team's own cap on all. A new team has " +
        "the operator's (`NEW_TEAM_MODEL_CAP`).",
      request: { params: oneById, body: jsonBody(installationCap) },
      responses: { 200: json(budget) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { installationCap: cap } = c.req.valid("json");
      requireRow((await queries.setInstallationCap(id, cap)) || undefined);
      return c.json(requireRow(await queries.readBudget(id)), 200);
    },
  );
