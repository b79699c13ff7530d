// The team's chats, newest first, with the names of their agents.
import type { PageContextServer } from "vike/types";
import type { AnswerOf } from "../../../../browser/api-calls.ts";
import { currentTeam } from "../../../../server/current-team.ts";

type Chats = AnswerOf<"GET", "/v1/teams/{teamId}/chats">;
export type ChatRow = Chats["data"][number];

export interface ChatsData extends Chats {
  agentNames: Record<string, string>;
}

export async function data({ request }: PageContextServer): Promise<ChatsData> {
  const teamId = currentTeam(request).id;
  const lastKey = request.url.searchParams.get("lastKey") ?? undefined;
  const [chats, agents] = await Promise.all([
    request.api.get("/v1/teams/{teamId}/chats", { teamId, lastKey }),
    request.api.get("/v1/teams/{teamId}/agents", { teamId, perPage: 100 }),
  ]);
  return { ...chats, agentNames: Object.fromEntries(agents.data.map(({ id, name }) => [id, name])) };
}
