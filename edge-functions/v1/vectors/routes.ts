// Owns the calls for vectors (embedding spaces): anyone logged in reads, platform admins write.
import { createRoute, z } from "@hono/zod-openapi";
import { asCaller, readAsCaller } from "../../_shared/db.ts";
import {
  changed,
  claimsAtWork,
  failures,
  found,
  json,
  jsonBody,
  pageOf,
  router,
  signedIn,
} from "../router.ts";
import * as queries from "./queries.ts";
import { newVector, vector, vectorsQuery, vectorUpdate } from "./schema.ts";

const tags = ["Vectors"];
const one = z.object({ id: z.uuid() });

/** Mounted at /v1/vectors. */
export const vectors = router()
  .openapi(
    createRoute({
      method: "get",
      path: "/",
      summary: "List the embedding spaces",
      tags,
      middleware: [signedIn],
      request: { query: vectorsQuery },
      responses: { 200: json(pageOf(vector)), ...failures },
    }),
    async (c) => {
      const page = await readAsCaller(claimsAtWork(c), (tx) => queries.listVectors(tx, c.req.valid("query")));
      return c.json(page, 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/",
      summary: "Add an embedding space",
      tags,
      middleware: [signedIn],
      request: { body: jsonBody(newVector) },
      responses: { 201: json(vector, "Created"), ...failures },
    }),
    async (c) => {
      const created = await asCaller(claimsAtWork(c), (tx) => queries.createVector(tx, c.req.valid("json")));
      return c.json(found(created), 201);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{id}",
      summary: "Read an embedding space",
      tags,
      middleware: [signedIn],
      request: { params: one },
      responses: { 200: json(vector), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json(found(await readAsCaller(claimsAtWork(c), (tx) => queries.readVector(tx, id))), 200);
    },
  )
  .openapi(
    createRoute({
      method: "put",
      path: "/{id}",
      summary: "Change an embedding space",
      tags,
      middleware: [signedIn],
      request: { params: one, body: jsonBody(vectorUpdate) },
      responses: { 200: json(vector), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await asCaller(claimsAtWork(c), async (tx) => {
        const updated = await queries.updateVector(tx, id, c.req.valid("json"));
        return await changed(updated, async () => (await queries.readVector(tx, id)) !== undefined);
      });
      return c.json(row, 200);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/{id}",
      summary: "Remove an embedding space",
      tags,
      description: "Removes a space in which nothing is embedded any more.",
      middleware: [signedIn],
      request: { params: one },
      responses: { 204: { description: "Deleted" }, ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await asCaller(claimsAtWork(c), async (tx) => {
        const deleted = await queries.deleteVector(tx, id);
        return await changed(deleted, async () => (await queries.readVector(tx, id)) !== undefined);
      });
      return c.body(null, 204);
    },
  );
