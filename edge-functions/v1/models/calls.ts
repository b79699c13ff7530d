// Owns what the calls for connections to models have in common, whether a team's or the installation's: their shapes, and the view of
// all connections. Must not decide who may make them.
import type { CallLimit } from "../call-limits.ts";
import { json, jsonBody } from "../router.ts";
import { listConnections, readModelsInUse, type Scope } from "./connections.ts";
import { presets } from "./presets.ts";
import { connection, connectionUpdate, modelList, newConnection, testedModel } from "./schema.ts";

/** A trial calls an address that somebody wrote. */
const limit: CallLimit = { name: "models", windowSeconds: 3600, perAddress: 300, perSubject: 60 };

const one = { 200: json(connection) };

/** Each call's method, limit, answers and body; where it stands and what it says of itself its router adds. */
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

/** A page of connections, which models count, and which services can be connected by name. */
export async function viewModels(scope: Scope, page: { page: number; perPage: number }) {
  const [used, listed] = await Promise.all([readModelsInUse(scope), listConnections(scope, page)]);
  return { ...listed, ...used, presets: [...presets] };
}
