// Owns the endpoint that shows a citation in its document, under the reader's own row-level security.
import { z } from "@hono/zod-openapi";
import { asCaller, type Transaction } from "../../_shared/database/db.ts";
import type { StructureSpan } from "../../indexing/parsers/document.ts";
import { routes } from "../route.ts";
import { claimsOf, json, requireRow, router } from "../router.ts";
import { excerptOf } from "./excerpts.ts";
import { readChatHead, readMessage } from "./queries.ts";
import { type Citation, type Evidence, evidence } from "./schema.ts";
import { requireKnowledgeReader } from "./trials.ts";

const route = routes({ tags: ["Messages"] });

/** Mounted at /v1/chats. */
export const evidenceOf = router().openapi(
  route({
    method: "get",
    path: "/{chatId}/messages/{messageId}/citations/{index}",
    summary: "Read a citation in its document",
    description:
      "The page, section or rows around the quote, in the document's current version. Requires permission to read the knowledge base; the quote itself is in the message.",
    request: {
      params: z.object({
        chatId: z.uuid(),
        messageId: z.uuid(),
        index: z.string().regex(/^\d{1,4}$/),
      }),
    },
    responses: { 200: json(evidence) },
  }),
  async (c) => {
    const { chatId, messageId, index } = c.req.valid("param");
    const shown = await asCaller(claimsOf(c), async (tx) => {
      const { agentId } = requireRow(await readChatHead(tx, chatId));
      const { citations } = requireRow(await readMessage(tx, chatId, messageId));
      await requireKnowledgeReader(tx, agentId);
      return await readEvidence(tx, requireRow(citations.find((one) => one.index === Number(index))));
    });
    return c.json(shown, 200);
  },
);

type Row = {
  title: string;
  url: string | null;
  content: string | null;
  spans: StructureSpan[] | null;
  isParsedText: boolean;
  chunkStart: number | null;
  file: Evidence["file"];
};

async function readEvidence(tx: Transaction, citation: Citation): Promise<Evidence> {
  const { documentId, chunkId, quote } = citation;
  // The structure map belongs to the parsed text. An editor may have changed the text since.
  const [row] = await tx<Row[]>`
    select d.title, d.url, d.content, d.structure -> 'spans' as spans,
           coalesce(d.structure ->> 'textHash' = encode(sha256(convert_to(d.content, 'UTF8')), 'hex'), false) as is_parsed_text,
           (select c.start_offset from public.chunks c where c.id = ${chunkId} and c.document_id = d.id) as chunk_start,
           (select jsonb_build_object('id', f.id, 'teamId', f.team_id, 'size', f.size)
              from public.sources s join public.files f on f.team_id = s.team_id
             where s.id = d.source_id and s.type = 'file' and f.content_type = 'application/pdf'
               -- A client may have written the id: it must be the team's file, and row-level security decides who reads it.
               and f.id = case when d.external_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then d.external_id::uuid end) as file
      from public.documents d where d.id = ${documentId}`;
  if (!row) return { state: "gone", title: citation.title, url: citation.url, excerpt: null, file: null };
  const { title, url, content, spans, isParsedText, chunkStart, file } = row;
  const text = content ?? "";
  // The quote may occur several times: prefer the occurrence in the cited passage.
  const near = chunkStart === null ? -1 : text.indexOf(quote, chunkStart);
  const start = quote === "" ? -1 : near >= 0 ? near : text.indexOf(quote);
  if (start < 0) return { state: "changed", title, url, excerpt: null, file };
  const at = { start, end: start + quote.length };
  return { state: "found", title, url, excerpt: excerptOf(text, (isParsedText && spans) || [], at), file };
}
