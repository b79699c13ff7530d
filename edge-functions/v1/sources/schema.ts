// Owns the shapes of sources.
import { z } from "@hono/zod-openapi";
import { id, pageQuery, time, times } from "../router.ts";

export const indexStatus = z
  .enum(["none", "queued", "indexing", "ready", "stale", "stopping", "stopped", "failed"])
  .openapi("IndexStatus");

export const sourceTypes = ["file", "agentChat", "jira", "shopify", "hubspot"] as const;
export type SourceType = (typeof sourceTypes)[number];

const name = z.string().trim().min(1).max(200).openapi({ example: "Handbook files" });
export type SourceConfig = Record<string, z.core.util.JSONType>;
const config = z.record(z.string(), z.unknown()).openapi({
  description:
    "For type file: { fileIds }. For agentChat: { agentId }. For the others: what the connector asks for.",
  example: { fileIds: [] },
});
const credentials = z
  .record(z.string().min(1).max(100), z.string().max(10_000))
  .openapi({ description: "Secrets of a connector. They go in and never come out." });

export const source = z
  .object({
    id,
    teamId: id,
    type: z.enum(sourceTypes),
    name,
    config,
    hasCredentials: z.boolean(),
    status: indexStatus,
    documentsCount: z.int(),
    syncedAt: time.nullable(),
    error: z.string().nullable(),
    ...times,
  })
  .openapi("Source");
export type Source = z.infer<typeof source>;

export const newSource = z
  .strictObject({
    type: z.enum(sourceTypes),
    name,
    config: config.optional(),
    credentials: credentials.optional(),
  })
  .openapi("NewSource");
export type NewSource = z.infer<typeof newSource>;

export const sourceUpdate = z
  .strictObject({ name, config, credentials: credentials.nullable() })
  .partial()
  .openapi("SourceUpdate", { description: "credentials: null removes them." });
export type SourceUpdate = z.infer<typeof sourceUpdate>;

export const sourcesQuery = pageQuery.extend({
  type: z.enum(sourceTypes).optional(),
  name: z.string().max(200).optional().openapi({ description: "Part of the name, in any case." }),
});
export type SourcesQuery = z.infer<typeof sourcesQuery>;
