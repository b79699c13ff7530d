// Owns the shapes of a team's import.
import { z } from "@hono/zod-openapi";
import type { Report } from "../../importing/report.ts";
import { id, time } from "../router.ts";
import { newTeam } from "./schema.ts";

export const importQuery = newTeam.partial().openapi({
  description: "What the new team is called; as in the archive where nothing is said.",
});

export const startedImport = z
  .object({
    taskId: id,
    teamId: id,
    name: z.string(),
    codename: z.string().openapi({
      description:
        "The archive's own where it is free and no other was asked for; else one that is made from the name.",
    }),
    archive: z.object({ size: z.int(), sha256: z.string() }),
  })
  .openapi("StartedImport");

const count = z.int();
const named = z.object({ id, name: z.string() });

const report: z.ZodType<Report> = z
  .object({
    brought: z
      .object({
        agents: count,
        knowledges: count,
        sources: count,
        files: count,
        documents: count,
        chats: count,
        messages: count,
        roles: count,
        apps: count,
      })
      .openapi({ description: "How many of each are in the new team." }),
    toDo: z
      .object({
        sources: z.array(named).openapi({ description: "Sources that ask for their credentials again." }),
        apps: z.array(named).openapi({ description: "Apps to install again." }),
        apiKeys: z.array(z.object({ name: z.string(), roleId: id.nullable() })).openapi({
          description: "API keys to create again: no export holds a key.",
        }),
        members: z.array(z.object({ email: z.string(), roleId: id })).openapi({
          description:
            "Who was in the team. Nobody was written to: invite them with POST /v1/teamUsers/{teamId}/users.",
        }),
        missingFiles: z
          .array(z.string())
          .openapi({ description: "Names of files whose bytes the archive does not hold." }),
        skipped: count.openapi({
          description:
            "Rows of something that the archive does not hold: the team changed during its export.",
        }),
      })
      .openapi({ description: "What needs hands; at most 500 of each." }),
  })
  .openapi("ImportReport");

export const teamImport = z
  .object({
    teamId: id,
    taskId: id.nullable().openapi({ description: "Null once the task is forgotten." }),
    size: z.int(),
    sha256: z.string(),
    report: report.nullable().openapi({ description: "Null until all is there." }),
    createdAt: time,
    updatedAt: time,
  })
  .openapi("TeamImport");
export type TeamImport = z.infer<typeof teamImport>;
