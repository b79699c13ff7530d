// How far a team has come: each step of the checklist is read from what the team really has.

import { isOpen, type Task } from "../../browser/task-state.ts";
import { Redirection } from "../../renderer/outcome.ts";
import type { DataContext } from "../../renderer/page-definition.ts";
import type { Agent } from "../../server/api-types.ts";

export interface OnboardingData {
  /** Whether an agent could find anything yet. */
  known: boolean;
  /** The newest knowledge, from which nothing could be read so far; null when there is none or something can be found. */
  waiting: { id: string; name: string } | null;
  /** What is at work on the first knowledge. */
  task: Task | null;
  agents: number;
  asked: boolean;
  /** The agent that the next steps speak of. */
  agent: Pick<Agent, "id" | "name" | "visibility"> | null;
  shared: boolean;
}

export async function data({ request }: DataContext): Promise<OnboardingData | Redirection> {
  const { team } = await request.viewer;
  if (!team) return new Redirection("/teams/create");
  const teamId = team.id;
  const [knowledges, agents, chats, tasks] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/knowledges", { teamId, perPage: 100 }),
    request.api.get("/v1/teams/{teamId}/agents", { teamId, perPage: 100 }),
    request.api.get("/v1/teams/{teamId}/chats", { teamId, perPage: 1 }),
    request.api.get("/v1/teams/{teamId}/tasks", { teamId, perPage: 20 }),
  ]);
  const known = knowledges.data.some(({ chunksCount }) => chunksCount > 0);
  const newest = knowledges.data.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0];
  const shared = agents.data.find(({ visibility }) => visibility === "public");
  const agent = shared ?? agents.data[0];
  return {
    known,
    waiting: known || !newest ? null : { id: newest.id, name: newest.name },
    task: known ? null : (tasks.data.find((task) => isOpen(task) && task.type === "index") ?? null),
    agents: agents.total,
    asked: chats.data.length > 0,
    agent: agent ? { id: agent.id, name: agent.name, visibility: agent.visibility } : null,
    shared: shared !== undefined,
  };
}
