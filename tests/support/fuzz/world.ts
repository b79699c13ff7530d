// Owns every kind of API caller, each with a team of their own, and one team hidden from all of them. Does not decide what is sent.
import { randomUUID } from "node:crypto";
import { anyone, newAdmin, newMember, owner } from "../api.ts";
import { newKnowledge } from "../content.ts";
import { type Furnished, furnishedTeam } from "../furnished.ts";

export const callers = [
  "nobody",
  "visitor",
  "viewer",
  "editor",
  "admin",
  "owner",
  "outsider",
  "API key",
  "platform admin",
  "banned",
] as const;
export type CallerName = (typeof callers)[number];

export interface Caller {
  name: CallerName;
  headers: Record<string, string>;
  /** A team whose ids the caller uses, and may destroy. */
  home: Furnished;
}

export interface World {
  callers: Map<CallerName, Caller>;
  /** A team of other people. */
  victim: Furnished;
  /** Texts that occur in the victim's rows only. */
  canaries: string[];
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Creates a team for each caller who may destroy one; readers share the owner's. */
export async function makeWorld(): Promise<World> {
  const [home, outside, adminsHome, victim, admin] = await Promise.all([
    furnishedTeam(),
    furnishedTeam(),
    furnishedTeam(),
    furnishedTeam(),
    newAdmin(),
  ]);
  const { team } = home;
  const [viewer, editor, teamAdmin, banned] = await Promise.all([
    newMember(team, "viewer"),
    newMember(team, "editor"),
    newMember(team, "admin"),
    newMember(team, "admin"),
  ]);
  const key = await team.owner.post(`${team.path}/apiKeys`, { name: "Fuzz" });
  const chat = await anyone.post(`/v1/agents/${home.ids["agents/"]}/chats`, {});
  const sql = await owner();
  await sql`update public.users set banned_at = now() where id = ${banned.id}`;
  const withCredentials = (
    name: CallerName,
    headers: Record<string, string>,
    at: Furnished,
  ): [CallerName, Caller] => [name, { name, headers, home: at }];
  return {
    callers: new Map([
      withCredentials("nobody", {}, home),
      withCredentials(
        "visitor",
        { "X-Visitor-Token": chat.body.visitorToken },
        { ...home, ids: { ...home.ids, "chats/": chat.body.id } },
      ),
      withCredentials("viewer", bearer(viewer.token), home),
      withCredentials("editor", bearer(editor.token), home),
      withCredentials("admin", bearer(teamAdmin.token), home),
      withCredentials("owner", bearer(team.owner.token), home),
      withCredentials("outsider", bearer(outside.team.owner.token), outside),
      withCredentials("API key", bearer(key.body.key), home),
      withCredentials("platform admin", bearer(admin.token), adminsHome),
      withCredentials("banned", bearer(banned.token), home),
    ]),
    victim,
    canaries: await markWithCanaries(victim),
  };
}

/** Puts a unique text into every text field of a team. @returns the texts to look for */
async function markWithCanaries({ team, ids }: Furnished): Promise<string[]> {
  const canary = `canary${randomUUID().replaceAll("-", "")}`;
  const { path, owner: person } = team;
  const agent = `${path}/agents/${ids["agents/"]}`;
  const requireSuccess = async (call: Promise<{ status: number; text: string }>) => {
    const { status, text } = await call;
    if (status >= 300) throw new Error(`A canary was not taken: ${status} ${text}`);
  };
  // While the agent is still public, a visitor may have written to it.
  await requireSuccess(
    person.post(`/v1/chats/${ids["chats/"]}/messages`, { content: `Do you know ${canary}?` }),
  );
  await requireSuccess(
    person.put(agent, {
      name: `Agent ${canary}`,
      description: canary,
      instructions: canary,
      greeting: canary,
      suggestedPrompts: [canary],
      visibility: "private",
    }),
  );
  await requireSuccess(person.put(path, { name: `Team ${canary}` }));
  await requireSuccess(
    person.put(`${path}/knowledges/${ids["knowledges/"]}`, { name: canary, description: canary }),
  );
  await requireSuccess(person.put(`${path}/sources/${ids["sources/"]}`, { name: canary }));
  await requireSuccess(
    person.put(`${path}/sources/${ids["sources/"]}/documents/${ids["documents/"]}`, {
      title: canary,
      content: `${canary} says so.`,
    }),
  );
  await requireSuccess(person.put(`/v1/roles/${ids["roles/"]}`, { name: canary }));
  await requireSuccess(person.put(`${path}/apps/${ids["apps/"]}`, { name: canary }));
  await requireSuccess(person.post(`${path}/apiKeys`, { name: canary }));
  await requireSuccess(person.put(`/v1/users/${person.id}`, { name: `Person ${canary}` }));
  await newKnowledge(team, { [`${canary}.md`]: `# ${canary}\n\nThe secret word is ${canary}.\n` });
  return [canary, person.email];
}
