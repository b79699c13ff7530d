// Owns the schemas of documents.

import { z } from "@hono/zod-openapi";
import { documentLanguages } from "../../../locales/registry.ts";
import { isPlainText } from "../../_shared/text/plain-text.ts";
import { cursorQuery, lastKeyUpTo } from "../cursors.ts";
import { id, line, prose, time, times } from "../router.ts";
import { sortQuery } from "../sorting.ts";
import { indexStatus } from "../sources/schema.ts";

const externalId = z.string().min(1).max(512).openapi({
  description: "The document's id at its origin. For a file, the file's id.",
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
    description: "Language as set by an editor. Null: detected from the text. simple: any other language.",
  }),
};
/** Plain text. Less than the 1 MiB that a JSON body may have. */
const content = prose(1_000_000).min(1);

export const document = z
  .object({
    id,
    sourceId: id,
    ...fields,
    detectedLanguage: z.enum(documentLanguages).nullable().openapi({
      description:
        "Language detected from the text. Null if it was not detected, or not yet: the knowledge base's language is used then.",
    }),
    status: indexStatus,
    chunksCount: z.int(),
    contentHash: z.string().nullable().openapi({ description: "SHA-256 of the content, in hexadecimal." }),
    error: z.string().nullable(),
    note: z.string().nullable().openapi({
      description:
        "Which parts could not be read and what to do, in the caller's language. Null if all was read.",
    }),
    changedAt: time
      .nullable()
      .openapi({ description: "When it was last changed at its source. Null if the source does not say." }),
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
      description: "For a page read from an image: the model's confidence, 0 to 1. Null if it reported none.",
    }),
    label: z.string().optional(),
    columns: z.array(z.string()).optional().openapi({ description: "Tables: the column names." }),
    caption: z.string().optional().openapi({ description: "Tables: the caption in the document." }),
    records: z.literal(true).optional().openapi({
      description: 'Tables: rows are lines of "Column: value"; otherwise lines of cells between bars.',
    }),
  })
  .openapi("StructureSpan");

export const documentWithContent = document
  .extend({
    content: z.string().nullable().openapi({
      description: "The text that passages refer to by UTF-16 code units. Null until it is read.",
    }),
    warnings: z.array(z.string()).openapi({
      description:
        "What was left out or guessed when the document was read, in the caller's language. Not repeated in the note.",
    }),
    structure: z
      .object({
        textHash: z.string().optional().openapi({
          description: "SHA-256 of the content that the spans refer to. Null until it is parsed.",
        }),
        spans: z.array(span),
      })
      .nullable()
      .openapi({
        description: "Positions of headings, pages, tables and lists. Null for a document added as text.",
      }),
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
  type: z.string().max(100).optional().openapi({ description: "The exact type." }),
  status: indexStatus.optional(),
  search: z.string().max(200).optional().openapi({ description: "Part of the title, case-insensitive." }),
  sort: sortQuery(["createdAt", "title", "updatedAt"]),
  // A cursor contains the sorted value: here, a title.
  lastKey: lastKeyUpTo(4000),
});
export type DocumentsQuery = z.infer<typeof documentsQuery>;

/** Indexing status of one document in each knowledge base that contains it. */
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
