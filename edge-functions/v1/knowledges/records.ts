// Owns the search in the passages of a knowledge base: what an agent would find there, and why.
import { z } from "@hono/zod-openapi";
import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { modelsOf } from "../../_shared/models/team-models.ts";
import { type Hit, retrieveWithTables } from "../../answering/retrieve.ts";
import { askedTeam, oneInTeam, readInTeam } from "../in-team.ts";
import { call, routes } from "../route.ts";
import { id, json, requireRow, router, wholeNumber } from "../router.ts";
import { readKnowledge } from "./queries.ts";
import { beginSearch } from "./searching.ts";

const route = routes({ tags: ["Knowledges"] });

const rank = z.int().nullable();
const share = z.number().nullable();

const record = z
  .object({
    id,
    documentId: id,
    sourceId: id,
    title: z.string(),
    url: z.string().nullable(),
    content: z.string(),
    preface: z.string().openapi({
      description: "For a passage inside a table: the table's caption and header.",
    }),
    score: z.number().nullable().openapi({ description: "0 to 1. Null without a query." }),
    vectorRank: rank,
    textRank: rank,
    vectorScore: share.openapi({ description: "Cosine similarity to the query." }),
    textScore: share.openapi({ description: "Share of the query's words in the passage." }),
    heading: z.string(),
    page: z.int().nullable(),
    startOffset: z.int().openapi({ description: "UTF-16 code units into the document's content." }),
    endOffset: z.int(),
  })
  .openapi("Record");
type Record = z.infer<typeof record>;

const sorts = ["score", "vectorRank", "textRank", "document"] as const;

const recordsQuery = z.object({
  query: z.string().trim().max(4000).optional().openapi({ description: "Absent: all records, in order." }),
  sort: z.enum(sorts).optional().openapi({
    description: "By score, by rank in one of the two searches, or in document order. Default: score.",
  }),
  mode: z.enum(["hybrid", "vector", "text"]).default("hybrid").openapi({
    description: "By meaning and words, by meaning only, or by words only.",
  }),
  count: wholeNumber(1, 100).default(20).openapi({ description: "How many records at most." }),
});
type RecordsQuery = z.infer<typeof recordsQuery>;

const recordList = z
  .object({
    data: z.array(record),
    byWordsAlone: z.boolean().openapi({
      description: "True when the search model could not be asked, so that nothing was found by meaning.",
    }),
  })
  .openapi("RecordList");

function sortHits(hits: Hit[], sort: RecordsQuery["sort"]): Hit[] {
  if (sort === "vectorRank" || sort === "textRank") {
    return hits.toSorted((a, b) => (a[sort] ?? Infinity) - (b[sort] ?? Infinity));
  }
  if (sort !== "document") return hits;
  return hits.toSorted((a, b) => a.documentId.localeCompare(b.documentId) || a.startOffset - b.startOffset);
}

function toRecord({ chunkId, knowledgeId: _same, ...hit }: Hit): Record {
  return { id: chunkId, ...hit };
}

async function firstRecords(
  tx: Transaction,
  team: TeamId,
  knowledgeId: string,
  count: number,
): Promise<Record[]> {
  const known = readKnowledge(tx, team, knowledgeId);
  const listed = tx<Record[]>`
    select c.id, c.document_id, c.source_id, d.title, d.url, c.content, c.preface, null as score, null as vector_rank,
           null as text_rank, null as vector_score, null as text_score, c.heading, c.page, c.start_offset, c.end_offset
      from public.chunks c join public.documents d on d.id = c.document_id
     where c.knowledge_id = ${knowledgeId}
     order by c.document_id, c.position limit ${count}`;
  const [knowledge, data] = await Promise.all([known, listed]);
  requireRow(knowledge);
  return data;
}

export const searchRecords = call(
  route({
    method: "get",
    path: "/{teamId}/knowledges/{id}/records",
    permission: "knowledges.read",
    summary: "Search or list a knowledge base's records",
    request: { params: oneInTeam, query: recordsQuery },
    responses: { 200: json(recordList) },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const { query, count, mode, sort } = c.req.valid("query");
    if (!query)
      return c.json(
        { data: await readInTeam(c, (tx, team) => firstRecords(tx, team, id, count)), byWordsAlone: false },
        200,
      );
    const { caller } = c.var;
    const { teamId, spaces, stored } = await beginSearch(caller, id, askedTeam(c));
    const models = modelsOf(stored, { teamId, agentId: null, channel: "search" });
    const asked = { knowledgeIds: [id], spaces, question: query, results: count, mode };
    const { hits, byWordsAlone } = await retrieveWithTables(caller.claims, models, asked);
    return c.json({ data: sortHits(hits, sort).map(toRecord), byWordsAlone }, 200);
  },
);

/** Mounted at /v1/teams. */
export const records = router().openapi(...searchRecords);
