// Owns a team with one of everything and the API path of each: for tests that call every operation of the description.
import { newTeam, type Team } from "./api.ts";
import { operationsOf, readDescription } from "./description.ts";

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
  const ids: Furnished["ids"] = {
    "teams/": team.id,
    "teamUsers/": team.id,
    "users/": owner.id,
    "agents/": agent,
    "insights/": agent,
    "slack/": agent,
    "knowledges/": await create(`${team.path}/knowledges`, { name: "Knowledge" }),
    "sources/": source,
    "files/": (await owner.upload(`${team.path}/files/upload`, "theirs.txt", "Theirs.")).body.id,
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
  for (const [name, example] of await examplesOfResources()) {
    if (ids[`${name}/`]) continue;
    // The example of a model creates nothing: its address does not answer. foreign-paths.test.ts names what is missing.
    const { status, body } = await owner.post(`${team.path}/${name}`, example);
    if (status === 201) ids[`${name}/`] = body.id;
  }
  return { team, ids };
}

/** What creates a thing of a team that has a path of its own, by the examples in the description. */
async function examplesOfResources(): Promise<[name: string, example: unknown][]> {
  const operations = operationsOf(await readDescription());
  const isRead = (path: string) =>
    operations.some((one) => one.method === "get" && one.path === `${path}/{id}`);
  return operations.flatMap(({ method, path, operation }) => {
    const [, name] = /^\/v1\/teams\/\{teamId\}\/(\w+)$/.exec(path) ?? [];
    const example = operation.requestBody?.content["application/json"]?.example;
    return name && method === "post" && example !== undefined && isRead(path) ? [[name, example]] : [];
  });
}

/** An operation's path with existing ids. @param spared for a DELETE: use an id that does not exist, so that nothing is deleted */
export function filledPath(path: string, { ids }: Furnished, spared = false): string {
  return path.replace(/(\w+\/)\{(\w+)\}/g, (_all, before: string, name: string) => {
    const gone = spared && path.endsWith(`{${name}}`);
    return `${before}${(gone ? undefined : ids[before]) ?? noId}`;
  });
}
