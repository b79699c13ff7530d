// Owns the schemas of the search across a team's data.
import { z } from "@hono/zod-openapi";
import { refuseAs } from "../../_shared/requests/invalid-fields.ts";
import { id, wholeNumber } from "../router.ts";

const hitTypes = ["agent", "knowledge", "source", "document", "passage", "chat"] as const;

export const searchQuery = z.object({
  query: z
    .string()
    .trim()
    .min(1)
    .max(200)
    // A Postgres text can contain neither NUL nor a lone surrogate.
    .refine((text) => !/[\0\ud800-\udfff]/u.test(text), refuseAs("characters"))
    .openapi({
      description: "All words must match. In titles and messages, the start of the last word is enough.",
      example: "refund policy",
    }),
  count: wholeNumber(1, 20).default(5).openapi({ description: "Maximum of each type." }),
});
export type SearchQuery = z.infer<typeof searchQuery>;

const ofHit = id.optional();

const searchHit = z
  .object({
    type: z.enum(hitTypes),
    id,
    title: z.string().openapi({ description: "The name, the document's title or the chat's; may be empty." }),
    excerpt: z.string().nullable().openapi({
      description:
        "The words around the hit, or the description. Words that a document strikes out are between `~~`. Null if there are none.",
    }),
    url: z.string().nullable().openapi({ description: "The document's URL outside of Parley." }),
    agentId: ofHit.openapi({ description: "Of a chat." }),
    knowledgeId: ofHit.openapi({ description: "Of a passage." }),
    sourceId: ofHit.openapi({ description: "Of a document or a passage." }),
    documentId: ofHit.openapi({ description: "Of a passage." }),
    messageId: ofHit.openapi({
      description: "The newest message of a chat that contains the words. Absent if its title does.",
    }),
  })
  .openapi("SearchHit");
export type SearchHit = z.infer<typeof searchHit>;

export const searchResult = z
  .object({
    data: z
      .array(searchHit)
      .openapi({ description: "By type: agents, knowledges, sources, documents, passages, chats." }),
    total: z.int().openapi({ description: "Number of entries in `data`." }),
  })
  .openapi("SearchResult");
