// Races between requests to two processes of the API: idempotency keys, refresh tokens, access that ends during use.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { type AddressInfo, connect, createServer } from "node:net";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { jwtSecret, signToken } from "../support/gateway.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { startUpstream, type Upstream } from "../support/upstream.ts";
import { rounds } from "./racing.ts";
import { addMembers, makeSmallTeams, makeUsers, type SmallTeam } from "./teams.ts";

/** Concurrent rounds: each mostly waits. */
const together = 10;

/** The application with its own modules, caches and connections, as another process has them. */
interface Process {
  app: typeof import("../../edge-functions/v1/app.ts")["app"];
  rotate: typeof import("../../edge-functions/v1/auth/rotation.ts")["rotate"];
  close(): Promise<void>;
}

let database: TestPostgres;
let sql: Sql;
let authServer: Upstream;
let one: Process;
let other: Process;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 4 });
  authServer = await startUpstream();
  const settings = {
    DATABASE_URL: database.url("authenticator"),
    SUPABASE_URL: authServer.url,
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: "service",
    JWT_SECRET: jwtSecret,
    WEB_URL: "http://127.0.0.1:9",
    SECRETS_KEY: "x".repeat(32),
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  [one, other] = [await startProcess(), await startProcess()];
});
afterAll(async () => {
  await Promise.all([one?.close(), other?.close()]);
  vi.unstubAllEnvs();
  await authServer?.close();
  await database?.stop();
});

async function startProcess(): Promise<Process> {
  vi.resetModules();
  const { app } = await import("../../edge-functions/v1/app.ts");
  const { rotate } = await import("../../edge-functions/v1/auth/rotation.ts");
  const { closeDatabase } = await import("../../edge-functions/_shared/database/db.ts");
  return { app, rotate, close: closeDatabase };
}

async function inRounds(round: (number: number) => Promise<void>): Promise<void> {
  for (let number = 0; number < rounds; number += together)
    await Promise.all(Array.from({ length: together }, (_, i) => round(number + i)));
}

const tokenOf = (user: string) => signToken({ role: "authenticated", aud: "authenticated", sub: user });

