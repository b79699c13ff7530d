// Owns the schemas of the health endpoints.
import { z } from "@hono/zod-openapi";

/** The version of the API. */
export const version = "1.0";

export const publicHealth = z
  .object({ status: z.literal("ok"), version: z.literal(version) })
  .openapi("PublicHealth");

const dependency = z.object({
  status: z.enum(["ok", "failed"]),
  durationMs: z.int().openapi({ description: "Response time of the dependency." }),
});

export const fullHealth = z
  .object({
    status: z.enum(["ok", "degraded"]),
    version: z.literal(version),
    dependencies: z
      .record(z.string(), dependency)
      .openapi({ example: { database: { status: "ok", durationMs: 3 } } }),
  })
  .openapi("Health");
