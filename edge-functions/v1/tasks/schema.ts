// Owns the schemas of tasks.

import { z } from "@hono/zod-openapi";
import { cursorQuery } from "../cursors.ts";
import { id, time, times } from "../router.ts";
import { timeZone } from "../time-zones.ts";

const type = z.enum(["loadDocuments", "index", "sync", "import", "agentTests", "gaps", "questions"]);
export const status = z.enum(["queued", "running", "waiting", "stopping", "stopped", "succeeded", "failed"]);

export const task = z
  .object({
    id,
    teamId: id,
    type,
    status,
    progress: z.object({ done: z.int(), total: z.int() }),
    message: z.string().openapi({
      description: "The current step, in the reader's language and requested time zone.",
      example: "42 of 310 documents",
    }),
    sourceId: id.optional(),
    knowledgeId: id.optional(),
    documentId: id.optional(),
    attempts: z.int(),
    startedAt: time.nullable(),
    finishedAt: time.nullable(),
    error: z.string().nullable(),
    history: z
      .array(
        z.object({
          number: z.int(),
          status: z
            .enum(["running", "waiting", "stopped", "succeeded", "failed", "lost"])
            .openapi({ description: "lost: its worker stopped responding, and another one took over." }),
          message: z.string(),
          error: z.string().nullable(),
          startedAt: time,
          finishedAt: time.nullable(),
        }),
      )
      .optional()
      .openapi({ description: "The attempts, oldest first, if the request names the taskId." }),
    ...times,
  })
  .openapi("Task");
export type Task = z.infer<typeof task>;

export const tasksQuery = cursorQuery.extend({
  type: type.optional(),
  status: status.optional(),
  date: z.iso.date().optional().openapi({ description: "The day on which it was queued." }),
  dateStart: z.iso.date().optional().openapi({ description: "The first day on which it was queued." }),
  dateEnd: z.iso.date().optional().openapi({ description: "The last day." }),
  timeZone,
  sourceId: z.uuid().optional(),
  knowledgeId: z.uuid().optional(),
  taskId: z.uuid().optional(),
});
export type TasksQuery = z.infer<typeof tasksQuery>;
