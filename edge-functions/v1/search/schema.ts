// Owns the shapes of the search over all that a team has.
import { z } from "@hono/zod-openapi";
import { refusedAs } from "../../_shared/requests/invalid-fields.ts";
import { id } from "../router.ts";

const hitTypes = ["agent", "knowledge", "source", "document", "passage", "chat"] as const;

export const searchQuery = z.object({
  query: z
    .string()
    .trim()
    .min(1)
    .max(200)
    // Postgres keeps no NUL, and no half of a character.
    .refine((text) => !/[\0\ud800-\udfff]/u.test(text), refusedAs("characters"))
    .openapi({
      description:
        "Words, all of which are looked for; of the last one its beginning suffices in titles and messages.",
      example: "refund policy",
    }),
  count: z.coerce
    .number()
    .int()
    .min(1)
    .max(20)
    .default(5)
    .openapi({ description: "At most so many of each type." }),
});
export type SearchQuery = z.infer<typeof searchQuery>;

const ofHit = id.optional();

const searchHit = z
  .object({
    type: z.enum(hitTypes),
    id,
    title: z.string().openapi({ description: "The name, the document's title or the chat's; may be empty." }),
    excerpt: z.string().nullable().openapi({
      description: "The words around what was found, or the description; null where there are none.",
    }),
    url: z.string().nullable().openapi({ description: "Where a document stands outside of Parley." }),
    agentId: ofHit.openapi({ description: "Of a chat." }),
    knowledgeId: ofHit.openapi({ description: "Of a passage." }),
    sourceId: ofHit.openapi({ description: "Of a document or a passage." }),
    documentId: ofHit.openapi({ description: "Of a passage." }),
    messageId: ofHit.openapi({
      description: "The newest message of a chat that holds the words; absent where its title does.",
    }),
  })
  .openapi("SearchHit");
export type SearchHit = z.infer<typeof searchHit>;

export const searchResult = z
  .object({
    data: z
      .array(searchHit)
      .openapi({ description: "By type: agents, knowledges, sources, documents, passages, chats." }),
    total: z.int().openapi({ description: "How many there are in `data`." }),
  })
  .openapi("SearchResult");
