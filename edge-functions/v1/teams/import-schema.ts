// Owns the schemas of a team's import.
import { z } from "@hono/zod-openapi";
import type { Report } from "../../importing/report.ts";
import { id, time } from "../router.ts";
import { newTeam } from "./schema.ts";

const { name, codename } = newTeam.shape;
export const importQuery = z.object({
  name: name.optional().openapi({ description: "The new team's name. Default: the archive's." }),
  codename: codename.openapi({
    description: "Default: the archive's codename if it is free, else one derived from the name.",
  }),
});

export const startedImport = z
  .object({
    taskId: id,
    teamId: id,
    name: z.string(),
    codename: z.string(),
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
      .openapi({ description: "How many of each were imported." }),
    toDo: z
      .object({
        sources: z.array(named).openapi({ description: "Sources that need their credentials again." }),
        apps: z.array(named).openapi({ description: "Apps to install again." }),
        apiKeys: z.array(z.object({ name: z.string(), roleId: id.nullable() })).openapi({
          description: "API keys to create again: an export contains none.",
        }),
        members: z.array(z.object({ email: z.string(), roleId: id })).openapi({
          description:
            "The exported team's members. Nobody was notified: invite them with POST /v1/teamUsers/{teamId}/users.",
        }),
        missingFiles: z
          .array(z.string())
          .openapi({ description: "Names of files whose bytes are missing in the archive." }),
        skipped: count.openapi({
          description:
            "Rows that refer to something missing in the archive, because the team changed during its export.",
        }),
      })
      .openapi({ description: "What needs manual work; at most 500 of each." }),
  })
  .openapi("ImportReport");

export const teamImport = z
  .object({
    teamId: id,
    taskId: id.nullable().openapi({ description: "Null once the task was deleted." }),
    size: z.int(),
    sha256: z.string(),
    report: report.nullable().openapi({ description: "Null until the import has finished." }),
    createdAt: time,
    updatedAt: time,
  })
  .openapi("TeamImport");
export type TeamImport = z.infer<typeof teamImport>;
