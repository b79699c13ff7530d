// Owns a team with one of everything and the API path of each: for tests that call every operation of the description.
import { newTeam, type Team } from "./api.ts";

export interface Furnished {
  team: Team;
  /** Ids of existing things, by the path segment before them. */
  ids: Record<string, string>;
}

/** An id that no row has. */
const noId = "0193a5e0-7b1a-7cc0-8f3e-2f6d0c1a9b42";

export async function furnishedTeam(): Promise<Furnished> {
  const team = await newTeam();
  const { owner } = team;
  const create = async (path: string, body: unknown): Promise<string> => {
    const answer = await owner.post(path, body);
    if (answer.status !== 201) throw new Error(`${path} made nothing: ${answer.text}`);
    return answer.body.id;
  };
  const agent = await create(`${team.path}/agents`, { name: "Agent", visibility: "public" });
  const source = await create(`${team.path}/sources`, { type: "file", name: "Source" });
  const ids = {
    "teams/": team.id,
    "teamUsers/": team.id,
    "users/": owner.id,
    "agents/": agent,
    "insights/": agent,
    "slack/": agent,
    "knowledges/": await create(`${team.path}/knowledges`, { name: "Knowledge" }),
    "sources/": source,
    "documents/": await create(`${team.path}/sources/${source}/documents`, {
      externalId: "1",
      title: "Document",
      content: "What it says.",
    }),
    "chats/": await create(`/v1/agents/${agent}/chats`, {}),
    "roles/": await create("/v1/roles", { teamId: team.id, name: "Role", permissions: [] }),
    "apiKeys/": await create(`${team.path}/apiKeys`, { name: "Key" }),
    "apps/": await create(`${team.path}/apps`, { name: "App", type: "slack", agentId: agent }),
  };
  return { team, ids };
}

/** An operation's path with existing ids. @param spared for a DELETE: use an id that does not exist, so that nothing is deleted */
export function filledPath(path: string, { ids }: Furnished, spared = false): string {
  return path.replace(/(\w+\/)\{(\w+)\}/g, (_all, before: string, name: string) => {
    const gone = spared && path.endsWith(`{${name}}`);
    return `${before}${(gone ? undefined : ids[before]) ?? noId}`;
  });
}
