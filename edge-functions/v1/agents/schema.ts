// Owns the schemas of agents.

import { z } from "@hono/zod-openapi";
import { refuseAs } from "../../_shared/requests/invalid-fields.ts";
import { isPlainText } from "../../_shared/text/plain-text.ts";
import { id, idList, line, namePart, pageQuery, prose, times } from "../router.ts";
import { rowVersion } from "../row-versions.ts";
import { sortQuery } from "../sorting.ts";
import { appearance, appearanceUpdate, avatarAddress } from "./appearance.ts";

const name = line(200).openapi({ example: "Handbook" });

/** Knowledge bases of one agent. */
export const MOST_KNOWLEDGES = 50;

const retrieval = z.strictObject({
  topK: z.int().min(1).max(50),
  minScore: z.number().min(0).max(1),
  mode: z.enum(["hybrid", "vector", "text"]),
});

/** A site in the syntax of a frame-ancestors policy: https://example.com, https://*.example.com, http://localhost:8080. */
const origin = z
  .string()
  .trim()
  .toLowerCase()
  .max(300)
  .transform((text) => text.replace(/\/$/, ""))
  .pipe(
    z
      .string()
      .refine(
        (text) => /^https?:\/\/(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$/.test(text),
        refuseAs("origin"),
      ),
  )
  .openapi({ type: "string", example: "https://example.com" });

const fields = {
  name,
  description: prose(2000),
  instructions: prose(20_000),
  greeting: prose(2000),
  suggestedPrompts: z.array(line(300)).max(12),
  model: z
    .string()
    .max(200)
    .refine((text) => text === "" || isPlainText(text), refuseAs("characters"))
    .openapi({ description: "Empty: the installation's default model." }),
  temperature: z.number().min(0).max(2),
  visibility: z.enum(["private", "public"]),
  knowledgeIds: z.array(z.uuid()).max(MOST_KNOWLEDGES),
  retrieval,
  unsupportedClaims: z.enum(["mark", "omit", "ignore"]).openapi({
    description:
      "What happens to a claim in a reply that its cited passages do not support. mark: it is marked. omit: it is left out; the reply is shown after the check. ignore: nothing is checked.",
  }),
  allowedOrigins: z.array(origin).max(50).openapi({
    description: "Sites that may embed the agent's chat. Empty: every site. A host may start with *.",
  }),
  appearance,
};

/** Read-only fields of an agent. */
const given = { id, teamId: id, version: rowVersion, avatar: avatarAddress, ...times };

export const agent = z.object({ ...fields, ...given }).openapi("Agent");
export type Agent = z.infer<typeof agent>;

/** The fields of a public agent that anyone may read. */
export const publicAgent = agent
  .pick({
    id: true,
    teamId: true,
    name: true,
    description: true,
    greeting: true,
    suggestedPrompts: true,
    visibility: true,
    allowedOrigins: true,
    appearance: true,
    avatar: true,
    createdAt: true,
    updatedAt: true,
  })
  .openapi("PublicAgent");
export type PublicAgent = z.infer<typeof publicAgent>;

const changes = z
  .strictObject({ ...fields, retrieval: retrieval.partial(), appearance: appearanceUpdate })
  .partial();

export const agentUpdate = changes.openapi("AgentUpdate");
export type AgentUpdate = z.infer<typeof agentUpdate>;

/** The fields stored in a version. Appearance is not among them. */
export const agentSettingsUpdate = changes.omit({ appearance: true }).openapi("AgentSettingsUpdate");
export type AgentSettingsUpdate = z.infer<typeof agentSettingsUpdate>;

/** Settings for a trial, without saving them. */
export const agentDraft = changes
  .pick({ instructions: true, model: true, temperature: true, knowledgeIds: true, retrieval: true })
  .openapi("AgentDraft", {
    description:
      "Settings for this answer, in place of the agent's own. Nothing is saved. Requires permission to change the agent.",
  });
export type AgentDraft = z.infer<typeof agentDraft>;

export const newAgent = changes.extend({ name }).openapi("NewAgent");

export const MOST_COUNTED = 10_000;
const count = z.int().openapi({ example: 12 });

/** What depends on an agent, as far as the caller may see it. */
export const agentUses = z
  .object({
    chats: count.openapi({ description: `${MOST_COUNTED + 1} stands for more than ${MOST_COUNTED}.` }),
    apps: count,
    documents: count.openapi({
      description: "Documents of its knowledge bases. They are kept when the agent is deleted.",
    }),
  })
  .openapi("AgentUses");
export type AgentUses = z.infer<typeof agentUses>;

export const agentsQuery = pageQuery.extend({
  name: namePart,
});
export type AgentsQuery = z.infer<typeof agentsQuery>;

export const teamAgentsQuery = agentsQuery.extend({
  ids: idList.optional(),
  sort: sortQuery(["createdAt", "name", "updatedAt"]),
});
export type TeamAgentsQuery = z.infer<typeof teamAgentsQuery>;
