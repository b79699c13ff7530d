// Owns the schemas of gaps: questions without a good answer, grouped by meaning.
import { z } from "@hono/zod-openapi";
import { agentTest } from "../agent-tests/schema.ts";
import { searchedFor } from "../messages/schema.ts";
import { qaEntry, written } from "../qa-entries/schema.ts";
import { id, line, pageQuery, time, times } from "../router.ts";
import { status as taskStatus } from "../tasks/schema.ts";

const state = z.enum(["open", "answered", "dismissed"]).openapi({
  description:
    "answered: all its questions were asked again and are answered now. A new question reopens it.",
});
const reason = z.enum(["missing", "notFound"]).openapi({
  description:
    "missing: no text of the team fits. notFound: a text fits, but the agent did not find it or does not have it.",
});

const cause = z.enum(["unanswered", "partly", "disagree", "down"]);

const example = z.object({
  messageId: id.openapi({ description: "The reply's id." }),
  chatId: id,
  question: z.string(),
  searchedFor,
  cause: cause.openapi({
    description:
      "unanswered: the agent found nothing. partly: it found part of it. disagree: documents contradict each other. down: the reply was rated down.",
  }),
  comment: z.string().nullable().openapi({ description: "The comment of the rating." }),
  disagreement: z
    .array(z.object({ documentId: id.nullable(), title: z.string(), quote: z.string() }))
    .openapi({ description: "The statements of two documents that disagree; else empty." }),
  askedAt: time,
  again: z.enum(["waiting", "answered", "open"]).nullable().openapi({
    description: "The result of asking it again. Null if it was not, or the task ended before.",
  }),
});

const document = z.object({ id, sourceId: id, title: z.string() });

export const gap = z
  .object({
    id,
    teamId: id,
    agentId: id,
    agentName: z.string().nullable(),
    question: z.string().openapi({ description: "The first question." }),
    searchedFor,
    questions: z
      .int()
      .openapi({ description: "Number of unanswered questions. Once all are answered, number of all." }),
    people: z.int().openapi({ description: "Number of people who asked." }),
    reason,
    found: document.nullable().openapi({ description: "The document that fits, if there is one." }),
    state,
    lastAskedAt: time,
    examples: z.array(example).openapi({ description: "The latest five questions." }),
    entry: z
      .object({ id, sourceId: id, question: z.string(), answer: z.string(), documentId: id.nullable() })
      .nullable()
      .openapi({ description: "The latest written answer." }),
    again: z
      .object({
        taskId: id.nullable(),
        status: taskStatus,
        error: z.string().nullable(),
        total: z.int(),
        done: z.int(),
        answered: z.int(),
      })
      .nullable()
      .openapi({ description: "Asking its latest 20 questions again: how many are answered now." }),
    ...times,
  })
  .openapi("Gap");
export type Gap = z.infer<typeof gap>;

const contradiction = z.object({
  documentId: id,
  sourceId: id,
  title: z.string(),
  said: z.string().openapi({ description: "The sentence in the written answer." }),
  quote: z.string().openapi({ description: "The sentence in the document, with another value." }),
});
export type Contradiction = z.infer<typeof contradiction>;
const contradictions = z.array(contradiction).openapi({
  description: "Documents in the agent's knowledge bases that contradict the written answer.",
});

export const oneGap = gap.extend({ contradictions }).openapi("GapWithContradictions");

export const gapsQuery = pageQuery.extend({
  state: state.optional(),
  reason: reason.optional(),
  cause: cause.optional().openapi({ description: "Gaps with at least one question of this cause." }),
  agentId: z.uuid().optional(),
});
export type GapsQuery = z.infer<typeof gapsQuery>;

export const gapUpdate = z
  .strictObject({ state: z.enum(["open", "dismissed"]) })
  .openapi("GapUpdate", { description: "dismissed: nobody will answer it." });

export const gapAnswer = z
  .strictObject({
    answer: written.answer,
    knowledgeId: z.uuid().optional().openapi({
      description:
        "One of the agent's knowledge bases, whose written answers get the answer. Absent: its first.",
    }),
    question: written.question
      .optional()
      .openapi({ description: "Absent: what was searched for the gap's question, or the question itself." }),
    ownerId: written.ownerId.optional(),
    expiresAt: written.expiresAt.optional(),
    addTest: z.boolean().default(true).openapi({
      description: "Whether to create a test of the agent: its answer must cite this one.",
    }),
    facts: z.array(line(500)).max(20).optional().openapi({
      description: "Facts that an answer must contain to pass the test, in addition to citing this one.",
    }),
  })
  .openapi("GapAnswer", { example: { answer: "25 days a year." } });
export type GapAnswer = z.infer<typeof gapAnswer>;

export const gapAnswered = z
  .object({
    gap,
    entry: qaEntry,
    source: z
      .object({ id, name: z.string() })
      .openapi({ description: "The source that contains the answer." }),
    document: z.object({ id, title: z.string() }),
    test: agentTest.nullable(),
    taskId: id.openapi({ description: "The task that asks the questions again once the answer is indexed." }),
    contradictions,
  })
  .openapi("GapAnswered");
export type GapAnswered = z.infer<typeof gapAnswered>;
