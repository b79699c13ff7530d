// Owns the schemas of agent versions and of publishing one.
import { z } from "@hono/zod-openapi";
import { agent } from "../agents/schema.ts";
import { id, time, times } from "../router.ts";

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

/** Null for an API key, for a deleted account, and for settings from before versions were stored. */
export const author = z.object({ id, name: z.string() }).nullable();

export const agentVersion = z
  .object({
    id,
    teamId: id,
    agentId: id,
    number: z.int().openapi({ description: "Number of the agent's version, starting at 1." }),
    status: z.enum(["live", "past", "draft"]).openapi({
      description: "live: in use. draft: never published. past: published before the live one.",
    }),
    settings: agentSettings,
    restoredFrom: z.int().nullable().openapi({ description: "The number of the version that it restored." }),
    author,
    publishedAt: time.nullable(),
    publisher: author,
    publishedDespite: z
      .int()
      .nullable()
      .openapi({
        description:
          "Number of tests known to be broken when it was published with `anyway`: 0 if they were not all run and decided. Null if " +
          "nothing blocked publishing.",
      }),
    ...times,
  })
  .openapi("AgentVersion");
export type AgentVersion = z.infer<typeof agentVersion>;

export const publishInput = z
  .strictObject({
    versionId: z.uuid(),
    liveVersionId: z.uuid().optional().openapi({
      description: "The live version that the draft was compared with. 409 if another version is live now.",
    }),
    anyway: z.boolean().default(false).openapi({
      description:
        "Publish without a test run, or although tests are broken or undecided. The version records this choice.",
    }),
  })
  .openapi("PublishInput");
export type PublishInput = z.infer<typeof publishInput>;

export const begunRun = z.object({ taskId: id, runId: id }).openapi("BegunTestRun");
