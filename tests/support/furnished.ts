// A team with one of each thing in it, and where each stands in the API's paths: for tests that go through every call of the
// description and need an address for it.
import { newTeam, type Team } from "./api.ts";

export interface Furnished {
  team: Team;
  /** Ids of things that are there, by the part of a path before them. */
  ids: Record<string, string>;
}

/** No row has it. */
const noId = "0193a5e0-7b1a-7cc0-8f3e-2f6d0c1a9b42";

export async function furnishedTeam(): Promise<Furnished> {
  const team = await newTeam();
  const { owner } = team;
  const made = async (path: string, body: unknown): Promise<string> => {
    const answer = await owner.post(path, body);
    if (answer.status !== 201) throw new Error(`${path} made nothing: ${answer.text}`);
    return answer.body.id;
  };
  const agent = await made(`${team.path}/agents`, { name: "Agent", visibility: "public" });
  const source = await made(`${team.path}/sources`, { type: "file", name: "Source" });
  const ids = {
    "teams/": team.id,
    "teamUsers/": team.id,
    "users/": owner.id,
    "agents/": agent,
    "insights/": agent,
    "slack/": agent,
    "knowledges/": await made(`${team.path}/knowledges`, { name: "Knowledge" }),
    "sources/": source,
    "documents/": await made(`${team.path}/sources/${source}/documents`, {
      externalId: "1",
      title: "Document",
      content: "What it says.",
    }),
    "chats/": await made(`/v1/agents/${agent}/chats`, {}),
    "roles/": await made("/v1/roles", { teamId: team.id, name: "Role", permissions: [] }),
    "apiKeys/": await made(`${team.path}/apiKeys`, { name: "Key" }),
    "apps/": await made(`${team.path}/apps`, { name: "App", type: "slack", agentId: agent }),
  };
  return { team, ids };
}

/** An operation's path with the ids of what is there. @param spared for a DELETE: what it names is not there, so that nothing goes */
export function filledPath(path: string, { ids }: Furnished, spared = false): string {
  return path.replace(/(\w+\/)\{(\w+)\}/g, (_all, before: string, name: string) => {
    const gone = spared && path.endsWith(`{${name}}`);
    return `${before}${(gone ? undefined : ids[before]) ?? noId}`;
  });
}
