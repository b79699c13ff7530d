// Owns the endpoints for vectors (embedding spaces): any logged-in caller reads, platform admins write.
import { asCaller, readAsCaller } from "../../_shared/database/db.ts";
import { routes } from "../route.ts";
import {
  adminClaims,
  json,
  jsonBody,
  oneById,
  pageOf,
  requireChange,
  requireRow,
  router,
} from "../router.ts";
import * as queries from "./queries.ts";
import { newVector, vector, vectorsQuery, vectorUpdate } from "./schema.ts";

const route = routes({ tags: ["Vectors"] });

/** Mounted at /v1/vectors. */
export const vectors = router()
  .openapi(
    route({
      method: "get",
      path: "/",
      summary: "List the embedding spaces",
      request: { query: vectorsQuery },
      responses: { 200: json(pageOf(vector)) },
    }),
    async (c) =>
      c.json(await readAsCaller(adminClaims(c), (tx) => queries.listVectors(tx, c.req.valid("query"))), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/",
      summary: "Add an embedding space",
      request: { body: jsonBody(newVector) },
      responses: { 201: json(vector, "Created") },
    }),
    async (c) =>
      c.json(
        requireRow(await asCaller(adminClaims(c), (tx) => queries.createVector(tx, c.req.valid("json")))),
        201,
      ),
  )
  .openapi(
    route({
      method: "get",
      path: "/{id}",
      summary: "Read an embedding space",
      request: { params: oneById },
      responses: { 200: json(vector) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json(requireRow(await readAsCaller(adminClaims(c), (tx) => queries.readVector(tx, id))), 200);
    },
  )
  .openapi(
    route({
      method: "put",
      path: "/{id}",
      summary: "Update an embedding space",
      request: { params: oneById, body: jsonBody(vectorUpdate) },
      responses: { 200: json(vector) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await asCaller(adminClaims(c), async (tx) => {
        const updated = await queries.updateVector(tx, id, c.req.valid("json"));
        return await requireChange(updated, () => queries.readVector(tx, id));
      });
      return c.json(row, 200);
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/{id}",
      summary: "Delete an embedding space",
      description: "Only a space without any embeddings.",
      request: { params: oneById },
      responses: { 204: { description: "Deleted" } },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await asCaller(adminClaims(c), async (tx) => {
        const deleted = await queries.deleteVector(tx, id);
        return await requireChange(deleted, () => queries.readVector(tx, id));
      });
      return c.body(null, 204);
    },
  );
