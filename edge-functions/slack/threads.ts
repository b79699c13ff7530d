// Owns which agent answers where: the app of a workspace that a message is for, and the chat of a thread. Runs as the service,
// which alone sees the apps of every team in a workspace; reads and writes after that go through row-level security.
import { createHash } from "node:crypto";
import { asService, type Claims } from "../_shared/database/db.ts";
import { either } from "../_shared/language/rules.ts";
import type { App } from "../v1/apps/schema.ts";
import { queueFollowUps } from "./queue.ts";

export type Place = { workspaceId: string; channel: string; threadTs: string };

export type ConnectedApp = {
  id: string;
  teamId: string;
  teamCodename: string;
  agentId: string;
  audience: App["audience"];
  name: string;
  agentName: string;
  greeting: string;
  suggestedPrompts: string[];
  channels: string[];
};

/** The apps of a workspace: by the time at which their team first connected it, then by their own. */
export async function appsIn(workspaceId: string): Promise<ConnectedApp[]> {
  return await asService(
    (tx) => tx<ConnectedApp[]>`
      select p.id, p.team_id, t.codename as team_codename, p.agent_id, p.audience, p.name, a.name as agent_name,
             a.greeting, a.suggested_prompts, p.channels
        from public.apps p
        join public.agents a on a.id = p.agent_id
        join public.teams t on t.id = p.team_id
       where p.workspace_id = ${workspaceId} and p.status = 'connected'
       order by p.team_connected_at, p.team_id, p.connected_at, p.id`,
  );
}

const addressed = new RegExp(
  String.raw`^${either(({ commands }) => commands?.ask)}\s+([^:\n]{1,200}?)\s*:\s*([\s\S]*)$`,
  "i",
);

/** "ask NAME: question" names an agent; the rest is the question. Of two with the same name, the earlier team's answers. */
export function namedApp(
  apps: ConnectedApp[],
  text: string,
): { app: ConnectedApp; question: string } | undefined {
  const parts = addressed.exec(text);
  const [, name = "", question = ""] = parts ?? [];
  const wanted = name.toLowerCase();
  const app = apps.find((one) => [one.agentName, one.name].some((given) => given.toLowerCase() === wanted));
  return app && { app, question: question.trim() };
}

/**
 * The app that answers when none is named: that of the first team that has one for the place, so that no later team takes over what an
 * earlier one answers. Of a team's apps, the one that lists the channel, otherwise its first that lists none; in a direct message, its first.
 */
export function appFor(apps: ConnectedApp[], channel: string, isDirect: boolean): ConnectedApp | undefined {
  for (const teamId of new Set(apps.map((app) => app.teamId))) {
    const own = apps.filter((app) => app.teamId === teamId);
    if (isDirect) return own[0];
    const app =
      own.find(({ channels }) => channels.includes(channel)) ??
      own.find(({ channels }) => channels.length === 0);
    if (app) return app;
  }
  return undefined;
}

export function answersIn(app: ConnectedApp, channel: string, isDirect: boolean): boolean {
  return isDirect || app.channels.length === 0 || app.channels.includes(channel);
}

export type Thread = { teamId: string; appId: string; agentId: string; chatId: string; visitorId: string };

export async function findThread({ workspaceId, channel, threadTs }: Place): Promise<Thread | undefined> {
  const [row] = await asService(
    (tx) => tx<Thread[]>`
      select t.team_id, t.app_id, c.agent_id, t.chat_id, c.visitor_id
        from private.slack_threads t join public.chats c on c.id = t.chat_id
       where t.workspace_id = ${workspaceId} and t.channel = ${channel} and t.thread_ts = ${threadTs}`,
  );
  return row;
}

/** The team of a thread that was deleted with its app, agent or chat. */
export async function findFormerTeam({ workspaceId, channel, threadTs }: Place): Promise<string | undefined> {
  const [row] = await asService(
    (tx) => tx<{ askedTeam: string }[]>`
      select asked_team from private.former_slack_threads
       where workspace_id = ${workspaceId} and channel = ${channel} and thread_ts = ${threadTs}`,
  );
  return row?.askedTeam;
}

/**
 * Creates the chat of a thread. Slack's people are visitors, each with a stable id.
 * @param ts the message that begins it; later ones of the thread are for us, also those that arrived before it
 */
export async function beginThread(
  place: Place,
  app: ConnectedApp,
  { user, ts }: { user: string; ts: string },
): Promise<Thread> {
  const { workspaceId, channel, threadTs } = place;
  const visitorId = visitorOf(workspaceId, user);
  return await asService(async (tx) => {
    const [chat] = await tx<{ id: string }[]>`
      insert into public.chats (team_id, agent_id, visitor_id, channel)
      values (${app.teamId}, ${app.agentId}, ${visitorId}, 'slack') returning id`;
    if (!chat) throw new Error("the database returned no chat");
    await tx`
      insert into private.slack_threads (workspace_id, channel, thread_ts, team_id, app_id, chat_id)
      values (${workspaceId}, ${channel}, ${threadTs}, ${app.teamId}, ${app.id}, ${chat.id})
      on conflict (workspace_id, channel, thread_ts) do update
         set team_id = excluded.team_id, app_id = excluded.app_id, chat_id = excluded.chat_id`;
    await queueFollowUps(tx, place, ts);
    return { teamId: app.teamId, appId: app.id, agentId: app.agentId, chatId: chat.id, visitorId };
  });
}

/** The claims to read and write a thread's messages with: its visitor, through its app. */
export function claimsOfThread({ appId, visitorId }: Thread): Claims {
  return { role: "anon", visitor_id: visitorId, app_id: appId };
}

/** The thread of a message, if it is in the workspace and the channel where a button was pressed. */
export async function findThreadOfMessage(
  workspaceId: string,
  channel: string,
  messageId: string,
): Promise<Thread | undefined> {
  const [row] = await asService(
    (tx) => tx<Thread[]>`
      select t.team_id, t.app_id, c.agent_id, t.chat_id, c.visitor_id
        from public.messages m
        join public.chats c on c.id = m.chat_id
        join private.slack_threads t on t.team_id = c.team_id and t.chat_id = c.id
       where m.id = ${messageId} and t.workspace_id = ${workspaceId} and t.channel = ${channel}`,
  );
  return row;
}

/** A person's visitor id: the same in every thread of a workspace, and not reversible to Slack's id. */
function visitorOf(workspaceId: string, user: string): string {
  const hex = createHash("sha256").update(`slack:${workspaceId}:${user}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
