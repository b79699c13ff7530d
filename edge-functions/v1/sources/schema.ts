// Owns the schemas of sources.
import { z } from "@hono/zod-openapi";
import { schedules } from "../../indexing/connectors/declaration.ts";
import type { Control } from "../../indexing/connectors/fields.ts";
import { connectorTypes, declarations } from "../../indexing/connectors/registry.ts";
import { id, idList, line, namePart, pageQuery, time, times } from "../router.ts";
import { rowVersion } from "../row-versions.ts";
import { sortQuery } from "../sorting.ts";

export const indexStatus = z
  .enum(["none", "queued", "indexing", "ready", "stale", "stopping", "stopped", "failed"])
  .openapi("IndexStatus");

// The type needs a non-empty list; there is always at least one connector.
const type = z.enum(connectorTypes as [string, ...string[]]);
export type SourceType = z.infer<typeof type>;
/** A type's fields as the description lists them: "For jira: { site, projects }." */
const describeFields = (of: "settings" | "credentials") =>
  declarations
    .filter((one) => Object.keys(one[of]).length > 0)
    .map((one) => `For ${one.type}: { ${Object.keys(one[of]).join(", ")} }.`)
    .join(" ");

const name = line(200).openapi({ example: "Handbook files" });
export type SourceConfig = Record<string, z.core.util.JSONType>;
const config = z.record(z.string(), z.unknown()).openapi({
  description: `${describeFields("settings")} GET /v1/sourceTypes describes each field.`,
  example: { fileIds: [] },
});
const schedule = z
  .enum(schedules)
  .openapi({ description: "How often it is synced automatically. manual: only on request." });
const credentials = z.record(z.string().min(1).max(100), z.string().max(10_000)).openapi({
  description: `Secrets of a connector. Write-only. ${describeFields("credentials")}`,
});

export const source = z
  .object({
    id,
    teamId: id,
    type,
    name,
    config,
    hasCredentials: z.boolean(),
    status: indexStatus,
    documentsCount: z.int(),
    syncedAt: time.nullable(),
    schedule,
    nextSyncAt: time.nullable(),
    error: z.string().nullable(),
    showsNothing: z.boolean().openapi({
      description:
        "True when the last sync failed because the service shows nothing at all, although documents of it were read before. " +
        "Nothing was removed. If it really is empty, sync with acceptEmpty.",
    }),
    version: rowVersion,
    ...times,
  })
  .openapi("Source");
export type Source = z.infer<typeof source>;

export const newSource = z
  .strictObject({
    type,
    name,
    config: config.optional(),
    credentials: credentials.optional(),
    schedule: schedule.optional(),
  })
  .openapi("NewSource", {
    example: { type: "website", name: "Guides", config: { startUrl: "https://example.com/guides/" } },
  });
export type NewSource = z.infer<typeof newSource>;

export const sourceUpdate = z
  .strictObject({ name, config, credentials: credentials.nullable(), schedule })
  .partial()
  .openapi("SourceUpdate", {
    description:
      "credentials: null deletes them. A config with another address of the service needs new credentials, because the stored " +
      "ones were given for the previous address.",
  });
export type SourceUpdate = z.infer<typeof sourceUpdate>;

export const syncQuery = z.object({
  acceptEmpty: z.enum(["true", "false"]).default("false").openapi({
    description:
      "true confirms that the service may show nothing at all: documents that it does not show are then deleted. For this sync only.",
  }),
});

export const sourcesQuery = pageQuery.extend({
  type: type.optional(),
  name: namePart,
  ids: idList.optional(),
  sort: sortQuery(["createdAt", "name", "status", "syncedAt"]),
});
export type SourcesQuery = z.infer<typeof sourcesQuery>;

/** Settings to test: new ones, or a source's settings with the given ones merged over them. */
export const sourceTest = z
  .strictObject({
    id: id.optional().openapi({
      description: "A source whose type, config and credentials are used for absent fields.",
    }),
    type: type.optional(),
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
        count: z.int().nullable().openapi({ description: "Null if the service does not say." }),
        problem: z.string().nullable().openapi({ description: "Why this cannot be read." }),
      }),
    ),
  })
  .openapi("SourcePreview");

const controls = [
  "address",
  "page",
  "list",
  "lines",
  "choices",
  "flag",
  "number",
  "agent",
  "files",
  "text",
  "email",
  "secret",
] as const satisfies Control[];

const sourceField = z
  .object({
    name: z.string(),
    control: z.enum(controls).openapi({
      description:
        "What it takes: list and lines take texts, choices some of the options, agent an id, files ids.",
    }),
    isRequired: z.boolean(),
    isHidden: z.boolean().openapi({ description: "Optional: the default fits almost everyone." }),
    options: z.array(z.string()).nullable(),
    preset: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).nullable(),
    placeholder: z.string().nullable(),
  })
  .openapi("SourceField");

const sourceType = z
  .object({
    type: z.string(),
    name: z.string(),
    icon: z.string().openapi({ description: "A drawing of 24 by 24: the data of a path that is stroked." }),
    login: z.enum(["never", "optional", "required"]),
    settings: z.array(sourceField),
    credentials: z.array(sourceField),
    addresses: z.array(z.string()).openapi({
      description:
        "The settings that decide where credentials are sent. Changing one deletes the credentials.",
    }),
    schedules: z.array(z.enum(schedules)),
    reads: z.array(z.string()),
    kinds: z.array(z.string()),
  })
  .openapi("SourceType", { description: "A type of source, as its connector declares it." });

export const sourceTypeList = z.object({ data: z.array(sourceType) }).openapi("SourceTypeList");

export const skippedItem = z
  .object({
    address: z.string().openapi({ description: "For a document without an address: its title." }),
    title: z.string().nullable(),
    documentId: id.nullable().openapi({
      description: "The document, if there is one. Its previous text still answers questions.",
    }),
    problem: z
      .string()
      .openapi({ description: "Why it was skipped and what to do, in the caller's language." }),
  })
  .openapi("SkippedItem");
export type SkippedItem = z.infer<typeof skippedItem>;
