// The agent that a knowledge base is created for: both pages name it in the address, as `agentId`.
import type { AnswerOf } from "#web/client/api-calls.ts";
import { ApiFailure } from "#web/request/api-failure.ts";
import { may, teamRef } from "#web/request/current-team.ts";
import type { DataRequest } from "#web/request/request-scope.ts";

export type AskingAgent = AnswerOf<"GET", "/v1/teams/{teamId}/agents/{id}">;

/** Null without one, and for readers who may not change it. */
export async function askingAgent({ api, url, viewer }: DataRequest): Promise<AskingAgent | null> {
  const id = url.searchParams.get("agentId");
  if (!id || !may(await viewer, "agents.write")) return null;
  try {
    return await api.get("/v1/teams/{teamId}/agents/{id}", { teamId: teamRef({ url }), id });
  } catch (error) {
    // A deleted agent, or an id that is none.
    if (error instanceof ApiFailure && error.status < 500) return null;
    throw error;
  }
}
