// Owns a team with more rows than one transaction deletes: an agent with many messages, and a knowledge base and a source with many passages.
import { randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";

export interface ManyRows {
  agent: string;
  knowledge: string;
  source: string;
}

/** @param many passages, and as many messages unless `messages` says how many */
export async function makeManyRows(
  sql: Sql | TransactionSql,
  { team, person, many, messages = many }: { team: string; person: string; many: number; messages?: number },
): Promise<ManyRows> {
  const [agent, knowledge, source, space] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const perDocument = 20;
  await sql`insert into public.agents (id, team_id, name, address) values (${agent}, ${team}, 'Many', ${`many-${agent.slice(0, 8)}`})`;
  await sql`insert into public.vectors (id, name, model, dimensions) values (${space}, 'Space', ${`many-${space}`}, 3)`;
  await sql`insert into public.knowledges (id, team_id, name, vector_id, status) values (${knowledge}, ${team}, 'Many', ${space}, 'ready')`;
  await sql`insert into public.sources (id, team_id, name, type) values (${source}, ${team}, 'Many', 'qa')`;
  await sql`insert into public.knowledge_sources (team_id, knowledge_id, source_id) values (${team}, ${knowledge}, ${source})`;
  await sql`insert into public.agent_knowledges (team_id, agent_id, knowledge_id) values (${team}, ${agent}, ${knowledge})`;
  await sql`
    insert into public.chats (team_id, agent_id, user_id, title)
    select ${team}, ${agent}, ${person}, 'Zebra ' || n from generate_series(1, ${Math.ceil(messages / perDocument)}::int) n`;
  await sql`
    insert into public.messages (team_id, chat_id, user_id, role, content)
    select c.team_id, c.id, c.user_id, case when n % 2 = 1 then 'user' else 'assistant' end, 'A zebra has stripes'
      from public.chats c, generate_series(1, ${perDocument}::int) n where c.agent_id = ${agent}`;
  await sql`
    insert into public.documents (team_id, source_id, external_id, type, title, content, content_hash, status, chunks_count)
    select ${team}, ${source}, n::text, 'qa', 'Zebra ' || n, 'A zebra has stripes', repeat('a', 64), 'ready', ${perDocument}::int
      from generate_series(1, ${Math.ceil(many / perDocument)}::int) n`;
  await sql`
    insert into public.handovers (team_id, chat_id, message, consent_version)
    select team_id, id, 'A zebra has stripes', '1' from public.chats where agent_id = ${agent} order by id limit 1`;
  await sql`
    insert into public.gap_questions (message_id, question_id, team_id, agent_id, cause, asked_at)
    select m.id, m.id, m.team_id, ${agent}, 'unanswered', now()
      from public.messages m join public.chats c on c.id = m.chat_id where c.agent_id = ${agent} order by m.id limit 1`;
  await addPassages(sql, { knowledge, source, space, perDocument });
  return { agent, knowledge, source };
}

/** Indexes all documents of a source. */
async function addPassages(
  sql: Sql | TransactionSql,
  {
    knowledge,
    source,
    space,
    perDocument,
  }: { knowledge: string; source: string; space: string; perDocument: number },
): Promise<void> {
  await sql`
    insert into public.document_indexes (team_id, knowledge_id, document_id, status, signature, chunks_count)
    select d.team_id, ${knowledge}, d.id, 'ready', 'read', ${perDocument}::int from public.documents d where d.source_id = ${source}`;
  await sql`
    insert into public.chunks (team_id, knowledge_id, source_id, document_id, position, content, start_offset, end_offset, tokens, content_hash)
    select d.team_id, ${knowledge}, d.source_id, d.id, n, 'A zebra has stripes', n, n + 10, 5, 'hash'
      from public.documents d, generate_series(1, ${perDocument}::int) n where d.source_id = ${source}`;
  await sql`
    insert into public.chunk_words (team_id, knowledge_id, chunk_id, words, language)
    select c.team_id, c.knowledge_id, c.id, (select private.chunk_words('en', '', '', 'A zebra has stripes')), 'en'
      from public.chunks c where c.knowledge_id = ${knowledge} and c.source_id = ${source}`;
  await sql`
    insert into public.chunk_embeddings (team_id, knowledge_id, vector_id, chunk_id, dimensions, embedding)
    select c.team_id, c.knowledge_id, ${space}, c.id, 3, '[1,0,0]'
      from public.chunks c where c.knowledge_id = ${knowledge} and c.source_id = ${source}`;
  await sql`
    insert into public.document_tables (team_id, knowledge_id, document_id, position, caption, columns, rows_count)
    select d.team_id, ${knowledge}, d.id, 1, 'Zebras', '[]', 2 from public.documents d where d.source_id = ${source}`;
  await sql`
    insert into public.table_rows (team_id, knowledge_id, table_id, position, cells, numbers, start_offset, end_offset)
    select t.team_id, ${knowledge}, t.id, n, '{zebra}', '{1}', 0, 1
      from public.document_tables t join public.documents d on d.id = t.document_id, generate_series(1, 2) n
     where t.knowledge_id = ${knowledge} and d.source_id = ${source}`;
  await sql`select private.recount_knowledges(array[${knowledge}::uuid])`;
}
