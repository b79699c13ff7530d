// One agent, the knowledge bases that it can use, and the installation's public address.

import type { AnswerOf } from "#web/client/api-calls.ts";
import type { DataContext } from "#web/render/page-definition.ts";
import type { Agent } from "#web/request/api-types.ts";
import { type Choices, choicesForViewer } from "#web/request/choices.ts";
import { may, teamRef } from "#web/request/current-team.ts";
import { env } from "#web/request/env.ts";
import { formTexts } from "#web/request/form-text.ts";

export interface AgentData {
  agent: Agent;
  knowledges: Choices<"knowledges">;
  /** Such as https://parley.example. */
  origin: string;
  /** What deleting it affects; null for readers who may not delete it. */
  uses: AnswerOf<"GET", "/v1/teams/{teamId}/agents/{id}/uses"> | null;
  /** Whether the built-in model answers, which ignores instructions. */
  isOffline: boolean;
}

/** The field that adds a knowledge base beyond the listed ones. */
export const ANOTHER_KNOWLEDGE = "anotherKnowledge";
/** The field of a form that shows the knowledge bases: without it the agent keeps its own. */
export const KNOWLEDGES_SHOWN = "knowledgesShown";

export async function data({ request, routeParams }: DataContext): Promise<AgentData> {
  const teamId = teamRef(request);
  const id = routeParams.id ?? "";
  const reading = request.api.get("/v1/teams/{teamId}/agents/{id}", { teamId, id });
  const { form } = request;
  const ticked = form ? [...formTexts(form, "knowledgeIds"), ...formTexts(form, ANOTHER_KNOWLEDGE)] : [];
  const needed = reading.then(({ knowledgeIds }) => [...knowledgeIds, ...ticked]);
  const [agent, knowledges, models, uses] = await Promise.all([
    reading,
    choicesForViewer("knowledges", request, needed),
    request.api.get("/v1/teams/{teamId}/models", { teamId }),
    request.viewer.then((viewer) =>
      may(viewer, "agents.write")
        ? request.api.get("/v1/teams/{teamId}/agents/{id}/uses", { teamId, id })
        : null,
    ),
  ]);
  return {
    agent,
    knowledges,
    origin: new URL(env.WEB_URL).origin,
    uses,
    isOffline: models.inUse.offline,
  };
}
