// Owns the schemas of vectors: the installation's embedding spaces.
import { z } from "@hono/zod-openapi";
import { id, line, pageQuery, times } from "../router.ts";

const fields = {
  name: line(200).openapi({ example: "Small, 1536 dimensions" }),
  model: line(200).openapi({ example: "text-embedding-3-small" }),
  dimensions: z.int().min(1).max(4000).openapi({ example: 1536 }),
  status: z.enum(["active", "building", "disabled"]),
};

export const vector = z.object({ id, ...fields, ...times }).openapi("Vector");
export type Vector = z.infer<typeof vector>;

export const newVector = z.strictObject({ ...fields, status: fields.status.optional() }).openapi("NewVector");

export const vectorUpdate = z.strictObject(fields).partial().openapi("VectorUpdate");
export type VectorUpdate = z.infer<typeof vectorUpdate>;

export const vectorsQuery = pageQuery.extend({
  search: z.string().max(200).optional().openapi({ description: "Part of the name or the model." }),
  status: fields.status.optional(),
});
export type VectorsQuery = z.infer<typeof vectorsQuery>;
