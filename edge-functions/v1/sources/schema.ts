// Owns the shapes of sources.
import { z } from "@hono/zod-openapi";
import { id, line, pageQuery, time, times } from "../router.ts";
import { sortQuery } from "../sorting.ts";

export const indexStatus = z
  .enum(["none", "queued", "indexing", "ready", "stale", "stopping", "stopped", "failed"])
  .openapi("IndexStatus");

export const sourceTypes = ["file", "agentChat", "jira", "shopify", "hubspot"] as const;
export type SourceType = (typeof sourceTypes)[number];

const name = line(200).openapi({ example: "Handbook files" });
export type SourceConfig = Record<string, z.core.util.JSONType>;
const config = z.record(z.string(), z.unknown()).openapi({
  description:
    "For type file: { fileIds }. For agentChat: { agentId }. For jira: { site, projects, withoutComments }. " +
    "For shopify: { shop, content }. For hubspot: { objects }.",
  example: { fileIds: [] },
});
export const schedules = ["manual", "hourly", "daily", "weekly"] as const;
const schedule = z
  .enum(schedules)
  .openapi({ description: "How often it is read again by itself; manual: only when asked." });
const credentials = z.record(z.string().min(1).max(100), z.string().max(10_000)).openapi({
  description:
    "Secrets of a connector. They go in and never come out. For jira: { email, apiToken }; for shopify and hubspot: " +
    "{ accessToken }.",
});

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
    schedule,
    nextSyncAt: time.nullable(),
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
    schedule: schedule.optional(),
  })
  .openapi("NewSource");
export type NewSource = z.infer<typeof newSource>;

export const sourceUpdate = z
  .strictObject({ name, config, credentials: credentials.nullable(), schedule })
  .partial()
  .openapi("SourceUpdate", {
    description:
      "credentials: null removes them. A config with another address of the service needs them anew, since they were given " +
      "for the one before.",
  });
export type SourceUpdate = z.infer<typeof sourceUpdate>;

export const sourcesQuery = pageQuery.extend({
  type: z.enum(sourceTypes).optional(),
  name: z.string().max(200).optional().openapi({ description: "Part of the name, in any case." }),
  sort: sortQuery(["createdAt", "name", "status", "syncedAt"]),
});
export type SourcesQuery = z.infer<typeof sourcesQuery>;

/** Settings to be tried: new ones, or those of a source with what is given put over them. */
export const sourceTest = z
  .strictObject({
    id: id.optional().openapi({
      description: "A source whose type, config and credentials are taken where none are given.",
    }),
    type: z.enum(sourceTypes).optional(),
    config: config.optional(),
    credentials: credentials.optional(),
  })
  .refine(({ id, type }) => id !== undefined || type !== undefined, {
    path: ["type"],
    message: "Say which type.",
  })
  .openapi("SourceTest");

export const sourcePreview = z
  .object({
    data: z.array(
      z.object({
        kind: z.string().openapi({ example: "issues" }),
        name: z.string().nullable().openapi({ example: "Operations (OPS)" }),
        count: z.int().nullable().openapi({ description: "Null where the service does not tell." }),
        problem: z.string().nullable().openapi({ description: "Why this can't be read." }),
      }),
    ),
  })
  .openapi("SourcePreview");
