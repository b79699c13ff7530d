// A save of an outdated version is refused: every resource whose form two people can have open, through the team's calls and the platform
// admins'.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { anyone, newAdmin, newMember, newTeam, type Person, type Team } from "../support/api.ts";
import { until } from "../support/content.ts";

let team: Team;
let admin: Person;
beforeAll(async () => {
  [team, admin] = await Promise.all([newTeam(), newAdmin()]);
});

const ifMatch = (version: string) => ({ headers: { "If-Match": version } });
const create = async (path: string, values: object) => (await team.owner.post(path, values)).body;

interface Resource {
  /** Creates one, and returns its paths for the team and for platform admins. */
  make(): Promise<{ path: string; adminPath?: string }>;
  /** Every change that creates a version, in sequence. */
  changes: () => Promise<object[]>;
}

const inTeam = (name: string, values: () => Promise<object>, changes: Resource["changes"]): Resource => ({
  make: async () => {
    const { id } = await create(`${team.path}/${name}`, await values());
    const adminPath = name === "apps" ? undefined : `/v1/admin/${name}/${id}`;
    return { path: `${team.path}/${name}/${id}`, adminPath };
  },
  changes,
});

const newAgent = async () => await create(`${team.path}/agents`, { name: "Agent" });

const resources: Record<string, Resource> = {
  "an agent": inTeam(
    "agents",
    async () => ({ name: "One" }),
    async () => [
      { name: "Two" },
      { description: "About" },
      { instructions: "Be brief." },
      { greeting: "Hello" },
      { suggestedPrompts: ["What?"] },
      { model: "m" },
      { temperature: 1.5 },
      { visibility: "public" },
      { knowledgeIds: [(await create(`${team.path}/knowledges`, { name: "K" })).id] },
      { retrieval: { topK: 9 } },
      { retrieval: { minScore: 0.5 } },
      { retrieval: { mode: "text" } },
      { unsupportedClaims: "omit" },
      { allowedOrigins: ["https://example.com"] },
      { appearance: { name: "Ask us" } },
      { appearance: { color: "#0f766e" } },
      { appearance: { position: "left" } },
      { appearance: { launcher: { icon: "book" } } },
      { appearance: { launcher: { label: "Help" } } },
      { appearance: { address: `at-${randomUUID().slice(0, 8)}` } },
    ],
  ),
  "a knowledge": inTeam(
    "knowledges",
    async () => ({ name: "One" }),
    async () => [
      { name: "Two" },
      { description: "About" },
      { language: "fr" },
      { chunking: { maxTokens: 640 } },
      { chunking: { overlapTokens: 16 } },
      { warnAfterDays: 7 },
    ],
  ),
  "a source": inTeam(
    "sources",
    async () => ({ type: "file", name: "One", config: { fileIds: [] } }),
    async () => {
      const upload = await team.owner.upload(`${team.path}/files/upload`, "b.txt", "Tea.");
      return [{ name: "Two" }, { config: { fileIds: [upload.body.id] } }, { schedule: "daily" }];
    },
  ),
  "an app": inTeam(
    "apps",
    async () => ({ name: "One", type: "slack", agentId: (await newAgent()).id }),
    async () => [
      { name: "Two" },
      { agentId: (await newAgent()).id },
      { channels: ["C0123ABCD"] },
      { audience: "everyone" },
    ],
  ),
  "a team": {
    make: async () => {
      const { id } = await create("/v1/teams", { name: "One" });
      return { path: `/v1/teams/${id}`, adminPath: `/v1/admin/teams/${id}` };
    },
    changes: async () => [{ name: "Two" }, { codename: `c-${randomUUID().slice(0, 8)}` }],
  },
};

