// Another team's ids, below the caller's own team and below a team that only invited the caller: every call answers as if there were
// none. The calls come from the API's description, so that a new one is included.
import { beforeAll, expect, test } from "vitest";
import { newPerson, owner, type Person } from "../support/api.ts";
import { waitUntilIndexed } from "../support/content.ts";
import { type Operation, operationsOf, readDescription } from "../support/description.ts";
import { type Furnished, filledPath, furnishedTeam } from "../support/furnished.ts";
import { askedChat } from "../support/handovers.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { tinyPng } from "../support/pictures.ts";
import { rowsOf } from "../support/team-rows.ts";

let own: Furnished;
let foreign: Furnished;
/** The foreign team's source of written answers. */
let written: string;
type Call = { method: string; path: string; operation: Operation };
/** Every call in a team. */
let inTeam: Call[];
/** Those that name a thing in it. */
let calls: Call[];

beforeAll(async () => {
  let operations: Call[];
  [operations, own, foreign] = await Promise.all([
    readDescription().then(operationsOf),
    furnishedTeam(),
    furnishedTeam(),
  ]);
  inTeam = operations.filter(({ path }) => /^\/v1\/(teams|teamUsers)\/\{/.test(path));
  // Its path has a parameter after the team's.
  calls = inTeam.filter(({ path }) => /\}\/.*\{/.test(path));
  await addMore(foreign);
});

/** What else a path can name, beside the things that every furnished team has. */
async function addMore({ team, ids }: Furnished): Promise<void> {
  const { owner: person } = team;
  const create = async (path: string, body: unknown) => {
    const answer = await person.post(`${team.path}${path}`, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.id as string;
  };
  const agent = ids["agents/"] ?? "";
  await person.put(`${team.path}/agents/${agent}/avatar`, { data: tinyPng });
  written = await create("/sources", { type: "qa", name: "Written" });
  ids["entries/"] = await create(`/sources/${written}/entries`, { question: "What?", answer: "That." });
  ids["external/"] = "1";
  ids["tests/"] = await create(`/agents/${agent}/tests`, { question: "What?", facts: ["that"] });
  ids["versions/"] = await create(`/agents/${agent}/versions`, { greeting: "Hello" });
  ids["handovers/"] = (await askedChat(agent)).handover.id;
  const sql = await owner();
  const [run] = await sql<{ id: string }[]>`
    insert into public.agent_test_runs (team_id, agent_id, version_id, status)
    values (${team.id}, ${agent}, ${ids["versions/"]}, 'succeeded') returning id`;
  const [result] = await sql<{ id: string }[]>`
    insert into public.agent_test_results (team_id, run_id, position, question, facts, must_refuse)
    values (${team.id}, ${run?.id ?? ""}, 1, 'What?', '{that}', false) returning id`;
  const [gap] = await sql<{ id: string }[]>`
    insert into public.gaps (team_id, agent_id, reason) values (${team.id}, ${agent}, 'missing') returning id`;
  const [model] = await sql<{ id: string }[]>`
    insert into private.models (team_id, role, provider, base_url, model)
    values (${team.id}, 'fallback', 'custom', 'https://models.test/v1', 'theirs') returning id`;
  Object.assign(ids, { "runs/": run?.id, "results/": result?.id, "gaps/": gap?.id, "models/": model?.id });
  // The queue's own work changes rows too.
  await waitUntilIndexed(team, ids["knowledges/"] ?? "");
}

/** A call's path with the foreign team's things. @param team the id before them */
function pathOf(path: string, team: string): string {
  const ids: Furnished["ids"] = { ...foreign.ids, "teams/": team, "teamUsers/": team };
  if (path.includes("/entries/")) ids["sources/"] = written;
  return filledPath(path.replace("{number}", "1"), { ...foreign, ids });
}

test("each of these things is there for its own team", async () => {
  const missing: string[] = [];
  for (const { path } of calls.filter(({ method }) => method === "get")) {
    const { status } = await foreign.team.owner.get(pathOf(path, foreign.team.id));
    if (status !== 200) missing.push(`${path}: ${status}`);
  }
  expect(missing).toEqual([]);
});

/** Valid bodies of calls whose example is none. */
const bodies: Record<string, unknown> = {
  "put /v1/teams/{teamId}/agents/{id}/avatar": { data: tinyPng },
  "put /v1/teams/{teamId}/agents/{id}/tests/{testId}": { facts: ["other"] },
};
/** Queries of calls that need one. */
const queries: Record<string, string> = {
  "/v1/teams/{teamId}/files/signedUrl": "?path=mine.txt&contentType=text/plain",
  "/v1/teams/{teamId}/search": "?query=theirs",
};

/** Makes a call with a valid body. */
function make(person: Person, { method, path, operation }: Call, address: string) {
  const content = operation.requestBody?.content ?? {};
  const json = bodies[`${method} ${path}`] ?? content["application/json"]?.example;
  if ("multipart/form-data" in content && method === "put")
    return person.putFile(address, "mine.txt", "Mine.");
  if ("multipart/form-data" in content) return person.upload(address, "mine.txt", "Mine.");
  return person.call(
    method.toUpperCase(),
    address,
    json === undefined ? undefined : JSON.stringify(json),
    json === undefined ? {} : { headers: { "Content-Type": "application/json" } },
  );
}

test("nothing of another team is reached by a path below one's own", async () => {
  const before = await rowsOf(foreign.team);
  const reached: string[] = [];
  for (const call of calls) {
    const { status, text } = await make(own.team.owner, call, pathOf(call.path, own.team.id));
    if (status !== 404) reached.push(`${call.method} ${call.path}: ${status} ${text.slice(0, 200)}`);
  }
  expect(reached).toEqual([]);
  expect(calls.length).toBeGreaterThan(60);
  expect(await rowsOf(foreign.team)).toBe(before);
});

test("a team is nothing to those whom it only invited, except their invitation", async () => {
  const invited = await newPerson();
  const body = { email: invited.email, roleId: systemRoleIds.admin };
  expect((await foreign.team.owner.post(`/v1/teamUsers/${foreign.team.id}/users`, body)).status).toBe(201);
  const before = await rowsOf(foreign.team);
  const reached: string[] = [];
  for (const call of inTeam) {
    const { status, text } = await make(
      invited,
      call,
      pathOf(call.path, foreign.team.id) + (queries[call.path] ?? ""),
    );
    if (status !== 404) reached.push(`${call.method} ${call.path}: ${status} ${text.slice(0, 200)}`);
  }
  expect(reached).toEqual([]);
  expect(inTeam.length).toBeGreaterThan(100);
  expect(await rowsOf(foreign.team)).toBe(before);
  expect((await invited.get("/v1/teams/pending-invites")).body.total).toBe(1);
});
