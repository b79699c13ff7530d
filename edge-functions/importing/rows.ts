// Owns what is taken of each table of an archive: the shape of its lines, and which columns come of them. What is not named here is
// dropped. Postgres checks again what it keeps. Pure.
import { z } from "zod";
import { isPlainText } from "../_shared/plain-text.ts";
import { contentTypeOf, typeOf } from "../v1/files/content-types.ts";

const id = z.uuid().transform((value) => value.toLowerCase());
const plain = (most: number) => z.string().min(1).max(most).refine(isPlainText);
const text = (most: number) => z.string().max(most);
/** Not before there was a Parley, not in the future: charts count by day. */
const time = z.iso
  .datetime({ offset: true })
  .refine((value) => Date.parse(value) >= Date.UTC(2000, 0))
  .transform((value) => new Date(Math.min(Date.parse(value), Date.now())).toISOString());
const rating = z.enum(["up", "down"]).nullable();
const address = z
  .string()
  .max(2000)
  .regex(/^https?:\/\/\S+$/)
  .refine(isPlainText);

const citation = z.object({
  index: z.int().min(0).max(1000),
  sourceId: id,
  documentId: id,
  chunkId: id,
  title: text(500),
  url: address.nullable(),
  quote: text(100_000),
});
export type Citation = z.infer<typeof citation>;

const usage = z.object({
  promptTokens: z.int().min(0).max(100_000_000),
  completionTokens: z.int().min(0).max(100_000_000),
  model: text(200),
});

/** A line of a table: the id that it had, and what is kept of it, by the names of columns. */
export interface ArchivedRow {
  oldId?: string;
  content: Record<string, unknown>;
}

const row =
  <S extends z.ZodObject>(shape: S, keep: (value: z.output<S>) => Record<string, unknown> | undefined) =>
  (line: unknown): ArchivedRow | undefined => {
    const value = shape.parse(line);
    const content = keep(value);
    return content && { ...(typeof value.id === "string" ? { oldId: value.id } : {}), content };
  };

