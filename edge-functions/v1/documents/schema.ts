// Owns the shapes of documents.

import { z } from "@hono/zod-openapi";
import { documentLanguages } from "../../../locales/registry.ts";
import { isPlainText } from "../../_shared/text/plain-text.ts";
import { cursorQuery } from "../cursors.ts";
import { id, line, prose, time, times } from "../router.ts";
import { sortQuery } from "../sorting.ts";
import { indexStatus } from "../sources/schema.ts";

const externalId = z.string().min(1).max(512).openapi({
  description: "The document's id where it comes from: for a file, the file's id.",
  example: "HB-12",
});
const fields = {
  externalId,
  type: line(100).openapi({ example: "page" }),
  title: line(500).openapi({ example: "Travel policy" }),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .refine((text) => isPlainText(text) && !/\s/.test(text), "Encode spaces and invisible characters.")
    .nullable(),
  language: z.enum(documentLanguages).nullable().openapi({
    description:
      "What it is in, as an editor says; null where that is found in the text. simple: any other language.",
  }),
};
/** Plain text; a JSON body has at most 1 MiB, so this is less. */
const content = prose(1_000_000).min(1);

export const document = z
  .object({
    id,
    sourceId: id,
    ...fields,
    detectedLanguage: z.enum(documentLanguages).nullable().openapi({
      description:
        "What was found in its text; null where that cannot be told, or is not looked at yet: then it is in the language of its knowledge base.",
    }),
    status: indexStatus,
    chunksCount: z.int(),
    contentHash: z.string().nullable().openapi({ description: "SHA-256 of the content, in hexadecimal." }),
    error: z.string().nullable(),
    note: z.string().nullable().openapi({
      description:
        "What of it could not be read and what to do, in the caller's language; null where all was.",
    }),
    changedAt: time
      .nullable()
      .openapi({ description: "When it was last changed at its source; null where that does not say." }),
    ...times,
  })
  .openapi("Document");
export type Document = z.infer<typeof document>;

export const span = z
  .object({
    kind: z.enum(["page", "heading", "table", "row", "list", "item", "code"]),
    start: z.int().openapi({ description: "UTF-16 code units into the content." }),
    end: z.int(),
    level: z.int().optional(),
    page: z.int().optional(),
    confidence: z.number().nullable().optional().openapi({
      description:
        "Of a page that a model read from a picture: how sure it was, from 0 to 1; null where it did not say.",
    }),
    label: z.string().optional(),
    columns: z.array(z.string()).optional().openapi({ description: "Tables: the names of the columns." }),
    caption: z.string().optional().openapi({ description: "Tables: what the document calls it." }),
    records: z.literal(true).optional().openapi({
      description: 'Tables: rows are lines of "Column: value"; otherwise lines of cells between bars.',
    }),
  })
  .openapi("StructureSpan");

export const documentWithContent = document
  .extend({
    content: z.string().nullable().openapi({
      description: "The text that passages point into, by UTF-16 code units; null until it is read.",
    }),
    structure: z
      .object({
        textHash: z
          .string()
          .optional()
          .openapi({ description: "SHA-256 of the content that the spans point into; none until parsed." }),
        spans: z.array(span),
      })
      .nullable()
      .openapi({ description: "Where headings, pages, tables and lists are; null for what came as text." }),
  })
  .openapi("DocumentWithContent");
export type DocumentWithContent = z.infer<typeof documentWithContent>;

export const newDocument = z
  .strictObject({
    externalId,
    type: fields.type.default("text"),
    title: fields.title,
    url: fields.url.optional(),
    language: fields.language.optional(),
    content,
  })
  .openapi("NewDocument");
export type NewDocument = z.infer<typeof newDocument>;

export const documentUpdate = z
  .strictObject({ ...fields, content })
  .partial()
  .openapi("DocumentUpdate");
export type DocumentUpdate = z.infer<typeof documentUpdate>;

export const documentsQuery = cursorQuery.extend({
  externalId: externalId.optional(),
  type: z.string().max(100).optional(),
  status: indexStatus.optional(),
  search: z.string().max(200).optional().openapi({ description: "Part of the title, in any case." }),
  sort: sortQuery(["createdAt", "title", "updatedAt"]),
  // A key holds what the list is sorted by: here, a title.
  lastKey: z.string().max(4000).optional(),
});
export type DocumentsQuery = z.infer<typeof documentsQuery>;

/** How far one document is in every knowledge that has it. */
export const documentIndex = z
  .object({
    status: indexStatus,
    chunksCount: z.int(),
    error: z.string().nullable(),
    indexes: z.array(
      z.object({
        knowledgeId: id,
        status: indexStatus,
        chunksCount: z.int(),
        error: z.string().nullable(),
        indexedAt: time.nullable(),
      }),
    ),
  })
  .openapi("DocumentIndex");
export type DocumentIndex = z.infer<typeof documentIndex>;
