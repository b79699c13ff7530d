// Replacing a file: its versions, permissions, answers meanwhile, and the stored bytes.
import { createHash, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { anyone, newMember, newPerson, newTeam, owner, type Team } from "../support/api.ts";
import { atRest, newAgent, until, waitUntilIndexed } from "../support/content.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam();
});

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const upload = async (name: string, text: string) =>
  (await team.owner.upload(`${team.path}/files/upload`, name, text)).body;
const at = (id: string, rest = "") => `${team.path}/files/${id}${rest}`;
const replace = (id: string, name: string, text: string) =>
  team.owner.putFile(at(id, "/content"), name, text);
const versions = async (id: string) => (await team.owner.get(at(id, "/versions"))).body.data;
const isStored = async (path: string) => {
  const sql = await owner();
  const [row] = await sql`
    select exists (select 1 from storage.objects where bucket_id = 'files' and name = ${path}) as stored`;
  return row?.stored;
};
const read = async (id: string): Promise<string> => {
  const { body } = await team.owner.get(at(id));
  return await (await fetch(body.url)).text();
};

describe("a replaced file", () => {
  test("keeps its id, and lists each version's author", async () => {
    const file = await upload("rules.md", "First.");
    expect(file.version).toBe(1);
    const { status, body } = await replace(file.id, "rules.md", "Second one.");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: file.id,
      name: "rules.md",
      version: 2,
      size: 11,
      sha256: sha256("Second one."),
    });
    expect(body.path).not.toBe(file.path);
    expect(await read(file.id)).toBe("Second one.");
    const author = { name: "Test Owner" };
    expect(await versions(file.id)).toMatchObject([
      { number: 2, isCurrent: true, size: 11, sha256: sha256("Second one."), restoredFrom: null, author },
      { number: 1, isCurrent: false, size: 6, sha256: sha256("First."), restoredFrom: null, author },
    ]);
    expect((await versions(file.id)).some((one: object) => "path" in one)).toBe(false);
    // The bytes of both stay until the file is deleted.
    expect([await isStored(file.path), await isStored(body.path)]).toEqual([true, true]);
    expect((await team.owner.delete(at(file.id))).status).toBe(204);
    await until(
      async () => [await isStored(file.path), await isStored(body.path)],
      (stored) => !stored.includes(true),
      90,
    );
  });

  test("restores an earlier version as a new one", async () => {
    const file = await upload("back.md", "First.");
    await replace(file.id, "back.md", "Second.");
    const restored = await team.owner.post(at(file.id, "/versions/1/restore"), {});
    expect(restored).toMatchObject({
      status: 201,
      body: { id: file.id, version: 3, sha256: sha256("First.") },
    });
    expect(await read(file.id)).toBe("First.");
    expect(
      (await versions(file.id)).map(({ number, isCurrent, restoredFrom }: Record<string, unknown>) => [
        number,
        isCurrent,
        restoredFrom,
      ]),
    ).toEqual([
      [3, true, 1],
      [2, false, null],
      [1, false, null],
    ]);
    for (const number of ["4", "0", "x", "99999999999"])
      expect(
        (await team.owner.post(at(file.id, `/versions/${number}/restore`), {})).status,
      ).toBeGreaterThanOrEqual(400);
  });

  test("keeps the latest 20 versions, and the bytes of a restored one", async () => {
    const file = await upload("many.md", "Edition 1.");
    await team.owner.post(at(file.id, "/versions/1/restore"), {});
    const second = await replace(file.id, "many.md", "Edition 3.");
    for (let edition = 4; edition <= 21; edition++) await replace(file.id, "many.md", `Edition ${edition}.`);
    const kept = await versions(file.id);
    expect(kept.map(({ number }: { number: number }) => number)).toEqual(
      Array.from({ length: 20 }, (_, n) => 21 - n),
    );
    const sql = await owner();
    const isNoted = async (path: string) =>
      (await sql`select 1 from private.unwanted_objects where path = ${path}`).length > 0;
    expect(await isNoted(file.path)).toBe(false);
    await replace(file.id, "many.md", "Edition 22.");
    expect(await isNoted(file.path)).toBe(true);
    expect(await isNoted(second.body.path)).toBe(false);
  });

  test("rejects what an upload rejects, and stays unchanged", async () => {
    const file = await upload("stays.md", "Stays.");
    expect((await replace(file.id, "stays.md", "")).status).toBe(400);
    expect((await replace(randomUUID(), "stays.md", "x")).status).toBe(404);
    expect((await versions(file.id)).length).toBe(1);
    expect(await read(file.id)).toBe("Stays.");
  });

  test("never shares a version's bytes with another file", async () => {
    const file = await upload("own.md", "Mine.");
    const { body } = await replace(file.id, "own.md", "Mine, again.");
    for (const path of [file.path, body.path])
      expect((await team.owner.post(`${team.path}/files`, { path, name: "stolen.md" })).status).toBe(409);
  });
});

