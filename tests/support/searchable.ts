// Owns knowledges to search in: a team with an owner, an agent, and texts as chunks with their lexemes and embeddings,
// written as the indexing service writes them. Made by the superuser.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import type { Claims } from "./actors.ts";
import { systemRoleIds } from "./permissions.ts";

export interface Text {
  /** Comes back as the document's id. */
  id?: string;
  title: string;
  content: string;
  heading?: string;
  url?: string;
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

/** A team with an owner and an agent that has no knowledge yet. */
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

/** @returns the knowledge's id; each text is one document of one chunk */
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
  const rows = texts.map(({ id = randomUUID(), title, content, heading = "", url = null }, i) => ({
    chunk: randomUUID(),
    document: id,
    title,
    content,
    heading,
    url,
    length: content.length,
    embedding: vectors ? `[${[...(vectors[i] ?? [])].join(",")}]` : null,
  }));
  const json = JSON.stringify(rows);
  const table = sql`jsonb_to_recordset(${json}::text::jsonb)
    as r (chunk uuid, document uuid, title text, content text, heading text, url text, length int, embedding text)`;
  await sql`insert into public.documents (id, team_id, source_id, external_id, type, title, url, content)
            select r.document, ${team}, ${source}, r.document::text, 'file', r.title, r.url, r.content from ${table}`;
  await sql`insert into public.document_indexes (team_id, knowledge_id, document_id, status)
            select ${team}, ${knowledge}, r.document, 'ready' from ${table}`;
  await sql`insert into public.chunks (id, team_id, knowledge_id, source_id, document_id, position, content,
                start_offset, end_offset, heading, tokens, content_hash, lexemes)
            select r.chunk, ${team}, ${knowledge}, ${source}, r.document, 0, r.content, 0, r.length, r.heading,
                   1 + r.length / 4, md5(r.content),
                   private.chunk_lexemes(${knowledge}, ${language}, r.title, r.heading, r.content) from ${table}`;
  if (!space) return;
  await sql`insert into public.chunk_embeddings (team_id, knowledge_id, vector_id, chunk_id, dimensions, embedding)
            select ${team}, ${knowledge}, ${space.id}, r.chunk, ${space.dimensions}, r.embedding::extensions.halfvec
              from ${table}`;
}
