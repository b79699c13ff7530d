// Owns searchable knowledge bases: a team with an owner, an agent, and texts as chunks with words and embeddings, written as the indexing
// service writes them. Inserted by the superuser.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import type { Claims } from "./actors.ts";
import { systemRoleIds } from "./permissions.ts";

export interface Text {
  /** Returned as the document's id. */
  id?: string;
  title: string;
  content: string;
  heading?: string;
  url?: string;
  /** The language of its words; by default the knowledge base's, as in rows of older releases. */
  language?: string;
}

export interface Space {
  id: string;
  dimensions: number;
  embed(texts: string[]): Promise<Float32Array[]> | Float32Array[];
}

export interface SearchableTeam {
  id: string;
  owner: Extract<Claims, { role: string }>;
  agentId: string;
  agent: Claims;
}

/** Creates a team with an owner and an agent without a knowledge base. */
export async function makeTeam(sql: Sql): Promise<SearchableTeam> {
  const team = randomUUID();
  const owner = randomUUID();
  const agent = randomUUID();
  const email = `owner-${owner}@search.test`;
  await sql`insert into auth.users (id, email, raw_user_meta_data) values (${owner}, ${email}, '{}')`;
  await sql`insert into public.teams (id, name, codename) values (${team}, 'Team', ${`t-${team}`})`;
  await sql`insert into public.team_users (team_id, user_id, email, role_id, status)
            values (${team}, ${owner}, ${email}, ${systemRoleIds.owner}, 'accepted')`;
  await sql`insert into public.agents (id, team_id, name) values (${agent}, ${team}, 'Agent')`;
  return {
    id: team,
    owner: { role: "authenticated", sub: owner },
    agentId: agent,
    agent: { role: "authenticated", agent_id: agent },
  };
}

export async function makeSpace(
  sql: Sql,
  model: string,
  dimensions: number,
  embed: Space["embed"],
): Promise<Space> {
  const [row] = await sql<{ id: string }[]>`
    insert into public.vectors (name, model, dimensions) values (${model}, ${model}, ${dimensions})
    on conflict (model, dimensions) do update set name = excluded.name returning id`;
  if (!row) throw new Error("A space has an id");
  return { id: row.id, dimensions, embed };
}

/** @returns the knowledge base's id; each text is one document of one chunk */
export async function makeKnowledge(
  sql: Sql,
  team: SearchableTeam,
  texts: Text[],
  options: { space?: Space; language?: "en" | "fr" | "simple"; linked?: boolean } = {},
): Promise<string> {
  const knowledge = randomUUID();
  const source = randomUUID();
  const { space, language = "en", linked = true } = options;
  await sql`insert into public.sources (id, team_id, type, name) values (${source}, ${team.id}, 'file', 'Source')`;
  await sql`insert into public.knowledges (id, team_id, name, language, vector_id, status)
            values (${knowledge}, ${team.id}, 'Knowledge', ${language}, ${space?.id ?? null}, 'ready')`;
  if (linked) {
    await sql`insert into public.agent_knowledges (team_id, agent_id, knowledge_id)
              values (${team.id}, ${team.agentId}, ${knowledge})`;
  }
  for (let from = 0; from < texts.length; from += 200) {
    await addTexts(sql, { team: team.id, knowledge, source, language, space }, texts.slice(from, from + 200));
  }
  return knowledge;
}

type Place = { team: string; knowledge: string; source: string; language: string; space?: Space };

