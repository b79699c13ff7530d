// Owns importing messages. Written as the service: no client may write a reply.
import { z } from "zod";
import type { Transaction } from "../_shared/database/db.ts";
import type { Slice } from "./hidden-rows.ts";
import { newIdOf } from "./ids.ts";
import { address, id, plain, rating, reason, row, support, text, time, usage } from "./shapes.ts";

const cells = z.array(text(1000)).max(100);
const citation = z.object({
  index: z.int().min(0).max(1000),
  sourceId: id,
  documentId: id,
  chunkId: id,
  title: text(500),
  url: address.nullable(),
  heading: text(2000).optional(),
  page: z.int().min(0).nullable().optional(),
  syncedAt: time.nullable().optional(),
  changedAt: time.nullable().optional(),
  quote: text(100_000),
  table: z.object({ columns: cells, rows: z.array(cells).max(100) }).optional(),
});
type Citation = z.infer<typeof citation>;

export const messageRow = row(
  z.object({
    id,
    chatId: id,
    role: z.enum(["user", "assistant"]),
    content: text(200_000),
    status: z.enum(["streaming", "complete", "stopped", "failed"]),
    citations: z.array(citation).max(200),
    unanswered: z.boolean(),
    rating,
    comment: text(2000).nullable(),
    usage: usage.nullable(),
    support: support.nullable().default(null),
    authorName: plain(200).nullable().default(null),
    suggestions: z.array(text(300)).max(3).default([]),
    error: reason,
    undelivered: reason,
    superseded: z.boolean(),
    searchedFor: text(2000).nullable().default(null),
    finishedAt: time.nullable(),
    createdAt: time,
  }),
  (message) => ({
    chat_id: message.chatId,
    role: message.role,
    content: message.content,
    // An unfinished reply does not continue here.
    status: message.status === "streaming" ? "stopped" : message.status,
    citations: message.citations,
    unanswered: message.unanswered,
    rating: message.rating,
    comment: message.comment,
    usage: message.usage,
    support: message.support,
    author_name: message.authorName,
    suggestions: message.suggestions,
    error: message.error,
    undelivered: message.undelivered,
    superseded: message.superseded,
    searched_for: message.searchedFor,
    finished_at: message.finishedAt,
    created_at: message.createdAt,
  }),
);

/** A citation keeps its text; its references are replaced by the new ids. No other row refers to a staged message: it is moved. */
export async function insertMessages(tx: Transaction, teamId: string, { after, last }: Slice) {
  const citing = await tx<{ position: number; citations: Citation[] }[]>`
    select r.position, r.content -> 'citations' as citations from private.import_rows r
     where r.team_id = ${teamId} and r.kind = 'messages' and r.position > ${after} and r.position <= ${last}
       and r.content -> 'citations' <> '[]'`;
  const sources = await tx<{ oldId: string; newId: string }[]>`
    select r.old_id, r.new_id from private.import_rows r
     where r.team_id = ${teamId} and r.kind = 'sources' and r.new_id is not null`;
  const sourceIds = new Map(sources.map(({ oldId, newId }) => [oldId, newId]));
  const citations = citing.map((row) =>
    JSON.stringify(
      row.citations.map((one) => ({
        ...one,
        sourceId: sourceIds.get(one.sourceId) ?? newIdOf(teamId, one.sourceId),
        documentId: newIdOf(teamId, one.documentId),
        chunkId: newIdOf(teamId, one.chunkId),
      })),
    ),
  );
  return await tx`
    with moved as (
      delete from private.import_rows r
       where r.team_id = ${teamId} and r.kind = 'messages' and r.position > ${after} and r.position <= ${last}
      returning r.*)
    insert into public.messages (id, team_id, chat_id, role, content, status, citations, unanswered, rating, comment, usage,
                                 support, author_name, suggestions, error, undelivered, superseded, searched_for,
                                 finished_at, created_at)
    select r.new_id, r.team_id, c.new_id, m.role, m.content, m.status, coalesce(cited.citations::jsonb, '[]'), m.unanswered, m.rating,
           m.comment, nullif(m.usage, 'null'), nullif(m.support, 'null'), m.author_name, m.suggestions, m.error, m.undelivered, m.superseded,
           m.searched_for, m.finished_at, m.created_at
      from moved r
     cross join lateral jsonb_populate_record(null::public.messages, r.content) m
      join private.import_rows c on c.team_id = r.team_id and c.kind = 'chats' and c.old_id = m.chat_id and c.new_id is not null
      left join unnest(${citing.map(({ position }) => position)}::int[], ${citations}::text[]) as cited (position, citations)
        on cited.position = r.position
     order by r.position`;
}
