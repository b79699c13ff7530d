// Owns the schemas of agent tests and of their runs.
import { z } from "@hono/zod-openapi";
import { refuseAs } from "../../_shared/requests/invalid-fields.ts";
import { refusalCodes } from "../../_shared/requests/refusals.ts";
import { author } from "../agent-versions/schema.ts";
import { id, line, pageQuery, prose, time, times } from "../router.ts";

const question = prose(20_000).refine((text) => text.trim() !== "", refuseAs("required"));
const facts = z.array(line(500)).max(20).openapi({
  description: "Each fact must be in the answer. Numbers, dates and times are compared by value.",
});
const expectedDocumentId = z
  .uuid()
  .nullable()
  .openapi({ description: "The answer must cite this document." });
const mustRefuse = z.boolean().openapi({ description: "The test passes if the agent finds nothing." });

const expectations = { question, facts, expectedDocumentId, mustRefuse };
/** As a client sends them. */
const given = {
  ...expectations,
  expectedTitle: line(500).openapi({
    description: "The title of the expected document, instead of its id.",
  }),
};

export const agentTest = z
  .object({
    id,
    teamId: id,
    agentId: id,
    ...expectations,
    expectedTitle: z.string().nullable().openapi({
      description: "Title of the expected document. Without an id, the document was deleted.",
    }),
    author,
    ...times,
  })
  .openapi("AgentTest");
export type AgentTest = z.infer<typeof agentTest>;

export const newAgentTest = z
  .strictObject(given)
  .partial()
  .extend({
    messageId: z.uuid().optional().openapi({
      description:
        "A reply of this agent to create the test from: its question, and the document it cites first.",
    }),
  })
  .openapi("NewAgentTest", {
    example: { question: "How many days of leave do I have?", facts: ["25 days"] },
  });
export type NewAgentTest = z.infer<typeof newAgentTest>;

export const agentTestUpdate = z.strictObject(given).partial().openapi("AgentTestUpdate");
export type AgentTestUpdate = z.infer<typeof agentTestUpdate>;

export const testsQuery = pageQuery.extend({
  question: z
    .string()
    .max(200)
    .optional()
    .openapi({ description: "Part of the question, case-insensitive." }),
});
export type TestsQuery = z.infer<typeof testsQuery>;

export const testsImport = z
  .strictObject({ csv: z.string().min(1).max(900_000) })
  .openapi("AgentTestsImport", { example: { csv: "question,facts\nHow many days?,25 days\n" } });

const refusedRow = z.object({
  line: z.int().openapi({ description: "Line in the file, starting at 1." }),
  code: z.enum(refusalCodes),
  params: z.record(z.string(), z.string()),
  message: z.string(),
});
export type RefusedRow = z.infer<typeof refusedRow>;
export const imported = z
  .object({
    added: z.int(),
    unchanged: z.int().openapi({ description: "Rows that the agent has as tests already." }),
    refused: z.array(refusedRow),
  })
  .openapi("AgentTestsImported");

const verdict = z.enum(["passed", "failed", "undecided", "documentDeleted"]).nullable();
const finding = z.boolean().nullable();
const findings = z
  .object({
    facts: z.array(finding).optional(),
    document: finding.optional(),
    refused: finding.optional(),
  })
  .openapi({ description: "The findings behind the verdict. Null: undecided, or not expected." });

export const testResult = z
  .object({
    id,
    testId: id.nullable().openapi({ description: "Null if the test was deleted." }),
    position: z.int(),
    question: z.string(),
    facts: z.array(z.string()),
    expectedDocumentId: id.nullable(),
    expectedTitle: z.string().nullable(),
    mustRefuse: z.boolean(),
    answer: z.string().nullable(),
    verdict,
    findings,
    liveAnswer: z.string().nullable(),
    liveVerdict: verdict,
    liveFindings: findings,
    overruled: z.enum(["passed", "failed"]).nullable(),
    overruler: author,
    overruledAt: time.nullable(),
    change: z.enum(["fixed", "broken"]).nullable().openapi({
      description:
        "Compared with the live version: broken fails, and is not known to fail live. In a run of the live version itself, broken is a failed test. A person's verdict overrides the judge's.",
    }),
  })
  .openapi("AgentTestResult");
export type TestResult = z.infer<typeof testResult>;

export const testRun = z
  .object({
    id,
    teamId: id,
    agentId: id,
    versionId: id,
    versionNumber: z.int(),
    liveVersionId: id.nullable().openapi({ description: "Null in a run of the live version itself." }),
    liveVersionNumber: z.int().nullable(),
    taskId: id.nullable(),
    status: z.enum(["queued", "running", "succeeded", "stopped", "failed"]),
    total: z.int(),
    done: z.int(),
    passed: z.int(),
    failed: z.int(),
    undecided: z.int(),
    documentDeleted: z.int(),
    fixed: z.int(),
    broken: z.int(),
    error: z
      .string()
      .nullable()
      .openapi({ description: "Why the run ended early, in the caller's language." }),
    author,
    finishedAt: time.nullable(),
    ...times,
  })
  .openapi("AgentTestRun");
export type TestRun = z.infer<typeof testRun>;

export const testRunWithResults = testRun
  .extend({ results: z.array(testResult) })
  .openapi("AgentTestRunWithResults");

export const newRun = z
  .strictObject({
    versionId: z.uuid().optional().openapi({ description: "Absent: the live version." }),
  })
  .openapi("NewAgentTestRun");

export const overruling = z
  .strictObject({ overruled: z.enum(["passed", "failed"]).nullable() })
  .openapi("Overruling");
