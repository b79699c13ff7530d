// How far a team has come: each step of the checklist is read from what the team really has.
import { redirect } from "vike/abort";
import type { PageContextServer } from "vike/types";
import type { Agent } from "../../server/api-types.ts";

export interface OnboardingData {
  knowledges: number;
  agents: number;
  asked: boolean;
  /** The agent that the next steps speak of. */
  agent: Pick<Agent, "id" | "name" | "visibility"> | null;
  shared: boolean;
}

export async function data({ request }: PageContextServer): Promise<OnboardingData> {
  if (!request.team) throw redirect("/teams/create");
  const teamId = request.team.id;
  const [knowledges, agents, chats] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/knowledges", { teamId, perPage: 1 }),
    request.api.get("/v1/teams/{teamId}/agents", { teamId, perPage: 100 }),
    request.api.get("/v1/teams/{teamId}/chats", { teamId, perPage: 1 }),
  ]);
  const shared = agents.data.find(({ visibility }) => visibility === "public");
  const agent = shared ?? agents.data[0];
  return {
    knowledges: knowledges.total,
    agents: agents.total,
    asked: chats.data.length > 0,
    agent: agent ? { id: agent.id, name: agent.name, visibility: agent.visibility } : null,
    shared: shared !== undefined,
  };
}