test("answers use the old text until the new one is indexed, and never afterwards", async () => {
  const file = await upload("leave.md", "Everyone has 27 days of paid leave.");
  const { body: knowledge } = await team.owner.post(`${team.path}/knowledges`, {
    name: "Leave",
    language: "en",
    fileIds: [file.id],
  });
  const sql = await owner();
  const answering = async (): Promise<string[]> =>
    (await sql`select content from public.chunks where knowledge_id = ${knowledge.id}`).map(
      ({ content }) => content,
    );
  await until(answering, (texts) => texts.length > 0);
  await atRest(team);
  const [before] = (await team.owner.get(at(file.id))).body.usedIn;
  expect((await replace(file.id, "leave.md", "Everyone has 31 days of paid leave.")).status).toBe(200);
  const after = await until(answering, (texts) => !texts.join().includes("27"));
  expect(after).toEqual([expect.stringContaining("31 days")]);
  await atRest(team);
  expect((await team.owner.get(at(file.id))).body.usedIn).toEqual([before]);
  await team.owner.post(at(file.id, "/versions/1/restore"), {});
  expect(await until(answering, (texts) => !texts.join().includes("31"))).toEqual([
    expect.stringContaining("27 days"),
  ]);
});

test("earlier replies keep their quotes", async () => {
  const file = await upload("fees.md", "The entrance fee is 14 euros for everyone.");
  const { body: knowledge } = await team.owner.post(`${team.path}/knowledges`, {
    name: "Fees",
    fileIds: [file.id],
  });
  await waitUntilIndexed(team, knowledge.id);
  const agent = await newAgent(team, { knowledgeIds: [knowledge.id] });
  const { body: chat } = await team.owner.post(`/v1/agents/${agent}/chats`, {});
  const messages = `/v1/chats/${chat.id}/messages`;
  const ask = async () =>
    (await team.owner.post(messages, { content: "How high is the entrance fee?" })).body.reply;
  const before = await ask();
  expect(before.citations).toMatchObject([{ title: "fees.md", quote: expect.stringContaining("14 euros") }]);
  await replace(file.id, "fees.md", "The entrance fee is 19 euros for everyone.");
  await waitUntilIndexed(team, knowledge.id);
  expect((await ask()).citations).toMatchObject([{ quote: expect.stringContaining("19 euros") }]);
  const { body } = await team.owner.get(messages);
  const again = body.data.find(({ id }: { id: string }) => id === before.id);
  expect(again.citations).toEqual(before.citations);
});

test("viewers read versions and add none; outsiders get 404; anonymous callers get 401", async () => {
  const file = await upload("shared.txt", "shared");
  const viewer = await newMember(team, "viewer");
  expect((await viewer.get(at(file.id, "/versions"))).status).toBe(200);
  expect((await viewer.putFile(at(file.id, "/content"), "x.txt", "x")).status).toBe(403);
  expect((await viewer.post(at(file.id, "/versions/1/restore"), {})).status).toBe(403);
  const [outsider, other] = [await newPerson(), await newTeam()];
  const foreign = `${other.path}/files/${file.id}`;
  for (const answer of [
    await outsider.get(at(file.id, "/versions")),
    await outsider.putFile(at(file.id, "/content"), "x.txt", "x"),
    await outsider.post(at(file.id, "/versions/1/restore"), {}),
    await other.owner.get(`${foreign}/versions`),
    await other.owner.putFile(`${foreign}/content`, "x.txt", "x"),
    await other.owner.post(`${foreign}/versions/1/restore`, {}),
  ])
    expect(answer).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  expect((await anyone.get(at(file.id, "/versions"))).status).toBe(401);
  expect((await versions(file.id)).length).toBe(1);
});