describe.each(Object.entries(resources))("%s", (_name, { make, changes }) => {
  test("is saved in the version that was read, and the second save is refused and changes nothing", async () => {
    const { path } = await make();
    const { version } = (await team.owner.get(path)).body;
    const first = await team.owner.put(path, { name: "First" }, ifMatch(`"${version}"`));
    expect(first.status).toBe(200);
    expect(first.body.version).not.toBe(version);
    const second = await team.owner.put(path, { name: "Second" }, ifMatch(`"${version}"`));
    expect(second.status).toBe(409);
    expect(second.body).toMatchObject({
      code: "CHANGED_MEANWHILE",
      details: [{ path: "version", code: "changedMeanwhile", params: { version: first.body.version } }],
      current: { name: "First", version: first.body.version },
    });
    const { name, version: kept } = (await team.owner.get(path)).body;
    expect({ name, version: kept }).toEqual({ name: "First", version: first.body.version });
    const again = await team.owner.put(
      path,
      { name: "Second" },
      ifMatch(`"${second.body.details[0].params.version}"`),
    );
    expect(again.body.name).toBe("Second");
  });

  test("is saved without a check for clients that send no version, or any", async () => {
    const { path } = await make();
    expect((await team.owner.put(path, { name: "Blind" })).status).toBe(200);
    expect((await team.owner.put(path, { name: "Any" }, ifMatch("*"))).status).toBe(200);
    // A sync can change the source's time between the two calls.
    const { updatedAt } = await until(
      async () => {
        const { updatedAt } = (await team.owner.get(path)).body;
        const saved = await team.owner.put(path, { name: "Timed" }, ifMatch(`"${updatedAt}"`));
        return { updatedAt, status: saved.status };
      },
      ({ status }) => status === 200,
    );
    const stale = await team.owner.put(path, { name: "Late" }, ifMatch(`"${updatedAt}"`));
    expect(stale.body).toMatchObject({ code: "CHANGED_MEANWHILE", current: { name: "Timed" } });
    const { version } = (await team.owner.get(path)).body;
    expect((await team.owner.put(path, { name: "Weak" }, ifMatch(`W/"${version}"`))).status).toBe(200);
    expect((await team.owner.put(path, { version })).status).toBe(400);
  });

  test("has another version after each change, and the same after a save without changes", async () => {
    const { path } = await make();
    let { version } = (await team.owner.get(path)).body;
    for (const change of await changes()) {
      const { status, body } = await team.owner.put(path, change, ifMatch(`"${version}"`));
      expect({ status, change }).toEqual({ status: 200, change });
      expect({ isAnother: body.version !== version, change }).toEqual({ isAnother: true, change });
      version = body.version;
    }
    const { body } = await team.owner.put(path, {}, ifMatch(`"${version}"`));
    expect(body.version).toBe(version);
  });

  test("rejects an older version from platform admins as well", async () => {
    const { path, adminPath } = await make();
    if (!adminPath) return;
    const { version } = (await admin.get(adminPath)).body;
    expect((await team.owner.put(path, { name: "Theirs" })).status).toBe(200);
    const { status, body } = await admin.put(adminPath, { name: "Admin's" }, ifMatch(`"${version}"`));
    expect({ status, code: body.details?.[0]?.code }).toEqual({ status: 409, code: "changedMeanwhile" });
    expect((await team.owner.get(path)).body.name).toBe("Theirs");
  });

  test("reveals no more than before to those who may not change or see it", async () => {
    const { path } = await make();
    const teamId = path.split("/")[3] ?? "";
    const viewer = await newMember({ ...team, id: teamId }, "viewer");
    const stale = ifMatch('"stale"');
    expect((await viewer.put(path, { name: "Mine" }, stale)).body.code).toBe("FORBIDDEN");
    expect((await (await newTeam()).owner.put(path, { name: "Mine" }, stale)).status).toBe(404);
    expect((await anyone.put(path, { name: "Mine" }, stale)).status).toBe(401);
  });
});

test("a source keeps its version while it syncs, and a knowledge base while files are added", async () => {
  const { body: file } = await team.owner.upload(`${team.path}/files/upload`, "a.txt", "Tea is at four.");
  const knowledge = await create(`${team.path}/knowledges`, { name: "K" });
  const { body } = await team.owner.put(`${team.path}/knowledges/${knowledge.id}`, { fileIds: [file.id] });
  expect(body.sourceIds).toHaveLength(1);
  expect(body.version).toBe(knowledge.version);
  const path = `${team.path}/sources/${body.sourceIds[0]}`;
  const { version } = (await team.owner.get(path)).body;
  await expect.poll(async () => (await team.owner.get(path)).body.status, { interval: 200 }).toBe("ready");
  expect((await team.owner.get(path)).body.version).toBe(version);
});

test("a public agent shows outsiders no version", async () => {
  const agent = await create(`${team.path}/agents`, { name: "Open", visibility: "public" });
  expect((await anyone.get(`/v1/agents/${agent.id}`)).body).not.toHaveProperty("version");
});

test("a version covers every field that a client may set", async () => {
  const { schemas } = (await anyone.get("/v1/openapi.json")).body.components;
  // Fields outside every version, for the reasons in docs/decisions/0098-conflicting-saves.md.
  const uncounted = ["sourceIds", "fileIds", "credentials"];
  const names = { AgentUpdate: "an agent", KnowledgeUpdate: "a knowledge", SourceUpdate: "a source" };
  for (const [schema, name] of Object.entries({ ...names, AppUpdate: "an app", TeamUpdate: "a team" })) {
    const changed = (await resources[name]?.changes())?.flatMap((change) => Object.keys(change)) ?? [];
    const writable = Object.keys(schemas[schema].properties).filter((field) => !uncounted.includes(field));
    expect([schema, [...new Set(changed)].toSorted()]).toEqual([schema, writable.toSorted()]);
  }
});

test("the description names If-Match where it is accepted", async () => {
  const { paths } = (await anyone.get("/v1/openapi.json")).body;
  const taking = Object.entries(paths as Record<string, Record<string, { parameters?: { name: string }[] }>>)
    .filter(([, { put }]) => put?.parameters?.some(({ name }) => name === "If-Match"))
    .map(([path]) => path);
  const inTeams = ["agents", "knowledges", "sources", "apps"].map(
    (name) => `/v1/teams/{teamId}/${name}/{id}`,
  );
  expect(taking).toEqual(expect.arrayContaining([...inTeams, "/v1/teams/{id}", "/v1/admin/agents/{id}"]));
});
