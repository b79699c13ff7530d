// Owns the schemas of API keys.
import { z } from "@hono/zod-openapi";
import { id, line, namePart, pageQuery, time, times } from "../router.ts";
import { sortQuery } from "../sorting.ts";

const name = line(200).openapi({ example: "Website" });

export const apiKey = z
  .object({
    id,
    teamId: id,
    name,
    roleId: id,
    prefix: z.string().openapi({ description: "The start of the key, after prl_.", example: "h3Kd9aQz" }),
    createdBy: z.object({ id, name: z.string(), email: z.string() }).nullable().openapi({
      description: "Null if the account was deleted, or if release 1.0.0 did not record it.",
    }),
    active: z.boolean().openapi({
      description:
        "Whether the key works. It has its role's permissions as far as its creator has them in the team now, and stops working " +
        "when they leave the team or are banned.",
    }),
    lastUsedAt: time.nullable(),
    ...times,
  })
  .openapi("ApiKey");
export type ApiKey = z.infer<typeof apiKey>;

export const newApiKey = z
  .strictObject({
    name,
    roleId: z.uuid().optional().openapi({ description: "The key's permissions. Absent: the editor's role." }),
  })
  .openapi("NewApiKey");
export type NewApiKey = z.infer<typeof newApiKey>;

export const createdApiKey = apiKey
  .extend({ key: z.string().openapi({ description: "Shown only once; only its SHA-256 is stored." }) })
  .openapi("CreatedApiKey");
export type CreatedApiKey = z.infer<typeof createdApiKey>;

export const apiKeyUpdate = z.strictObject({ name, roleId: z.uuid() }).partial().openapi("ApiKeyUpdate");
export type ApiKeyUpdate = z.infer<typeof apiKeyUpdate>;

export const apiKeysQuery = pageQuery.extend({
  name: namePart,
});

export const teamApiKeysQuery = apiKeysQuery.extend({ sort: sortQuery(["createdAt", "name", "lastUsedAt"]) });
export type ApiKeysQuery = z.infer<typeof teamApiKeysQuery>;
