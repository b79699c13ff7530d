// Owns a bench for Slack: the real Postgres, a fake Slack and a model provider as HTTP servers, a team with an agent whose app is
// connected, and the function itself as any number of production's Deno processes.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { type Claims, closeDatabase } from "../../edge-functions/_shared/database/db.ts";
import { beginInstall } from "../../edge-functions/slack/install.ts";
import { confirmArrival, openArrival } from "../../edge-functions/slack/install-confirmation.ts";
import { type DenoFunction, spawnDenoFunction } from "./deno-function.ts";
import { type OpenAiFake, startOpenAiFake } from "./fakes/openai.ts";
import { SlackFake } from "./fakes/slack.ts";
import type { PostedMessage } from "./fakes/slack-conversations.ts";
import { startTestPostgres } from "./postgres.ts";
import { makeTeam, type SearchableTeam } from "./searchable.ts";

const serviceKey = "the-service-key-of-the-tests";
export const workspace = "T0ACME";
export const member = "U0MEMBER";

export interface SlackStand {
  sql: Sql;
  slack: SlackFake;
  openai: OpenAiFake;
  team: SearchableTeam;
  /** Starts the function. */
  spawn(): Promise<DenoFunction>;
  /** Creates an app of the team. */
  addApp(values?: {
    agentId?: string;
    name?: string;
    audience?: string;
    channels?: string[];
  }): Promise<string>;
  /** The query of Slack's redirect after consent. @param began who started it; default: the team's owner */
  consent(appId: string, began?: { claims?: Claims; challenge?: string }): Promise<string>;
  /** Follows Slack's redirect; resolves with the next URL. */
  back(one: DenoFunction, search: string): Promise<URL>;
  /** Installs an app as the team's owner does; resolves with the connected app. */
  install(one: DenoFunction, appId: string): Promise<string>;
  send(one: DenoFunction, body: string, headers?: Record<string, string>): Promise<Response>;
  /** Posts a person's message; resolves with its ts. */
  say(one: DenoFunction, text: string, more?: Record<string, unknown>): Promise<string>;
  /** @param action the button; a thumb by default */
  press(one: DenoFunction, message: PostedMessage, value: string, action?: string): Promise<Response>;
  tick(one: DenoFunction): Promise<void>;
  /** Expires leases and waits. */
  passTime(): Promise<void>;
  /** Ticks until no event waits or is in progress. */
  settle(one: DenoFunction): Promise<void>;
  stop(): Promise<void>;
}

export async function startSlackStand(): Promise<SlackStand> {
  const database = await startTestPostgres();
  const sql = database.connect("postgres", { max: 4 });
  const [openai, slack] = await Promise.all([startOpenAiFake(), new SlackFake().start()]);
  const environment = {
    DATABASE_URL: database.url("authenticator"),
    SUPABASE_URL: "http://127.0.0.1:9",
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: serviceKey,
    WEB_URL: "http://127.0.0.1:3000",
    SECRETS_KEY: "x".repeat(32),
    OPENAI_API_KEY: "test",
    OPENAI_BASE_URL: openai.baseUrl,
    OPENAI_EMBEDDING_DIMENSIONS: "8",
    SLACK_CLIENT_ID: "1.2",
    SLACK_CLIENT_SECRET: "client-secret",
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_API_URL: slack.apiUrl,
  };
  Object.assign(process.env, environment);
  const team = await makeTeam(sql);
  slack.users.set(member, { locale: "en-US" });
  const functions: DenoFunction[] = [];

  const stand: SlackStand = {
    sql,
    slack,
    openai,
    team,
    spawn: async () => {
      const one = await spawnDenoFunction("slack", environment);
      functions.push(one);
      return one;
    },
    addApp: async ({ agentId = team.agentId, name = "App", audience = "members", channels = [] } = {}) => {
      const [row] = await sql`insert into public.apps (team_id, name, agent_id, audience, channels)
        values (${team.id}, ${name}, ${agentId}, ${audience}, ${channels}) returning id`;
      return row?.id;
    },
    consent: async (appId, { claims = ownerClaims(team), challenge } = {}) => {
      const page = await fetch(await beginInstall(appId, claims, challenge));
      const href = /<a href="([^"]+)">Allow/.exec(await page.text())?.[1] ?? "";
      return new URL(href.replaceAll("&amp;", "&")).search;
    },
    back: async (one, search) => {
      const answer = await fetch(`${one.url}/slack/oauth${search}`, { redirect: "manual" });
      return new URL(answer.headers.get("location") ?? `http://answered/${answer.status}`);
    },
    install: async (one, appId) => {
      const confirm = await stand.back(one, await stand.consent(appId));
      const proof = { ticket: confirm.searchParams.get("ticket") ?? "" };
      await openArrival(ownerClaims(team), proof);
      return await confirmArrival(ownerClaims(team), proof);
    },
    send: (one, body, headers = slack.sign(body)) =>
      fetch(`${one.url}/slack/events`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
      }),
    say: async (one, text, more = {}) => {
      const ts = slack.conversations.ts();
      const event = { type: "message", channel: "D1", channel_type: "im", user: member, text, ts, ...more };
      const answer = await stand.send(one, slack.envelope(workspace, event));
      if (answer.status !== 200) throw new Error(`Not acknowledged: ${await answer.text()}`);
      return ts;
    },
    press: (one, message, value, action = "rate_reply") => {
      const payload = {
        type: "block_actions",
        team: { id: workspace },
        user: { id: member },
        channel: { id: message.channel },
        message: { ts: message.ts, thread_ts: message.threadTs },
        actions: [{ type: "feedback_buttons", action_id: action, value }],
      };
      const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
      return fetch(`${one.url}/slack/interactions`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...slack.sign(body) },
        body,
      });
    },
    tick: async (one) => {
      const headers = { authorization: `Bearer ${serviceKey}` };
      const answer = await fetch(`${one.url}/slack/tick`, { method: "POST", headers });
      if (!answer.ok) throw new Error(`No tick: ${await answer.text()}`);
    },
    passTime: async () => {
      await sql`update private.slack_events
                   set run_after = least(run_after, now()),
                       lease_until = case when lease_until is not null then now() - interval '1 s' end
                 where status in ('queued', 'running')`;
    },
    settle: async (one) => {
      for (;;) {
        await stand.tick(one);
        const [row] = await sql`
          select count(*)::int as n from private.slack_events where status in ('queued', 'running')`;
        if (row?.n === 0) return;
        await sql`update private.slack_events set run_after = now() where status = 'queued'`;
        await sleep(50);
      }
    },
    stop: async () => {
      await Promise.all(functions.map((one) => one.end("SIGKILL")));
      await closeDatabase();
      await Promise.all([openai.stop(), slack.stop()]);
      await database.stop();
    },
  };
  return stand;
}

/** The team's owner in the API's claims. */
export function ownerClaims(team: SearchableTeam): Extract<Claims, { sub: string }> {
  if (!("sub" in team.owner) || !team.owner.sub) throw new Error("The team's owner is a user");
  return { role: "authenticated", sub: team.owner.sub };
}

/** Creates another agent of a team. */
export async function addAgent(sql: Sql, team: SearchableTeam, name: string): Promise<string> {
  const id = randomUUID();
  await sql`insert into public.agents (id, team_id, name) values (${id}, ${team.id}, ${name})`;
  return id;
}