async function call(
  { app }: Process,
  bearer: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const answer = await app.request(`/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${bearer}`, "Content-Type": "application/json", ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

describe("an idempotency key used twice at once", () => {
  /** Sends a call again while the first one with its key is running, which its answer asks for after ten seconds of waiting. */
  async function callUntilAnswered(...sent: Parameters<typeof call>): ReturnType<typeof call> {
    const answer = await call(...sent);
    return answer.status === 409 && answer.text.includes("still running")
      ? await callUntilAnswered(...sent)
      : answer;
  }

  async function createTwice(user: string, names: [string, string]) {
    const bearer = await tokenOf(user);
    const key = { "Idempotency-Key": randomUUID() };
    const answers = await Promise.all([
      callUntilAnswered(one, bearer, "POST", "/teams", { name: names[0] }, key),
      callUntilAnswered(other, bearer, "POST", "/teams", { name: names[1] }, key),
    ]);
    const teams = await sql`select name from public.teams where created_by = ${user}`;
    return { answers, teams: teams.map(({ name }) => name) };
  }

  test("with one body creates one team, and returns its answer twice", async () => {
    const users = await makeUsers(sql, rounds);
    await inRounds(async (number) => {
      const { answers, teams } = await createTwice(users[number] ?? "", ["Team", "Team"]);
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(answers[0]?.text).toBe(answers[1]?.text);
      expect(teams).toEqual(["Team"]);
    });
  });

  test("with another body creates one team, and a conflict", async () => {
    const users = await makeUsers(sql, rounds);
    await inRounds(async (number) => {
      const { answers, teams } = await createTwice(users[number] ?? "", ["One", "Other"]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
      expect(teams).toEqual([answers[0]?.status === 201 ? "One" : "Other"]);
    });
  });

  test("creates two teams without its unique key", async () => {
    const [user = ""] = await makeUsers(sql, 1);
    // No two rows share a key any more.
    await sql.unsafe(`
      create function private.forget_key() returns trigger language plpgsql as $$
      begin
        new.key := gen_random_uuid();
        return new;
      end
      $$;
      create trigger forget_key before insert on private.idempotency_keys
        for each row execute function private.forget_key()`);
    try {
      const seen = new Set<number>();
      for (let number = 0; number < rounds && !seen.has(2); number++) {
        await sql`delete from public.teams where created_by = ${user}`;
        seen.add((await createTwice(user, ["Team", "Team"])).teams.length);
      }
      expect(seen).toContain(2);
    } finally {
      await sql`drop function private.forget_key() cascade`;
    }
  });
});

/** The auth server's answer to a refresh. */
async function newSession(session: string, user: string) {
  await sql`insert into auth.users (id, email, raw_user_meta_data) values (${user}, ${`${user}@session.test`}, '{}')
            on conflict do nothing`;
  await sql`insert into auth.sessions (id, user_id) values (${session}, ${user}) on conflict do nothing`;
  const accessToken = await signToken({
    role: "authenticated",
    sub: user,
    session_id: session,
    jti: randomUUID(),
  });
  return {
    access_token: accessToken,
    refresh_token: randomUUID(),
    expires_in: 3600,
    user: { id: user },
  };
}

test("a request whose statement reaches the database late is still one of those at once", async () => {
  const address = new URL(database.url("authenticator"));
  const { hostname, port } = address;
  let delayMs = 0;
  const between = createServer((client) => {
    const server = connect(Number(port), hostname);
    client.on("data", (bytes) => setTimeout(() => server.write(bytes), delayMs));
    client.on("close", () => server.destroy());
    server.pipe(client);
    for (const socket of [client, server]) socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
  address.port = String((between.address() as AddressInfo).port);
  const answer = await newSession(randomUUID(), randomUUID());
  authServer.handle((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  const useOnce = ({ rotate }: Process) => rotate(randomUUID(), now());
  await useOnce(one);
  vi.stubEnv("DATABASE_URL", address.href);
  const late = await startProcess();
  await useOnce(late);
  vi.stubEnv("DATABASE_URL", database.url("authenticator"));

  const token = randomUUID();
  delayMs = 300;
  const answers = await Promise.all([one, late].map(({ rotate }) => rotate(token, now())));
  expect(answers.map(({ refreshToken }) => refreshToken)).toEqual([
    answer.refresh_token,
    answer.refresh_token,
  ]);
  await late.close();
  between.close();
});

const now = () => ({ arrivedAt: performance.now(), isRepeatable: false });

test("a refresh token that five use at once is used once, with one answer for all, repeated for half a minute", async () => {
  const uses = new Map<string, number>();
  authServer.handle(async (request, response) => {
    const { refresh_token: token } = JSON.parse((await request.toArray()).join(""));
    uses.set(token, (uses.get(token) ?? 0) + 1);
    const answer = await newSession(randomUUID(), randomUUID());
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await inRounds(async () => {
    const token = randomUUID();
    const use = now();
    const answers = await Promise.all([one, other, one, other, one].map(({ rotate }) => rotate(token, use)));
    expect(new Set(answers.map(({ refreshToken }) => refreshToken)).size).toBe(1);
    expect(uses.get(token)).toBe(1);
    const age = (seconds: number) => sql`
      update private.token_rotations set finished_at = clock_timestamp() - make_interval(secs => ${seconds})
       where token_hash = ${createHash("sha256").update(token).digest()}`;
    await age(20);
    const repeat = () => other.rotate(token, { ...now(), isRepeatable: true });
    expect(await repeat()).toEqual(answers[0]);
    await age(30);
    await expect(repeat()).rejects.toMatchObject({ code: "NOT_AUTHENTICATED" });
    expect(uses.get(token)).toBe(1);
  });
});

describe("access that ends during use", () => {
  /** Statuses that a call may get while access ends. */
  const clear = [201, 401, 403, 404];
  let teams: SmallTeam[];

  beforeAll(async () => {
    teams = await makeSmallTeams(sql, rounds);
  });
  const teamOf = (number: number): SmallTeam => {
    const team = teams[number];
    if (!team) throw new Error("Each round has a team");
    return team;
  };
  const agentsOf = async ({ id }: SmallTeam) =>
    (await sql`select 1 from public.agents where team_id = ${id}`).length;

  /** Calls before, during and after the end of access: their statuses, and how many agents the last one added. */
  async function race(team: SmallTeam, bearer: string, end: () => Promise<{ status: number; text: string }>) {
    const create = () => call(other, bearer, "POST", `/teams/${team.id}/agents`, { name: "Agent" });
    const first = await create();
    const [ended, ...during] = await Promise.all([end(), create(), create()]);
    const before = await agentsOf(team);
    const last = await create();
    return {
      ended: ended.status,
      first: first.status,
      during: during.map(({ status }) => status),
      last: last.status,
      added: (await agentsOf(team)) - before,
    };
  }

  test("a revoked API key, cached by the other process, is refused from then on", async () => {
    await inRounds(async (number) => {
      const team = teamOf(number);
      const owner = await tokenOf(team.owners[0]);
      const made = await call(one, owner, "POST", `/teams/${team.id}/apiKeys`, {
        name: randomBytes(4).toString("hex"),
        roleId: systemRoleIds.editor,
      });
      const { id, key } = JSON.parse(made.text);
      const outcome = await race(team, key, () =>
        call(one, owner, "DELETE", `/teams/${team.id}/apiKeys/${id}`),
      );
      expect(outcome).toMatchObject({ ended: 204, first: 201, last: 401, added: 0 });
      for (const status of outcome.during) expect(clear).toContain(status);
    });
  });

  test("a demoted member is refused from then on", async () => {
    const members = await makeUsers(sql, rounds);
    await addMembers(
      sql,
      teams.map(({ id }, number) => ({
        team: id,
        user: members[number] ?? "",
        role: systemRoleIds.editor,
      })),
    );
    await inRounds(async (number) => {
      const team = teamOf(number);
      const [owner, member] = await Promise.all([tokenOf(team.owners[0]), tokenOf(members[number] ?? "")]);
      const outcome = await race(team, member, () =>
        call(one, owner, "PUT", `/teamUsers/${team.id}/users/${members[number]}`, {
          roleId: systemRoleIds.viewer,
        }),
      );
      expect(outcome).toMatchObject({ ended: 200, first: 201, last: 403, added: 0 });
      for (const status of outcome.during) expect(clear).toContain(status);
    });
  });

  test("a removed member is refused from then on", async () => {
    await inRounds(async (number) => {
      const team = teamOf(number);
      const [owner, member] = await Promise.all(team.owners.map(tokenOf));
      const outcome = await race(team, member ?? "", () =>
        call(one, owner ?? "", "DELETE", `/teamUsers/${team.id}/users/${team.owners[1]}`),
      );
      expect(outcome).toMatchObject({ ended: 204, first: 201, last: 404, added: 0 });
      for (const status of outcome.during) expect(clear).toContain(status);
    });
  });
});
