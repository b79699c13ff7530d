// Owns the search in a knowledge's records, its passages: what an agent would find there, with why.
import { createRoute, z } from "@hono/zod-openapi";
import { asCaller, asCallerThenService, type Claims, type Transaction } from "../../_shared/db.ts";
import { env } from "../../_shared/env.ts";
import { takeWithin } from "../../_shared/limits.ts";
import { modelClient } from "../../_shared/models.ts";
import { searchHits } from "../../_shared/usage-limits.ts";
import { readSpaces } from "../../answering/agent.ts";
import { type Hit, retrieve } from "../../answering/retrieve.ts";
import { claimsOf, failures, found, id, json, router, signedIn, teamRef, teamWith } from "../router.ts";
import { readKnowledge } from "./queries.ts";

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
    score: z.number().nullable().openapi({ description: "0 to 1; null without a query." }),
    vectorRank: rank,
    textRank: rank,
    vectorScore: share.openapi({ description: "Cosine to the query." }),
    textScore: share.openapi({ description: "The share of the query's words that the passage holds." }),
    heading: z.string(),
    page: z.int().nullable(),
    startOffset: z.int().openapi({ description: "Into the document's content, in UTF-16 code units." }),
    endOffset: z.int(),
  })
  .openapi("Record");
type Record = z.infer<typeof record>;

const sorts = ["score", "vectorRank", "textRank", "document"] as const;

export const recordsQuery = z.object({
  query: z.string().trim().max(4000).optional().openapi({ description: "Absent: all records, in order." }),
  sort: z.enum(sorts).optional().openapi({
    description: "By score, by rank in one of the two searches, or as the documents stand. Default: score.",
  }),
  mode: z.enum(["hybrid", "vector", "text"]).default("hybrid").openapi({
    description: "By meaning and words, by meaning, or by words alone.",
  }),
  count: z.coerce.number().int().min(1).max(100).default(20),
});
type RecordsQuery = z.infer<typeof recordsQuery>;

export const recordList = z.object({ data: z.array(record) }).openapi("RecordList");

/**
 * The records of a knowledge as a caller may read them.
 * @throws ModelError when the query cannot be embedded
 */
export async function findRecords(
  claims: Claims,
  knowledgeId: string,
  query: RecordsQuery,
): Promise<Record[]> {
  if (!query.query) return await asCaller(claims, (tx) => firstRecords(tx, knowledgeId, query.count));
  const hits = await retrieve(claims, modelClient(env()), {
    knowledgeIds: [knowledgeId],
    spaces: await asCaller(claims, (tx) => readSpaces(tx, [knowledgeId])),
    question: query.query,
    results: query.count,
    mode: query.mode,
  });
  return sorted(hits, query.sort).map(toRecord);
}

function sorted(hits: Hit[], sort: RecordsQuery["sort"]): Hit[] {
  if (sort === "vectorRank" || sort === "textRank") {
    return hits.toSorted((a, b) => (a[sort] ?? Infinity) - (b[sort] ?? Infinity));
  }
  if (sort !== "document") return hits;
  return hits.toSorted((a, b) => a.documentId.localeCompare(b.documentId) || a.startOffset - b.startOffset);
}

function toRecord({ chunkId, knowledgeId: _same, ...hit }: Hit): Record {
  return { id: chunkId, ...hit };
}

async function firstRecords(tx: Transaction, knowledgeId: string, count: number): Promise<Record[]> {
  return await tx<Record[]>`
    select c.id, c.document_id, c.source_id, d.title, d.url, c.content, null as score, null as vector_rank,
           null as text_rank, null as vector_score, null as text_score, c.heading, c.page, c.start_offset, c.end_offset
      from public.chunks c join public.documents d on d.id = c.document_id
     where c.knowledge_id = ${knowledgeId}
     order by c.document_id, c.position limit ${count}`;
}

/** Mounted at /v1/teams. */
export const records = router().openapi(
  createRoute({
    method: "get",
    path: "/{teamId}/knowledges/{id}/records",
    tags: ["Knowledges"],
    summary: "Search a knowledge's records, or list them",
    middleware: [signedIn],
    request: { params: z.object({ teamId: teamRef, id: z.uuid() }), query: recordsQuery },
    responses: { 200: json(recordList), ...failures },
  }),
  async (c) => {
    const { teamId, id } = c.req.valid("param");
    const query = c.req.valid("query");
    await asCallerThenService(
      claimsOf(c),
      async (tx) => {
        const team = await teamWith(tx, teamId, "knowledges.read");
        found(await readKnowledge(tx, team, id));
        return team;
      },
      (tx, team) => takeWithin(tx, query.query ? searchHits(c.var.caller, [team]) : []),
    );
    return c.json({ data: await findRecords(claimsOf(c), id, query) }, 200);
  },
);
