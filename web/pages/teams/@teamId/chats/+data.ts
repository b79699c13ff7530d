// The team's chats, newest first, with the names of their agents.
import type { PageContextServer } from "vike/types";
import type { Agent, CursorList, List } from "../../../../server/api-types.ts";
import { currentTeam } from "../../../../server/current-team.ts";

export interface ChatRow {
  id: string;
  agentId: string;
  title: string;
  channel: string;
  feedback: { rating: "up" | "down" } | null;
  createdAt: string;
}

export interface ChatsData extends CursorList<ChatRow> {
  agentNames: Record<string, string>;
}

export async function data({ request }: PageContextServer): Promise<ChatsData> {
  const base = `/v1/teams/${currentTeam(request).id}`;
  const [chats, agents] = await Promise.all([
    request.api.get<CursorList<ChatRow>>(`${base}/chats`, {
      lastKey: request.url.searchParams.get("lastKey") ?? undefined,
    }),
    request.api.get<List<Agent>>(`${base}/agents`, { perPage: 100 }),
  ]);
  return { ...chats, agentNames: Object.fromEntries(agents.data.map(({ id, name }) => [id, name])) };
}
