// Owns the shapes of agents.

import { z } from "@hono/zod-openapi";
import { refusedAs } from "../../_shared/requests/invalid-fields.ts";
import { isPlainText } from "../../_shared/text/plain-text.ts";
import { id, line, pageQuery, prose, times } from "../router.ts";
import { rowVersion } from "../row-versions.ts";
import { sortQuery } from "../sorting.ts";
import { appearance, appearanceUpdate, avatarAddress } from "./appearance.ts";

const name = line(200).openapi({ example: "Handbook" });

const retrieval = z.strictObject({
  topK: z.int().min(1).max(50),
  minScore: z.number().min(0).max(1),
  mode: z.enum(["hybrid", "vector", "text"]),
});

/** A site as a frame-ancestors policy names it: https://example.com, https://*.example.com, http://localhost:8080. */
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
        refusedAs("origin"),
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
    .refine((text) => text === "" || isPlainText(text), refusedAs("characters"))
    .openapi({ description: "Empty: the installation's default model." }),
  temperature: z.number().min(0).max(2),
  visibility: z.enum(["private", "public"]),
  knowledgeIds: z.array(z.uuid()).max(50),
  retrieval,
  unsupportedClaims: z.enum(["mark", "omit", "ignore"]).openapi({
    description:
      "What becomes of a claim of a reply that the passages it cites do not support. Ignore: nothing is checked. Omit: a reply is shown once it is checked.",
  }),
  allowedOrigins: z.array(origin).max(50).openapi({
    description: "Sites that may embed the agent's chat. None: every site may. A host may begin with *.",
  }),
  appearance,
};

/** What the platform says of an agent. */
const given = { id, teamId: id, version: rowVersion, avatar: avatarAddress, ...times };

export const agent = z.object({ ...fields, ...given }).openapi("Agent");
export type Agent = z.infer<typeof agent>;

/** What anyone may know of a public agent. */
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

/** What a version keeps of it: how visitors meet the agent is not among it. */
export const agentSettingsUpdate = changes.omit({ appearance: true }).openapi("AgentSettingsUpdate");
export type AgentSettingsUpdate = z.infer<typeof agentSettingsUpdate>;

/** Settings that are tried without being saved. */
export const agentDraft = changes
  .pick({ instructions: true, model: true, temperature: true, knowledgeIds: true, retrieval: true })
  .openapi("AgentDraft", {
    description:
      "Settings to answer with in place of the agent's own. Nothing of them is saved; for those who may change the agent.",
  });
export type AgentDraft = z.infer<typeof agentDraft>;

export const newAgent = changes.extend({ name }).openapi("NewAgent");

export const MOST_COUNTED = 10_000;
const count = z.int().openapi({ example: 12 });

/** What hangs on an agent, as far as the caller may see it. */
export const agentUses = z
  .object({
    chats: count.openapi({ description: `${MOST_COUNTED + 1} stands for more than ${MOST_COUNTED}.` }),
    apps: count,
    documents: count.openapi({ description: "Of its knowledges; they stay when it goes." }),
  })
  .openapi("AgentUses");
export type AgentUses = z.infer<typeof agentUses>;

export const agentsQuery = pageQuery.extend({
  name: z.string().max(200).optional().openapi({ description: "Part of the name, in any case." }),
});
export type AgentsQuery = z.infer<typeof agentsQuery>;

export const teamAgentsQuery = agentsQuery.extend({ sort: sortQuery(["createdAt", "name", "updatedAt"]) });
export type TeamAgentsQuery = z.infer<typeof teamAgentsQuery>;
