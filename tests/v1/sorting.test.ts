// The requested order of lists: names in natural order, sizes and dates by value, both directions, page by page.
import { beforeAll, expect, test } from "vitest";
import { newTeam, type Team } from "../support/api.ts";
import { atRest, uploadTexts } from "../support/content.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam();
});

/** A field's values in a list, in its order. */
async function listValues(path: string, query: Record<string, string>, field = "name"): Promise<string[]> {
  const { status, body } = await team.owner.get(`${team.path}/${path}?${new URLSearchParams(query)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.map((row: Record<string, string>) => row[field]);
}

const names = ["Part 10", "zebra", "Élan", "Part 2", "apple", "élan"];
const rising = ["apple", "élan", "Élan", "Part 2", "Part 10", "zebra"];

test("names are in natural order in every language, and numbers by value", async () => {
  for (const name of names) {
    await team.owner.post(`${team.path}/knowledges`, { name });
    await team.owner.post(`${team.path}/sources`, { type: "file", name, config: { fileIds: [] } });
  }
  await uploadTexts(team, Object.fromEntries(names.map((name, at) => [name, "x".repeat(10 - at)])));
  for (const path of ["knowledges", "sources", "files"]) {
    expect(await listValues(path, { sort: "name" })).toEqual(rising);
    expect(await listValues(path, { sort: "-name" })).toEqual(rising.toReversed());
    expect(await listValues(path, { sort: "name", perPage: "2", page: "2" })).toEqual(rising.slice(2, 4));
    expect(await listValues(path, { sort: "createdAt" })).toEqual(names);
    expect(await listValues(path, { sort: "-createdAt" })).toEqual(names.toReversed());
  }
  // The defaults: knowledge bases by name, imported items newest first.
  expect(await listValues("knowledges", {})).toEqual(rising);
  expect(await listValues("files", {})).toEqual(names.toReversed());
  expect(await listValues("files", { sort: "size" })).toEqual(names.toReversed());
  expect(await listValues("files", { sort: "-size", name: "part" })).toEqual(["Part 10", "Part 2"]);
});

test("items never synced or indexed come last in a descending order", async () => {
  const [fileId = ""] = await uploadTexts(team, { "a.md": "Alpha." });
  const { body: knowledge } = await team.owner.post(`${team.path}/knowledges`, {
    name: "Indexed",
    fileIds: [fileId],
  });
  await expect
    .poll(async () => (await team.owner.get(`${team.path}/knowledges/${knowledge.id}`)).body.status)
    .toBe("ready");
  expect((await listValues("knowledges", { sort: "-indexedAt" }))[0]).toBe("Indexed");
  expect((await listValues("knowledges", { sort: "indexedAt" })).at(-1)).toBe("Indexed");
  expect((await listValues("sources", { sort: "-syncedAt" }, "id"))[0]).toBe(knowledge.sourceIds[0]);
  const states = await listValues("sources", { sort: "status" }, "status");
  expect(states).toEqual(states.toSorted());
});

test("agents, apps, keys and members sort by name, status, last use or change", async () => {
  const { owner, path } = team;
  const agentIds: Record<string, string> = {};
  for (const name of names) agentIds[name] = (await owner.post(`${path}/agents`, { name })).body.id;
  expect(await listValues("agents", {})).toEqual(rising);
  expect(await listValues("agents", { sort: "-name" })).toEqual(rising.toReversed());
  expect(await listValues("agents", { sort: "createdAt" })).toEqual(names);
  await owner.put(`${path}/agents/${agentIds.zebra}`, { description: "Striped" });
  expect((await listValues("agents", { sort: "-updatedAt" }))[0]).toBe("zebra");

  const roles = (await owner.get(`/v1/roles?teamId=${team.id}`)).body.data;
  const roleId = (code: string) => roles.find(({ codename }: { codename: string }) => codename === code).id;
  for (const name of names) {
    await owner.post(`${path}/apps`, { name, type: "slack", agentId: agentIds.apple });
    await owner.post(`${path}/apiKeys`, { name, roleId: roleId("viewer") });
  }
  for (const list of ["apps", "apiKeys"]) {
    expect(await listValues(list, { sort: "name" })).toEqual(rising);
    expect(await listValues(list, { sort: "-createdAt" })).toEqual(names.toReversed());
  }
  expect(await listValues("apps", { sort: "-status", perPage: "1" }, "status")).toEqual(["pending"]);
  expect(await listValues("apiKeys", { sort: "-lastUsedAt", page: "2", perPage: "4" })).toHaveLength(2);

  const members = `/v1/teamUsers/${team.id}/users`;
  for (const [email, role] of [
    ["b10@parley.test", "viewer"],
    ["b2@parley.test", "admin"],
  ] as const)
    await owner.post(members, { email: `${team.id}.${email}`, roleId: roleId(role) });
  const people = async (sort: string, field: string) =>
    (await owner.get(`${members}?sort=${sort}`)).body.data
      .filter(({ userId }: { userId: string | null }) => userId === null)
      .map((row: Record<string, string>) => row[field]?.replace(`${team.id}.`, ""));
  expect(await people("name", "email")).toEqual(["b2@parley.test", "b10@parley.test"]);
  expect(await people("-name", "email")).toEqual(["b10@parley.test", "b2@parley.test"]);
  expect(await people("role", "role")).toEqual(["admin", "viewer"]);
  expect((await owner.get(`${members}?sort=-status`)).body.data[0].status).toBe("pending");
});

test("an unsupported order is rejected by name", async () => {
  for (const [path, sort] of [
    ["files", "sha256"],
    ["sources", "--name"],
    ["knowledges", "name desc"],
    ["knowledges", ""],
    ["agents", "instructions"],
    ["apiKeys", "secretHash"],
  ])
    expect(
      await team.owner.get(`${team.path}/${path}?${new URLSearchParams({ sort: sort ?? "" })}`),
    ).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_FAILED", details: [{ path: "sort" }] },
    });
});

test("a source's documents are sorted and filtered page by page, without a gap", async () => {
  const { body: source } = await team.owner.post(`${team.path}/sources`, {
    type: "file",
    name: "Written",
    config: { fileIds: [] },
  });
  const path = `sources/${source.id}/documents`;
  for (const [at, title] of names.entries())
    await team.owner.post(`${team.path}/${path}`, { externalId: String(at), title, content: title });
  const whole = async (query: Record<string, string>) => {
    const titles: string[] = [];
    let lastKey = "";
    do {
      const page = new URLSearchParams({ ...query, perPage: "2", ...(lastKey && { lastKey }) });
      const { status, body } = await team.owner.get(`${team.path}/${path}?${page}`);
      expect(status).toBe(200);
      titles.push(...body.data.map(({ title }: { title: string }) => title));
      expect(Object.keys(body.data[0] ?? {})).not.toContain("place");
      lastKey = body.lastKey ?? "";
    } while (lastKey);
    return titles;
  };
  expect(await whole({})).toEqual(names);
  expect(await whole({ sort: "title" })).toEqual(rising);
  expect(await whole({ sort: "-title" })).toEqual(rising.toReversed());
  const { body } = await team.owner.get(`${team.path}/${path}?sort=updatedAt`);
  const changed = body.data.map(({ updatedAt }: { updatedAt: string }) => updatedAt);
  expect(changed).toEqual(changed.toSorted());
  // A document that indexing changes between two pages moves to the beginning of this order.
  await atRest(team);
  expect((await whole({ sort: "-updatedAt" })).toSorted()).toEqual(names.toSorted());
  expect(await whole({ search: "PART", sort: "title" })).toEqual(["Part 2", "Part 10"]);
  expect(await whole({ search: "%" })).toEqual([]);
  expect(await whole({ status: "failed" })).toEqual([]);
  // A key of another order, or an invalid one, is rejected.
  for (const query of ["lastKey=abc", "sort=updatedAt&lastKey=WyJ4IiwieCJd", "status=lost", "sort=chunks"])
    expect((await team.owner.get(`${team.path}/${path}?${query}`)).status, query).toBe(400);
  const { body: first } = await team.owner.get(`${team.path}/${path}?perPage=2&sort=title`);
  const [id] = Buffer.from(first.lastKey, "base64url").toString().split("\n");
  const statusOf = async (query: string) => (await team.owner.get(`${team.path}/${query}`)).status;
  for (const query of [
    `${path}?sort=updatedAt&lastKey=${first.lastKey}`,
    `${path}?sort=-title&lastKey=${first.lastKey}`,
    `${path}?lastKey=${first.lastKey}`,
    `tasks?lastKey=${first.lastKey}`,
    `chats?lastKey=${first.lastKey}`,
  ])
    expect([query, await statusOf(query)]).toEqual([query, 400]);
  // As 1.0 made them.
  const keyOf = (text: string) => Buffer.from(text).toString("base64url");
  expect(await statusOf(`${path}?sort=title&lastKey=${keyOf(`${id}Part 2`)}`)).toBe(200);
  expect(await statusOf(`tasks?lastKey=${keyOf(`${id}`)}`)).toBe(200);
});
