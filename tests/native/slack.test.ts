// Races around Slack: a workspace's tokens, and repeated events.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startUpstream, type Upstream } from "../support/upstream.ts";
import { openTrack, type Race, rounds, rowsOf, type Side, takeOut, testRace } from "./racing.ts";
import { makeSmallTeams, type SmallTeam, service, user } from "./teams.ts";

const track = openTrack();
let slack: Upstream;
let installations: typeof import("../../edge-functions/slack/installations.ts");
let queue: typeof import("../../edge-functions/slack/queue.ts");
let db: typeof import("../../edge-functions/_shared/database/db.ts");

beforeAll(async () => {
  slack = await startUpstream();
  const settings = {
    DATABASE_URL: track().database.url("authenticator"),
    SUPABASE_URL: "http://127.0.0.1:9",
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: "service",
    WEB_URL: "http://127.0.0.1:9",
    SECRETS_KEY: "x".repeat(32),
    SLACK_CLIENT_ID: "1.2",
    SLACK_CLIENT_SECRET: "client-secret",
    SLACK_SIGNING_SECRET: "signing-secret",
    SLACK_API_URL: `${slack.url}/api`,
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  installations = await import("../../edge-functions/slack/installations.ts");
  queue = await import("../../edge-functions/slack/queue.ts");
  db = await import("../../edge-functions/_shared/database/db.ts");
});
afterAll(async () => {
  await db?.closeDatabase();
  vi.unstubAllEnvs();
  await slack?.close();
});

interface Workspace {
  id: string;
  /** Of two teams: the first one's app is connected. */
  apps: [string, string];
  teams: [SmallTeam, SmallTeam];
}

async function prepare(sql: Sql, count: number): Promise<Workspace[]> {
  const teams = await makeSmallTeams(sql, 2 * count);
  await sql`insert into public.agents (team_id, name) select id, 'Agent' from public.teams t
             where not exists (select 1 from public.agents a where a.team_id = t.id)`;
  const workspaces = Array.from({ length: count }, (_, number) => ({
    id: `W${randomUUID()}`,
    apps: [randomUUID(), randomUUID()] as [string, string],
    // As many pairs as teams were created above.
    teams: teams.slice(2 * number, 2 * number + 2) as [SmallTeam, SmallTeam],
  }));
  await sql`insert into private.slack_installations (workspace_id, bot_user_id, tokens)
            select id, 'B1', '\\x00' from unnest(${workspaces.map(({ id }) => id)}::text[]) id`;
  const apps = workspaces.flatMap(({ id, apps, teams }) =>
    apps.map((app, i) => ({
      app,
      workspace: id,
      team: teams[i]?.id,
      status: i === 0 ? "connected" : "pending",
    })),
  );
  await sql`insert into public.apps (id, team_id, name, agent_id, status, workspace_id, connected_at)
            select n.app, n.team, 'App', a.id, n.status, case when n.status = 'connected' then n.workspace end,
                   case when n.status = 'connected' then now() end
              from jsonb_to_recordset(${sql.json(apps)}) as n (app uuid, team uuid, workspace text, status text)
              join public.agents a on a.team_id = n.team`;
  return workspaces;
}

const connect = (tx: Parameters<Side["work"]>[0], workspace: string, app: string) =>
  tx`update public.apps set status = 'connected', workspace_id = ${workspace}, connected_at = now()
      where id = ${app} returning 1`;

async function prepareConnected(sql: Sql, count: number): Promise<Workspace[]> {
  const workspaces = await prepare(sql, count);
  await sql.begin(async (tx) => {
    for (const { id, apps } of workspaces) await connect(tx, id, apps[1]);
  });
  return workspaces;
}

const remove = ({ apps, teams }: Workspace, which: 0 | 1): Side => ({
  claims: user(teams[which].owners[0]),
  work: (tx) => tx`delete from public.apps where id = ${apps[which]} returning 1`,
});

const isInstalled = async (sql: Sql, { id }: Workspace) =>
  (await sql`select 1 from private.slack_installations where workspace_id = ${id}`).length === 1;

describe("a workspace's tokens", () => {
  const unlock: Race<Workspace>["unlock"] = (sql) => takeOut(sql, "private.forget_tokens()", " for update");

  testRace("go with the last of two apps that are deleted", track, {
    prepare: prepareConnected,
    sides: (round) => [remove(round, 0), remove(round, 1)],
    check: async (sql, round, outcomes) => {
      expect(outcomes.map(rowsOf)).toEqual([1, 1]);
      expect(await isInstalled(sql, round)).toBe(false);
    },
    unlock,
  });

  testRace("stay for an app that is connected while another one is deleted", track, {
    prepare,
    sides: (round) => [
      remove(round, 0),
      {
        claims: service,
        work: async (tx) => {
          await installations.storeInstallation(tx, round.id, "B1", { access: "a", refresh: "r" }, 3600);
          return await connect(tx, round.id, round.apps[1]);
        },
      },
    ],
    check: async (sql, round, outcomes) => {
      expect(outcomes.map(rowsOf)).toEqual([1, 1]);
      expect(await isInstalled(sql, round)).toBe(true);
    },
    unlock,
  });

  test("are refreshed once by any number of users: a refresh token works once", async () => {
    const { sql } = track();
    for (let round = 0; round < rounds; round++) {
      const workspace = `W${randomUUID()}`;
      let current = "refresh 0";
      let renewals = 0;
      slack.handle(async (request, response) => {
        const body = new URLSearchParams((await request.toArray()).join(""));
        const answer = (value: object) =>
          response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
        if (!request.url?.endsWith("oauth.v2.access")) return void answer({ ok: true });
        if (body.get("refresh_token") !== current)
          return void answer({ ok: false, error: "invalid_refresh_token" });
        renewals += 1;
        current = `refresh ${renewals}`;
        answer({ ok: true, access_token: `access ${renewals}`, refresh_token: current, expires_in: 43_200 });
      });
      // About to expire, and still valid: a caller that does not refresh it uses it.
      await sql.begin((tx) =>
        installations.storeInstallation(tx, workspace, "B1", { access: "access 0", refresh: current }, 60),
      );
      const one = await installations.openWorkspace(workspace);
      const calls = Array.from({ length: 8 }, () => one?.call("auth.test", {}));
      await Promise.all(calls);
      expect(renewals).toBe(1);
    }
  });

  test("are not refreshed with a refresh token that another process has just used", async () => {
    const { sql } = track();
    const workspace = `W${randomUUID()}`;
    const used: (string | null)[] = [];
    slack.handle(async (request, response) => {
      const body = new URLSearchParams((await request.toArray()).join(""));
      const renews = request.url?.endsWith("oauth.v2.access");
      if (renews) used.push(body.get("refresh_token"));
      const answer = renews ? { ok: false, error: "invalid_refresh_token" } : { ok: true };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
    const keep = (tx: Parameters<Side["work"]>[0], access: string, seconds: number) =>
      installations.storeInstallation(tx, workspace, "B1", { access, refresh: `${access}'s` }, seconds);
    await sql.begin((tx) => keep(tx, "old", 60));
    const one = await installations.openWorkspace(workspace);
    let call: Promise<unknown> | undefined;
    await sql.begin(async (tx) => {
      await keep(tx, "new", 43_200);
      call = one?.call("auth.test", {});
      await waiting(sql, call);
    });
    await call;
    expect(used).toEqual([]);
  });
});

/** Resolves when a connection waits for a row, or when the work that should wait is over. */
async function waiting(sql: Sql, work?: Promise<unknown>): Promise<void> {
  let isOver = false;
  work?.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const blocked = await sql`
      select 1 from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
    if (blocked.length > 0) return;
  }
}

const message = (workspaceId: string, eventId: string) =>
  ({
    kind: "message",
    eventId,
    workspaceId,
    message: { channel: "C1", ts: "1.1", threadTs: "1.1", user: "U1", text: "Hello", isDirect: true },
  }) as const;

describe("a question that waits a day for its workspace", () => {
  const daySeconds = 86_400;

  async function claimQuestion() {
    const workspace = `W${randomUUID()}`;
    await queue.storeEvent(message(workspace, `Ev${workspace}`));
    const claim = await queue.claimEvent();
    if (claim?.event.workspaceId !== workspace) throw new Error("another event was claimed");
    return { workspace, claim };
  }
  const install = (tx: Parameters<Side["work"]>[0], workspace: string) =>
    installations.storeInstallation(tx, workspace, "B1", { access: "a", refresh: "r" }, 3600);

  /** The seconds for which each question of some rounds still waits. */
  async function waitsAfter(
    meet: (round: Awaited<ReturnType<typeof claimQuestion>>, number: number) => Promise<unknown>,
  ): Promise<number[]> {
    const { sql } = track();
    const waits: number[] = [];
    for (let number = 0; number < rounds; number++) {
      await sql`delete from private.slack_events`;
      const round = await claimQuestion();
      await meet(round, number);
      const [row] = await sql`
        select status, greatest(0, extract(epoch from run_after - now()))::float8 as seconds from private.slack_events`;
      expect(row?.status).toBe("queued");
      waits.push(row?.seconds);
    }
    return waits;
  }

  test("is asked at once when the install meets the worker that puts it off", async () => {
    const { sql } = track();
    const waits = await waitsAfter(async ({ workspace, claim }, number) => {
      if (number % 3 === 0) {
        await sql.begin((tx) => install(tx, workspace));
        return await claim.again(daySeconds);
      }
      if (number % 3 === 1)
        return await Promise.all([sql.begin((tx) => install(tx, workspace)), claim.again(daySeconds)]);
      // The install is not committed yet when the worker writes.
      let put: Promise<unknown> | undefined;
      await sql.begin(async (tx) => {
        await install(tx, workspace);
        put = claim.again(daySeconds);
        await waiting(sql, put);
      });
      return await put;
    });
    expect(Math.max(...waits)).toBeLessThan(1);
  });

  test("waits without an install, and after the install has been tried", async () => {
    const { sql } = track();
    const waits = await waitsAfter(async ({ workspace, claim }, number) => {
      if (number % 2 === 0) return await claim.again(daySeconds);
      await sql.begin((tx) => install(tx, workspace));
      await claim.again(daySeconds);
      await (await queue.claimEvent())?.again(daySeconds);
    });
    expect(Math.min(...waits)).toBeGreaterThan(daySeconds - 60);
  });
});

describe("an event that Slack delivers twice at once", () => {
  async function deliver(sql: Sql, kinds: "the same" | "its twin"): Promise<number[]> {
    const counts: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await sql`delete from private.slack_events`;
      const workspace = `W${randomUUID()}`;
      const events = [`Ev1${workspace}`, kinds === "the same" ? `Ev1${workspace}` : `Ev2${workspace}`];
      await Promise.all(events.map((event) => queue.storeEvent(message(workspace, event))));
      const claims = await Promise.all([queue.claimEvent(), queue.claimEvent(), queue.claimEvent()]);
      for (const claim of claims) claim?.release();
      counts.push(claims.filter((claim) => claim !== undefined).length);
    }
    return counts;
  }

  test.each(["the same", "its twin"] as const)("is processed once: %s", async (kinds) => {
    expect(new Set(await deliver(track().sql, kinds))).toEqual(new Set([1]));
  });

  test("is processed twice without its keys", async () => {
    const { sql } = track();
    await sql`alter table private.slack_events drop constraint slack_events_event_id_key`;
    await sql`drop index private.slack_events_message_key`;
    expect(new Set(await deliver(sql, "the same"))).not.toEqual(new Set([1]));
  });
});
