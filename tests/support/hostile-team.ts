// Owns a team in which every name is hostile, stored through the API as any client could: pages, exports and mails must show them as text.
import type { Team } from "./api.ts";
import { newPerson } from "./api.ts";
import { formulas, markup } from "./hostile-values.ts";

/** At most 100 characters, so that it fits every name. */
export const hostileName = `${formulas[0]}${markup[0]}${markup[1]}`;
const hostileText = `${markup.join("\n")}\n{{7*7}} \${7*7}\n=1+1\n\u202ereversed\u202c\n[link](javascript:alert(1)) ![x](http://169.254.169.254/x)`;

/** Text that a browser would parse as markup if it were not escaped. */
export const rawMarkup = [
  "<script>globalThis.hostile",
  "<img src=x onerror",
  "<svg onload=globalThis",
  "<!--><b>bold",
];

export interface HostileTeam extends Team {
  /** Paths of the web app below /teams/{codename}. */
  pages: string[];
  agentId: string;
  chatId: string;
  fileId: string;
  knowledgeId: string;
}

export async function makeHostileTeam(): Promise<HostileTeam> {
  const owner = await newPerson(hostileName);
  const create = async (path: string, body: unknown): Promise<{ id: string; codename: string }> => {
    const answer = await owner.post(path, body);
    if (answer.status !== 201) throw new Error(`${path} made nothing: ${answer.text}`);
    return answer.body;
  };
  const { id, codename } = await create("/v1/teams", { name: hostileName });
  const path = `/v1/teams/${id}`;
  const team: Team = { id, codename, path, owner };
  const named = { name: hostileName, description: hostileText };
  const file = await owner.upload(
    `${path}/files/upload`,
    `${hostileName}.md`,
    `# Tea\n\n${hostileText}`,
    "text/markdown",
  );
  const fileId: string = file.body.id;
  const knowledge = await create(`${path}/knowledges`, { ...named, fileIds: [fileId] });
  const source = await create(`${path}/sources`, { type: "file", name: hostileName });
  const document = await create(`${path}/sources/${source.id}/documents`, {
    externalId: hostileName,
    type: hostileName,
    title: hostileName,
    url: "https://example.com/?q=%3Cscript%3E&x='\"",
    content: hostileText,
  });
  const agent = await create(`${path}/agents`, {
    ...named,
    instructions: hostileText,
    greeting: hostileText,
    suggestedPrompts: [hostileName],
    model: "",
    visibility: "public",
    knowledgeIds: [knowledge.id],
  });
  const chat = await create(`/v1/agents/${agent.id}/chats`, { title: hostileName });
  await owner.post(`/v1/chats/${chat.id}/messages`, { content: `What is tea? ${hostileText}` });
  await owner.put(`/v1/agents/${agent.id}/chats/${chat.id}/summary`, { summary: hostileText });
  await owner.post(`/v1/agents/${agent.id}/chats/${chat.id}/feedback`, {
    rating: "down",
    comment: hostileText,
  });
  const role = await create("/v1/roles", { teamId: id, name: hostileName, permissions: [] });
  const key = await create(`${path}/apiKeys`, { name: hostileName });
  const app = await create(`${path}/apps`, { name: hostileName, type: "slack", agentId: agent.id });
  const pages = [
    ...[
      "agents",
      "knowledges",
      "sources",
      "files",
      "apps",
      "roles",
      "apiKeys",
      "users",
      "chats",
      "tasks",
      "insights",
    ],
    ...[
      "settings",
      "playground",
      "playground/knowledge",
      "agents/create",
      "sources/create",
      "knowledges/create",
    ],
    ...[
      "roles/create",
      "apps/create",
      `agents/${agent.id}`,
      `knowledges/${knowledge.id}`,
      `sources/${source.id}`,
    ],
    ...[`files/${fileId}`, `apps/${app.id}`, `roles/${role.id}`, `apiKeys/${key.id}`, `users/${owner.id}`],
    ...[`source/${source.id}/documents`, `source/${source.id}/documents/${document.id}`],
  ];
  return { ...team, pages, agentId: agent.id, chatId: chat.id, fileId, knowledgeId: knowledge.id };
}
