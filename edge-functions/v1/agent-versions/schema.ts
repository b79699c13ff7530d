// Owns the shapes of agents' versions, and of publishing one.
import { z } from "@hono/zod-openapi";
import { agent } from "../agents/schema.ts";
import { id, pageQuery, time, times } from "../router.ts";

const agentSettings = agent
  .omit({
    id: true,
    teamId: true,
    version: true,
    appearance: true,
    avatar: true,
    createdAt: true,
    updatedAt: true,
  })
  .openapi("AgentSettings");
export type AgentSettings = z.infer<typeof agentSettings>;

/** Null for an API key, for an account that is gone, and for what was there before versions were kept. */
export const author = z.object({ id, name: z.string() }).nullable();

export const agentVersion = z
  .object({
    id,
    teamId: id,
    agentId: id,
    number: z.int().openapi({ description: "Counts the agent's versions from 1." }),
    status: z.enum(["live", "past", "draft"]).openapi({
      description: "live: what people get. draft: never published. past: published before the live one.",
    }),
    settings: agentSettings,
    restoredFrom: z
      .int()
      .nullable()
      .openapi({ description: "The number of the version that it brought back." }),
    author,
    publishedAt: time.nullable(),
    publisher: author,
    publishedDespite: z.int().nullable().openapi({
      description:
        "How many tests were known to be broken when somebody published it with `anyway`: 0 where they had not run to the end. Null where nothing stood in its way.",
    }),
    ...times,
  })
  .openapi("AgentVersion");
export type AgentVersion = z.infer<typeof agentVersion>;

export const versionsQuery = pageQuery;
export type VersionsQuery = z.infer<typeof versionsQuery>;

export const publishInput = z
  .strictObject({
    versionId: z.uuid(),
    liveVersionId: z.uuid().optional().openapi({
      description: "The live version that was compared with: 409 where another is live by now.",
    }),
    anyway: z.boolean().default(false).openapi({
      description:
        "Publish without a run, or although tests are broken. The version keeps that it was chosen.",
    }),
  })
  .openapi("PublishInput");
export type PublishInput = z.infer<typeof publishInput>;

export const begunRun = z.object({ taskId: id, runId: id }).openapi("BegunTestRun");
