// Owns the SQL of the search across a team's data, in one message. Row-level security decides which rows are visible.
import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { contains } from "../sql.ts";
import { anchorOf, excerptOf, hasMostWords, wordsOf } from "./excerpt.ts";
import type { SearchHit, SearchQuery } from "./schema.ts";

/** How much of a long message is read around a word. */
const around = { before: 100, length: 400 };

type Row = Omit<SearchHit, "excerpt"> & { text: string };

/** Rows with a name: few enough in a team to scan them all. */
const findByName = (tx: Transaction, team: TeamId, { query, count }: SearchQuery) => {
  const patterns = wordsOf(query).map(contains);
  const first = anchorOf(query).toLowerCase();
  const of = (type: "agent" | "knowledge" | "source", table: string, text: string) => tx`
    (select ${type}::text as type, r.id, r.name as title, ${tx.unsafe(text)} as text
       from ${tx(table)} r
      where r.team_id = ${team} and r.name ilike all (${patterns}::text[])
      order by strpos(lower(r.name), ${first}), r.name collate private.natural_order, r.id limit ${count})`;
  return tx<Row[]>`
    ${of("agent", "public.agents", "r.description")}
    union all ${of("knowledge", "public.knowledges", "r.description")}
    union all ${of("source", "public.sources", "''")}`;
};

const documents = (tx: Transaction, team: TeamId, { query, count }: SearchQuery) => tx<Row[]>`
  select 'document' as type, d.id, d.title, '' as text, d.url, d.source_id
    from private.find_documents(${team}, ${query}, ${count}) f
    join public.documents d on d.id = f.document_id
   order by d.id desc`;

const passages = (tx: Transaction, team: TeamId, { query, count }: SearchQuery) => tx<Row[]>`
  select 'passage' as type, p.chunk_id as id, p.title, p.content as text, p.url, p.knowledge_id, p.source_id, p.document_id
    from public.search_chunks(
           array(select k.id from public.knowledges k where k.team_id = ${team} and k.chunks_count > 0 order by k.id limit 1000),
           ${query}, '[]', ${count}, 'text') p
   order by p.score desc, p.chunk_id`;

const chats = (tx: Transaction, team: TeamId, { query, count }: SearchQuery) => tx<Row[]>`
  select 'chat' as type, c.id, c.title, c.agent_id, m.id as message_id,
         coalesce(substr(m.content, greatest(1, strpos(lower(m.content), ${anchorOf(query).toLowerCase()}) - ${around.before}::int),
                         ${around.length}::int), '') as text
    from private.find_chats(${team}, ${query}, ${count}) with ordinality f (chat_id, message_id, position)
    join public.chats c on c.id = f.chat_id
    left join public.messages m on m.id = f.message_id
   order by f.position`;

/** The team's rows that the caller may see and that match a query. */
export async function search(tx: Transaction, team: TeamId, asked: SearchQuery): Promise<SearchHit[]> {
  const found = await Promise.all([
    findByName(tx, team, asked),
    documents(tx, team, asked),
    passages(tx, team, asked),
    chats(tx, team, asked),
  ]);
  return found
    .flat()
    .filter(({ type, title, text }) => type !== "passage" || hasMostWords(`${title} ${text}`, asked.query))
    .map((row) => toHit(row, asked.query));
}

function toHit({ text, url, messageId, ...row }: Row, query: string): SearchHit {
  return { ...row, excerpt: excerptOf(text, query), url: url ?? null, messageId: messageId ?? undefined };
}
