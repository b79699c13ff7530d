// Owns the import of each table: the shape of a line, and the columns it becomes. Columns not named here are dropped. Postgres checks the
// stored rows again. Pure.

import { z } from "zod";
import { documentLanguages } from "../../locales/registry.ts";
import { isPlainText } from "../_shared/text/plain-text.ts";
import { schedules } from "../indexing/connectors/declaration.ts";
import { connectorTypes, declarationOf } from "../indexing/connectors/registry.ts";
import { contentTypeOf, typeOf } from "../v1/files/content-types.ts";
import { appearance, appearanceColumns } from "./appearances.ts";
import { gapQuestionRow, gapRow } from "./gaps.ts";
import { handoverRow } from "./handovers.ts";
import { messageRow } from "./messages.ts";
import {
  type ArchivedRow,
  address,
  id,
  isSaid,
  laterTime,
  mailAddress,
  note,
  plain,
  rating,
  row,
  text,
  time,
  unsupportedClaims,
} from "./shapes.ts";
import { parsedStructure } from "./structures.ts";

/** What an agent and its versions have in common. */
const ofAgent = {
  name: plain(200),
  description: text(2000),
  instructions: text(20_000),
  greeting: text(2000),
  suggestedPrompts: z.array(text(300)).max(12),
  model: text(200),
  temperature: z.number().min(0).max(2),
  visibility: z.enum(["private", "public"]),
  allowedOrigins: z.array(text(15_000)).max(50),
  unsupportedClaims,
};
const topK = z.int().min(1).max(50);
const minScore = z.number().min(0).max(1);
const mode = z.enum(["hybrid", "vector", "text"]);
const settings = z.object({
  ...ofAgent,
  // Past /v1, an agent could once have more than 50.
  knowledgeIds: z.array(id).max(20_000),
  retrieval: z.object({ topK, minScore, mode }),
});

