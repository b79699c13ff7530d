// Owns what the endpoints for model connections share, for a team or for the installation: their schemas, and the list of connections.
// Must not decide who may call them.
import type { CallLimit } from "../call-limits.ts";
import { json, jsonBody, type PageQuery } from "../router.ts";
import { listConnections, readModelsInUse, type Scope } from "./connections.ts";
import { presets } from "./presets.ts";
import { connection, connectionUpdate, modelList, newConnection, testedModel } from "./schema.ts";

/** A test calls an address that a user entered. */
const limit: CallLimit = { name: "models", windowSeconds: 3600, perAddress: 300, perSubject: 60 };

const one = { 200: json(connection) };

/** Each endpoint's method, limit, responses and body. Its router adds the path and the description. */
export const modelCalls = {
  list: { method: "get", responses: { 200: json(modelList) } },
  add: { method: "post", limit, responses: { 201: json(connection, "Created") } },
  read: { method: "get", responses: one },
  change: { method: "put", limit, responses: one },
  remove: { method: "delete", responses: { 204: { description: "Deleted" } } },
  test: { method: "post", limit, responses: { 200: json(testedModel) } },
} as const;

export const newConnectionBody = jsonBody(newConnection);
export const connectionUpdateBody = jsonBody(connectionUpdate);

/** A page of connections, the models in use, and the services that can be connected by name. */
export async function viewModels(scope: Scope, page: PageQuery) {
  const [used, listed] = await Promise.all([readModelsInUse(scope), listConnections(scope, page)]);
  return { ...listed, ...used, presets: [...presets] };
}