/** In the order in which they are read. Each gives undefined for a line that nothing comes of, and throws a ZodError. */
export const tables = {
  files: row(
    z.object({
      id,
      name: plain(255),
      contentType: text(255),
      size: z.int().min(1),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      createdAt: time,
    }),
    ({ name, contentType: declared, size, sha256, createdAt }) => {
      const contentType = contentTypeOf(name, declared);
      return {
        name,
        content_type: contentType,
        type: typeOf(contentType),
        size,
        sha256,
        created_at: createdAt,
      };
    },
  ),
  roles: row(
    z.object({
      id,
      name: plain(100),
      codename: text(64),
      permissions: z.array(text(60)).max(100),
      createdAt: time,
    }),
    ({ createdAt, id: _, ...rest }) => ({ ...rest, created_at: createdAt }),
  ),
  agents: row(
    z.object({
      id,
      name: plain(200),
      description: text(2000),
      instructions: text(20_000),
      greeting: text(2000),
      suggestedPrompts: z.array(text(300)).max(12),
      model: text(200),
      temperature: z.number().min(0).max(2),
      visibility: z.enum(["private", "public"]),
      retrievalTopK: z.int().min(1).max(50),
      retrievalMinScore: z.number().min(0).max(1),
      retrievalMode: z.enum(["hybrid", "vector", "text"]),
      allowedOrigins: z.array(text(300)).max(50),
      createdAt: time,
    }),
    (agent) => ({
      name: agent.name,
      description: agent.description,
      instructions: agent.instructions,
      greeting: agent.greeting,
      suggested_prompts: agent.suggestedPrompts,
      model: agent.model,
      temperature: agent.temperature,
      visibility: agent.visibility,
      retrieval_top_k: agent.retrievalTopK,
      retrieval_min_score: agent.retrievalMinScore,
      retrieval_mode: agent.retrievalMode,
      allowed_origins: agent.allowedOrigins,
      created_at: agent.createdAt,
    }),
  ),
  knowledges: row(
    z.object({
      id,
      name: plain(200),
      description: text(2000),
      language: z.enum(["en", "fr", "simple"]),
      chunkMaxTokens: z.int().min(32).max(2000),
      chunkOverlapTokens: z.int().min(0).max(2000),
      status: text(20),
      createdAt: time,
    }),
    (knowledge) => ({
      name: knowledge.name,
      description: knowledge.description,
      language: knowledge.language,
      chunk_max_tokens: knowledge.chunkMaxTokens,
      chunk_overlap_tokens: knowledge.chunkOverlapTokens,
      was_indexed: knowledge.status !== "none",
      created_at: knowledge.createdAt,
    }),
  ),
  sources: row(
    z.object({
      id,
      type: z.enum(["file", "agentChat", "jira", "shopify", "hubspot"]),
      name: plain(200),
      config: z.record(z.string().max(100), z.unknown()),
      schedule: z.enum(["manual", "hourly", "daily", "weekly"]),
      createdAt: time,
    }),
    ({ type, name, config, schedule, createdAt }) => ({
      type,
      name,
      config,
      schedule,
      created_at: createdAt,
    }),
  ),
  knowledge_sources: row(z.object({ knowledgeId: id, sourceId: id }), (link) => ({
    knowledge_id: link.knowledgeId,
    source_id: link.sourceId,
  })),
  agent_knowledges: row(z.object({ agentId: id, knowledgeId: id }), (link) => ({
    agent_id: link.agentId,
    knowledge_id: link.knowledgeId,
  })),
  documents: row(
    z.object({
      id,
      sourceId: id,
      externalId: z.string().min(1).max(512),
      type: plain(100),
      title: plain(500),
      url: address.nullable(),
      content: text(16_777_216).nullable(),
      contentHash: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .nullable(),
      createdAt: time,
    }),
    (document) => ({
      source_id: document.sourceId,
      external_id: document.externalId,
      type: document.type,
      title: document.title,
      url: document.url,
      // What is here itself is read again from there, not believed.
      ...(document.type === "file" || document.type === "agentChat"
        ? {}
        : { content: document.content, content_hash: document.contentHash }),
      created_at: document.createdAt,
    }),
  ),
  chats: row(
    z.object({
      id,
      agentId: id,
      userId: id.nullable(),
      visitorId: id.nullable(),
      channel: z.enum(["web", "playground", "api", "widget", "slack"]),
      title: z
        .string()
        .max(200)
        .refine((title) => title === "" || isPlainText(title)),
      summary: text(10_000).nullable(),
      rating,
      comment: text(2000).nullable(),
      createdAt: time,
    }),
    (chat) => ({
      agent_id: chat.agentId,
      user_id: chat.userId,
      visitor_id: chat.visitorId,
      channel: chat.channel,
      title: chat.title,
      summary: chat.summary,
      rating: chat.rating,
      comment: chat.comment,
      created_at: chat.createdAt,
    }),
  ),
  messages: row(
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
      superseded: z.boolean(),
      finishedAt: time.nullable(),
      createdAt: time,
    }),
    (message) => ({
      chat_id: message.chatId,
      role: message.role,
      content: message.content,
      // Nobody goes on writing it here.
      status: message.status === "streaming" ? "stopped" : message.status,
      citations: message.citations,
      unanswered: message.unanswered,
      rating: message.rating,
      comment: message.comment,
      usage: message.usage,
      superseded: message.superseded,
      finished_at: message.finishedAt,
      created_at: message.createdAt,
    }),
  ),
  apps: row(
    z.object({
      id,
      name: plain(200),
      type: z.literal("slack"),
      agentId: id,
      channels: z.array(text(40)).max(100),
      audience: z.enum(["members", "guests", "everyone"]),
      createdAt: time,
    }),
    ({ name, type, agentId, channels, audience, createdAt }) => ({
      name,
      type,
      agent_id: agentId,
      channels,
      audience,
      created_at: createdAt,
    }),
  ),
  api_keys: row(z.object({ id, name: plain(200), roleId: id }), ({ name, roleId }) => ({
    name,
    role_id: roleId,
  })),
  team_users: row(
    z.object({
      id,
      userId: id.nullable(),
      email: z.string().toLowerCase().max(254).pipe(z.email()),
      roleId: id,
      status: text(20),
    }),
    ({ userId, email, roleId, status }) =>
      status === "rejected" ? undefined : { user_id: userId, email, role_id: roleId },
  ),
} satisfies Record<string, (line: unknown) => ArchivedRow | undefined>;

export type TableName = keyof typeof tables;
export const tableNames = Object.keys(tables) as TableName[];

/** How many lines of a table are taken; above, an installation is moved by backup and restore. */
export const mostRows: Record<TableName, number> = {
  files: 20_000,
  roles: 200,
  agents: 2000,
  knowledges: 2000,
  sources: 2000,
  knowledge_sources: 20_000,
  agent_knowledges: 20_000,
  documents: 100_000,
  chats: 200_000,
  messages: 1_000_000,
  apps: 200,
  api_keys: 1000,
  team_users: 5000,
};