/** In reading order. Each returns undefined for a line that is skipped, and throws a ZodError for an invalid one. */
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
      ...ofAgent,
      retrievalTopK: topK,
      retrievalMinScore: minScore,
      retrievalMode: mode,
      ...appearance,
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
      unsupported_claims: agent.unsupportedClaims,
      ...appearanceColumns(agent),
      created_at: agent.createdAt,
    }),
  ),
  knowledges: row(
    z.object({
      id,
      name: plain(200),
      description: text(2000),
      language: z.enum(documentLanguages),
      chunkMaxTokens: z.int().min(32).max(2000),
      chunkOverlapTokens: z.int().min(0).max(2000),
      // Missing in older archives.
      warnAfterDays: z.int().min(1).max(3650).nullable().default(null),
      status: text(20),
      createdAt: time,
    }),
    (knowledge) => ({
      name: knowledge.name,
      description: knowledge.description,
      language: knowledge.language,
      chunk_max_tokens: knowledge.chunkMaxTokens,
      chunk_overlap_tokens: knowledge.chunkOverlapTokens,
      warn_after_days: knowledge.warnAfterDays,
      was_indexed: knowledge.status !== "none",
      created_at: knowledge.createdAt,
    }),
  ),
  sources: row(
    z.object({
      id,
      type: z.enum(connectorTypes as [string, ...string[]]),
      name: plain(200),
      config: z.record(z.string().max(100), z.unknown()),
      schedule: z.enum(schedules),
      syncedAt: time.nullable().default(null),
      createdAt: time,
    }),
    ({ createdAt, syncedAt, id: _, ...rest }) => ({ ...rest, synced_at: syncedAt, created_at: createdAt }),
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
      externalId: text(512).refine((value) => value !== ""),
      type: plain(100),
      title: plain(500),
      url: address.nullable(),
      content: text(16_777_216).nullable(),
      contentHash: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .nullable(),
      structure: parsedStructure.default(null),
      changedAt: time.nullable().default(null),
      // Missing in older archives, as all that has a default.
      syncedAt: time.nullable().default(null),
      note: note.nullable().default(null),
      language: z.enum(documentLanguages).nullable().default(null),
      createdAt: time,
    }),
    (document) => ({
      source_id: document.sourceId,
      external_id: document.externalId,
      type: document.type,
      title: document.title,
      url: document.url,
      // Content generated from the team's own data is rebuilt, not imported.
      ...(declarationOf(document.type)?.origin === "team"
        ? {}
        : {
            content: document.content,
            content_hash: document.contentHash,
            structure: document.structure,
          }),
      changed_at: document.changedAt,
      synced_at: document.syncedAt,
      note: document.note,
      language: document.language,
      created_at: document.createdAt,
    }),
  ),
  qa_entries: row(
    z.object({
      id,
      sourceId: id,
      question: text(2000).refine(isSaid),
      answer: text(20_000).refine(isSaid),
      expiresAt: laterTime.nullable(),
      reviewedAt: time,
      createdAt: time,
    }),
    (entry) => ({
      source_id: entry.sourceId,
      question: entry.question,
      answer: entry.answer,
      expires_at: entry.expiresAt,
      reviewed_at: entry.reviewedAt,
      created_at: entry.createdAt,
    }),
  ),
  chats: row(
    z.object({
      id,
      agentId: id,
      userId: id.nullable(),
      visitorId: id.nullable(),
      channel: z.enum(["web", "playground", "api", "widget", "slack"]),
      title: text(200).refine((title) => title === "" || isPlainText(title)),
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
  messages: messageRow,
  handovers: handoverRow,
  gaps: gapRow,
  gap_questions: gapQuestionRow,
  agent_versions: row(
    z.object({
      id,
      agentId: id,
      number: z.int().min(1).max(2_000_000_000),
      settings: settings,
      restoredFrom: z.int().min(1).max(2_000_000_000).nullable(),
      publishedAt: time.nullable(),
      publishedDespite: z.int().min(0).max(500).nullable(),
      createdAt: time,
    }),
    (version) => ({
      agent_id: version.agentId,
      number: version.number,
      settings: version.settings,
      restored_from: version.restoredFrom,
      published_at: version.publishedAt,
      published_despite: version.publishedDespite,
      created_at: version.createdAt,
    }),
  ),
  agent_tests: row(
    z.object({
      id,
      agentId: id,
      question: text(20_000).refine((value) => value !== ""),
      facts: z.array(plain(500)).max(20),
      expectedDocumentId: id.nullable(),
      expectedTitle: plain(500).nullable(),
      mustRefuse: z.boolean(),
      createdAt: time,
    }),
    (test) => ({
      agent_id: test.agentId,
      question: test.question,
      facts: test.facts,
      expected_document_id: test.expectedDocumentId,
      expected_title: test.expectedTitle,
      must_refuse: test.mustRefuse,
      created_at: test.createdAt,
    }),
  ),
  apps: row(
    z.object({
      id,
      name: plain(200),
      type: z.literal("slack"),
      agentId: id,
      channels: z.array(text(8192)).max(100),
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
      email: mailAddress,
      roleId: id,
      status: text(20),
    }),
    ({ userId, email, roleId, status }) =>
      status === "rejected" ? undefined : { user_id: userId, email, role_id: roleId },
  ),
} satisfies Record<string, (line: unknown) => ArchivedRow | undefined>;

export type TableName = keyof typeof tables;
export const tableNames = Object.keys(tables) as TableName[];

/** Maximum lines per table. A larger installation is moved by backup and restore. */
export const mostRows: Record<TableName, number> = {
  files: 20_000,
  roles: 200,
  agents: 2000,
  knowledges: 2000,
  sources: 2000,
  knowledge_sources: 20_000,
  agent_knowledges: 20_000,
  documents: 100_000,
  qa_entries: 50_000,
  chats: 200_000,
  messages: 1_000_000,
  handovers: 200_000,
  gaps: 1_000_000,
  gap_questions: 1_000_000,
  agent_versions: 100_000,
  agent_tests: 100_000,
  apps: 200,
  api_keys: 1000,
  team_users: 5000,
};
