// The logs of a real exchange: one line in every process that it passed, all with one id, and no secret.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadSecrets } from "../../supabase/local/secrets.ts";
import { readSettings } from "../../supabase/local/settings.ts";
import { anyone, as, newTeam } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { findStack } from "../support/stack.ts";
import { cookieOf, postLogin } from "../support/web-session.ts";

const { dataDir } = readSettings(process.env);
const logsDir = join(dataDir, "logs");

/** Everything that the processes have logged, by file. */
const logs = () =>
  readdirSync(logsDir).map((name) => ({ name, text: readFileSync(join(logsDir, name), "utf8") }));

type Line = { process?: string; requestId?: string; message: string };

/** A request's lines, once every named process has written one. */
function linesOf(requestId: string, processes: string[]): Promise<Line[]> {
  return eventually(() => {
    const lines = logs()
      .flatMap(({ text }) => text.split("\n"))
      .filter((line) => line.includes(requestId))
      .map((line): Line => JSON.parse(line));
    expect(new Set(lines.map((line) => line.process))).toEqual(new Set(processes));
    return lines;
  });
}

/** Text in URLs that must not be logged. */
const unsaid = `unsaid${crypto.randomUUID().slice(0, 8)}`;

const newId = () => `test-${crypto.randomUUID()}`;

test("a browser's request leaves one line in each process, all with the answer's id", async () => {
  const { webUrl } = await findStack();
  const { owner } = await newTeam();
  const cookie = cookieOf(await postLogin(owner));
  const requestId = newId();
  const answer = await fetch(`${webUrl}/v1/auth/me?code=${unsaid}`, {
    headers: { cookie, "x-request-id": requestId },
  });
  expect([answer.status, answer.headers.get("x-request-id")]).toEqual([200, requestId]);
  const line = { requestId, level: "info", message: "request", method: "GET", status: 200 };
  const rest = { time: expect.any(String), ms: expect.any(Number) };
  const lines = await linesOf(requestId, ["web", "gateway", "v1"]);
  expect(lines.sort((a, b) => String(a.process).localeCompare(String(b.process)))).toEqual([
    { ...line, ...rest, process: "gateway", route: "/functions/v1/v1" },
    { ...line, ...rest, process: "v1", route: "/v1/auth/me" },
    { ...line, ...rest, process: "web", route: "/v1/*" },
  ]);
});

test("a page's line names the page, and its API calls have the same id", async () => {
  const { webUrl } = await findStack();
  const { owner, codename } = await newTeam();
  const cookie = cookieOf(await postLogin(owner));
  const requestId = newId();
  const answer = await fetch(`${webUrl}/teams/${codename}/agents`, {
    headers: { cookie, "x-request-id": requestId },
  });
  await answer.text();
  const lines = await linesOf(requestId, ["web", "v1"]);
  expect(lines.filter((line) => line.process === "web")).toMatchObject([
    { route: "/teams/@teamId/agents", status: 200 },
  ]);
  expect(lines).toContainEqual(expect.objectContaining({ process: "v1", route: "/v1/teams/:teamId/agents" }));
});

test("no line has a URL's parameters, whether or not the route exists", async () => {
  const { apiUrl } = await findStack();
  const requestId = newId();
  const answer = await fetch(`${apiUrl}/v1/nowhere/ada@${unsaid}.test?token=${unsaid}`, {
    headers: { "x-request-id": requestId },
  });
  expect(answer.status).toBe(404);
  const lines = await linesOf(requestId, ["gateway", "v1"]);
  expect(lines).toContainEqual(expect.objectContaining({ process: "v1", route: "/v1/*", status: 404 }));
});

test("refusals by Slack and by the indexing function are logged as well", async () => {
  const { apiUrl } = await findStack();
  for (const [path, process, route, status] of [
    ["/slack/tick", "slack", "/slack/tick", 401],
    ["/indexing", "indexing", "/indexing", 401],
  ] as const) {
    const requestId = newId();
    const answer = await fetch(apiUrl + path, { method: "POST", headers: { "x-request-id": requestId } });
    expect([answer.status, answer.headers.get("x-request-id")]).toEqual([status, requestId]);
    const lines = await linesOf(requestId, ["gateway", process]);
    expect(lines).toContainEqual(expect.objectContaining({ process, route, status }));
  }
});

test("no log has a secret of the exchange or of the installation", async () => {
  const { webUrl } = await findStack();
  const team = await newTeam();
  const { owner } = team;
  const wrong = "a-password-that-is-wrong-9";
  expect((await postLogin({ ...owner, password: wrong })).status).toBe(401);
  const session = cookieOf(await postLogin(owner));
  const [, chunk = ""] = /auth-token(?:\.\d)?=([^;]+)/.exec(session) ?? [];
  expect(chunk.length).toBeGreaterThan(100);
  const login = await anyone.post("/v1/auth/login", { ...pick(owner), deviceId: "app" });
  expect(login.status).toBe(200);
  const key = await owner.post(`${team.path}/apiKeys`, { name: "Logs" });
  expect(key.status).toBe(201);
  const withKey = as(key.body.key);
  expect((await withKey.get(`${team.path}/agents?apiKey=${key.body.key}`)).status).toBe(200);
  expect((await withKey.get(`/v1/${key.body.key}`)).status).toBe(404);
  const secret = "a-credential-of-a-connector-8";
  const source = await owner.post(`${team.path}/sources`, {
    type: "jira",
    name: "Tickets",
    config: { baseUrl: "https://jira.invalid", projects: ["X"] },
    credentials: { email: `${unsaid}@parley.test`, apiToken: secret },
  });
  expect(source.status).toBeLessThan(500);
  const requestId = newId();
  await fetch(`${webUrl}/v1/teams/${team.codename}/agents?access_token=${owner.token}`, {
    headers: { cookie: session, "x-request-id": requestId },
  });
  await linesOf(requestId, ["web", "gateway", "v1"]);

  const installation = Object.entries(await loadSecrets(dataDir));
  const told: [string, string][] = [
    ...installation,
    ["a wrong password", wrong],
    ["a password", owner.password],
    ["a session's cookie", chunk],
    ["an access token", owner.token],
    ["another access token", login.body.accessToken],
    ["a refresh token", login.body.refreshToken],
    ["an API key", key.body.key],
    ["a connector's credential", secret],
    ["an e-mail address", owner.email],
    ["what an address held", unsaid],
  ];
  expect(installation.length).toBeGreaterThan(5);
  const found = logs().flatMap(({ name, text }) =>
    told.filter(([, value]) => value && text.includes(value)).map(([what]) => `${what} in ${name}`),
  );
  expect(found).toEqual([]);
});

const pick = ({ email, password }: { email: string; password: string }) => ({ email, password });
