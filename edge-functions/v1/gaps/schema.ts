// Owns the shapes of gaps: questions without a good answer, grouped by meaning.
import { z } from "@hono/zod-openapi";
import { agentTest } from "../agent-tests/schema.ts";
import { qaEntry, written } from "../qa-entries/schema.ts";
import { id, line, pageQuery, time, times } from "../router.ts";

const state = z.enum(["open", "answered", "dismissed"]).openapi({
  description: "answered: every question was asked again and is answered now. A new one opens it again.",
});
const reason = z.enum(["missing", "notFound"]).openapi({
  description:
    "missing: no text of the team fits. notFound: one does, and the agent did not find it, or does not have it.",
});

const example = z.object({
  messageId: id.openapi({ description: "Of the reply." }),
  chatId: id,
  question: z.string(),
  cause: z.enum(["unanswered", "partly", "disagree", "down"]).openapi({
    description:
      "unanswered: the agent found nothing. partly: some of it. disagree: documents say different things. down: its person put a thumb down.",
  }),
  comment: z.string().nullable().openapi({ description: "What its person wrote to the thumb." }),
  disagreement: z
    .array(z.object({ documentId: id.nullable(), title: z.string(), quote: z.string() }))
    .openapi({ description: "What two documents say, where they disagree; else none." }),
  askedAt: time,
  again: z.enum(["waiting", "answered", "open"]).nullable().openapi({
    description: "What came of asking it again; null where nobody did.",
  }),
});

const document = z.object({ id, sourceId: id, title: z.string() });

export const gap = z
  .object({
    id,
    teamId: id,
    agentId: id,
    agentName: z.string().nullable(),
    question: z.string().openapi({ description: "The one that was asked first." }),
    questions: z.int().openapi({ description: "How many are not answered; of all, once all are." }),
    people: z.int().openapi({ description: "How many asked them." }),
    reason,
    found: document.nullable().openapi({ description: "The document that fits, where there is one." }),
    state,
    lastAskedAt: time,
    examples: z.array(example).openapi({ description: "The latest five." }),
    entry: z
      .object({ id, sourceId: id, question: z.string(), answer: z.string(), documentId: id.nullable() })
      .nullable()
      .openapi({ description: "What was written for it last." }),
    again: z
      .object({
        taskId: id.nullable(),
        status: z.enum(["queued", "running", "waiting", "stopping", "stopped", "succeeded", "failed"]),
        error: z.string().nullable(),
        total: z.int(),
        done: z.int(),
        answered: z.int(),
      })
      .nullable()
      .openapi({ description: "Asking its questions again, the latest 20: how many are answered now." }),
    ...times,
  })
  .openapi("Gap");
export type Gap = z.infer<typeof gap>;

const contradiction = z.object({
  documentId: id,
  sourceId: id,
  title: z.string(),
  said: z.string().openapi({ description: "The sentence of the written answer." }),
  quote: z.string().openapi({ description: "The sentence of the document, which gives another value." }),
});
export type Contradiction = z.infer<typeof contradiction>;
const contradictions = z.array(contradiction).openapi({
  description: "Where documents of the agent's knowledge say something else than the written answer.",
});

export const oneGap = gap.extend({ contradictions }).openapi("GapWithContradictions");

export const gapsQuery = pageQuery.extend({
  state: state.optional(),
  reason: reason.optional(),
  agentId: z.uuid().optional(),
});
export type GapsQuery = z.infer<typeof gapsQuery>;

export const gapUpdate = z
  .strictObject({ state: z.enum(["open", "dismissed"]) })
  .openapi("GapUpdate", { description: "dismissed: nobody is going to answer it." });

export const gapAnswer = z
  .strictObject({
    answer: written.answer,
    knowledgeId: z.uuid().optional().openapi({
      description:
        "One of the agent's knowledge bases; absent: its first. The answer goes into its written answers.",
    }),
    question: written.question.optional().openapi({ description: "Absent: the gap's." }),
    ownerId: written.ownerId.optional(),
    expiresAt: written.expiresAt.optional(),
    addTest: z.boolean().default(true).openapi({
      description: "Whether the agent gets a test: its answer must cite this one.",
    }),
    facts: z.array(line(500)).max(20).optional().openapi({
      description: "What an answer must hold to pass the test, beside citing this one.",
    }),
  })
  .openapi("GapAnswer", { example: { answer: "25 days a year." } });
export type GapAnswer = z.infer<typeof gapAnswer>;

export const gapAnswered = z
  .object({
    gap,
    entry: qaEntry,
    source: z.object({ id, name: z.string() }).openapi({ description: "Where the answer is." }),
    document: z.object({ id, title: z.string() }),
    test: agentTest.nullable(),
    taskId: id.openapi({ description: "Of asking the questions again, once the answer is indexed." }),
    contradictions,
  })
  .openapi("GapAnswered");
export type GapAnswered = z.infer<typeof gapAnswered>;