async function addTexts(sql: Sql, place: Place, texts: Text[]): Promise<void> {
  const { team, knowledge, source, language, space } = place;
  const vectors = await space?.embed(texts.map(({ title, content }) => `${title}\n${content}`));
  const rows = texts.map(
    ({ id = randomUUID(), title, content, heading = "", url = null, language: own = "" }, i) => ({
      chunk: randomUUID(),
      document: id,
      title,
      content,
      heading,
      url,
      length: content.length,
      own,
      embedding: vectors ? `[${[...(vectors[i] ?? [])].join(",")}]` : null,
    }),
  );
  const json = JSON.stringify(rows);
  const table = sql`jsonb_to_recordset(${json}::text::jsonb)
    as r (chunk uuid, document uuid, title text, content text, heading text, url text, length int, own text, embedding text)`;
  await sql`insert into public.documents (id, team_id, source_id, external_id, type, title, url, content)
            select r.document, ${team}, ${source}, r.document::text, 'file', r.title, r.url, r.content from ${table}`;
  await sql`insert into public.document_indexes (team_id, knowledge_id, document_id, status)
            select ${team}, ${knowledge}, r.document, 'ready' from ${table}`;
  await sql`insert into public.chunks (id, team_id, knowledge_id, source_id, document_id, position, content,
                start_offset, end_offset, heading, tokens, content_hash)
            select r.chunk, ${team}, ${knowledge}, ${source}, r.document, 0, r.content, 0, r.length, r.heading,
                   1 + r.length / 4, md5(r.content) from ${table}`;
  await sql`insert into public.chunk_words (team_id, knowledge_id, chunk_id, language, words)
            select ${team}, ${knowledge}, r.chunk, r.own,
                   private.chunk_words(coalesce(nullif(r.own, ''), ${language}), r.title, r.heading, r.content) from ${table}`;
  if (!space) return;
  await sql`insert into public.chunk_embeddings (team_id, knowledge_id, vector_id, chunk_id, dimensions, embedding)
            select ${team}, ${knowledge}, ${space.id}, r.chunk, ${space.dimensions}, r.embedding::extensions.halfvec
              from ${table}`;
}

/**
 * A knowledge base of any number of passages in one document, with synthetic vectors as similar as real ones: each is the sum of two of a
 * thousand directions. For benches.
 * @param languages the passages' in turn; the knowledge base's by default
 */
export async function fillKnowledge(
  sql: Sql,
  team: SearchableTeam,
  space: Space,
  size: number,
  passage: () => string,
  languages = [""],
): Promise<string> {
  await sql`
    create temporary table if not exists directions as
    select n as id, (select array_agg(random() - 0.5 + (n + d) * 0) from generate_series(1, ${space.dimensions}::int) d)::extensions.halfvec as v
      from generate_series(0, 999) n`;
  const knowledge = await makeKnowledge(sql, team, [{ title: "D", content: "words" }]);
  await sql`update public.knowledges set vector_id = ${space.id} where id = ${knowledge}`;
  await sql`delete from public.chunks where knowledge_id = ${knowledge}`;
  for (let from = 0; from < size; from += 2_000) {
    const texts = Array.from({ length: Math.min(2_000, size - from) }, passage);
    await sql`
      with made as (
        insert into public.chunks (team_id, knowledge_id, source_id, document_id, position, content, start_offset,
               end_offset, tokens, content_hash)
        select d.team_id, ${knowledge}, d.source_id, d.id, ${from} + t.n, t.content, 0, 5, 300, ''
          from public.document_indexes i join public.documents d on d.id = i.document_id
         cross join unnest(${texts}::text[]) with ordinality t (content, n) where i.knowledge_id = ${knowledge}
        returning id, team_id, position, content
      ), words as (
        insert into public.chunk_words (team_id, knowledge_id, chunk_id, language, words)
        select m.team_id, ${knowledge}, m.id, (${languages}::text[])[1 + m.position % ${languages.length}::int], private.chunk_words('simple', 'D', '', m.content) from made m)
      insert into public.chunk_embeddings (team_id, knowledge_id, vector_id, chunk_id, dimensions, embedding)
      select m.team_id, ${knowledge}, ${space.id}, m.id, ${space.dimensions},
             one.v operator(extensions.+) other.v
        from made m join directions one on one.id = m.position % 1000
        join directions other on other.id = (m.position * 7 + m.position / 1000) % 1000`;
  }
  return knowledge;
}
