// Owns the schemas of knowledge bases.

import { z } from "@hono/zod-openapi";
import { documentLanguages } from "../../../locales/registry.ts";
import { id, idList, line, namePart, pageQuery, prose, time, times } from "../router.ts";
import { rowVersion } from "../row-versions.ts";
import { sortQuery } from "../sorting.ts";
import { indexStatus } from "../sources/schema.ts";

const name = line(200).openapi({ example: "Handbook" });
const chunking = z.strictObject({
  maxTokens: z.int().min(32).max(2000),
  overlapTokens: z.int().min(0).max(1999),
});
const fields = {
  name,
  description: prose(2000),
  language: z
    .enum(documentLanguages)
    .openapi({ description: "Language of documents whose own cannot be detected. simple: any other." }),
  warnAfterDays: z.int().min(1).max(3650).nullable().openapi({
    description: "Warns the team when a source has not been synced for this many days. Null: never.",
  }),
};

export const knowledge = z
  .object({
    id,
    teamId: id,
    ...fields,
    sourceIds: z.array(z.uuid()),
    embeddingModel: z.string().openapi({
      description:
        "The model of its vectors; before it is first indexed, the model that it will be indexed with.",
    }),
    dimensions: z.int(),
    chunking,
    status: indexStatus,
    documentsCount: z.int(),
    chunksCount: z.int(),
    indexedAt: time.nullable(),
    overdueSources: z.array(z.object({ id, name: z.string(), syncedAt: time.nullable() })).openapi({
      description: "Sources that have not been synced for longer than warnAfterDays, the oldest first.",
    }),
    version: rowVersion,
    ...times,
  })
  .openapi("Knowledge");
export type Knowledge = z.infer<typeof knowledge>;

const links = {
  sourceIds: z.array(z.uuid()).max(1000).openapi({ description: "All of its sources, at most 200." }),
  fileIds: z
    .array(z.uuid())
    .max(1000)
    .openapi({ description: "Files to add, through a source of type file that is created for them." }),
};

export const newKnowledge = z
  .strictObject({
    ...z.object({ ...fields, ...links, chunking: chunking.partial() }).partial().shape,
    name: name.optional().openapi({
      description: "Default: the name of its first source, or else the team's, with a number if it is taken.",
    }),
    agentId: z.uuid().optional().openapi({
      description: "An agent that answers from it at once. Requires the permission agents.write.",
    }),
  })
  .openapi("NewKnowledge");
export type NewKnowledge = z.infer<typeof newKnowledge>;

export const knowledgeUpdate = z
  .strictObject({ ...fields, ...links, chunking: chunking.partial() })
  .partial()
  .openapi("KnowledgeUpdate");
export type KnowledgeUpdate = z.infer<typeof knowledgeUpdate>;

export const knowledgesQuery = pageQuery.extend({
  name: namePart,
  ids: idList.optional(),
  sourceId: z.uuid().optional().openapi({ description: "Those that use this source." }),
  sort: sortQuery(["createdAt", "name", "status", "indexedAt"]),
});
export type KnowledgesQuery = z.infer<typeof knowledgesQuery>;
