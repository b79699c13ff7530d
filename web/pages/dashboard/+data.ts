// The overview of the current team: what it has, and what was asked last.
import type { PageContextServer } from "vike/types";
import type { Agent, CursorList, List } from "../../server/api-types.ts";
import { currentTeam } from "../../server/current-team.ts";

export interface RecentChat {
  id: string;
  agentId: string;
  title: string;
  channel: string;
  updatedAt: string;
}

export interface DashboardData {
  agents: List<Agent>;
  chats: CursorList<RecentChat>;
  knowledges: number;
  files: number;
}

export async function data({ request }: PageContextServer): Promise<DashboardData> {
  const base = `/v1/teams/${currentTeam(request).id}`;
  const [agents, chats, knowledges, files] = await Promise.all([
    request.api.get<List<Agent>>(`${base}/agents`, { perPage: 5 }),
    request.api.get<CursorList<RecentChat>>(`${base}/chats`, { perPage: 8 }),
    request.api.get<List<unknown>>(`${base}/knowledges`, { perPage: 1 }),
    request.api.get<List<unknown>>(`${base}/files`, { perPage: 1 }),
  ]);
  return { agents, chats, knowledges: knowledges.total, files: files.total };
}
