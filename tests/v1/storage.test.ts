// The operator's limit on what a team stores, through the stack's doors (TEAM_STORAGE_MIB in tests/support/runner/one-stack.mjs). A team reaches
// it where a test adds to its count, so that no other team is refused anything.
import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { type Answer, newTeam, owner, type Team } from "../support/api.ts";
import { newKnowledge, until } from "../support/content.ts";
import { findStack } from "../support/stack.ts";

const mib = 1024 * 1024;
let limit: number;
let team: Team;

beforeAll(async () => {
  const sql = await owner();
  const limitNow = async () => {
    const [row] = await sql<{ bytes: number | null }[]>`
      select team_storage::float8 as bytes from private.operator_limits`;
    limit = row?.bytes ?? 0;
    return limit;
  };
  await until(limitNow, (bytes) => bytes > 0);
});
beforeEach(async () => {
  team = await newTeam();
});

/** Leaves the team this many bytes. */
async function leave(bytes: number): Promise<void> {
  const sql = await owner();
  const { used } = (await storage()).body;
  await sql`insert into private.storage_changes (team_id, bytes, is_checked)
            values (${team.id}, ${limit - used - bytes}, false)`;
}
const storage = () => team.owner.get(`${team.path}/storage`);
const upload = (name: string, text: string) =>
  team.owner.upload(`${team.path}/files/upload`, name, text, "text/plain");
const filesOf = async () => (await team.owner.get(`${team.path}/files`)).body.data.length;

/** Refused with the numbers, as they are now. */
function expectRefused({ status, body }: Answer) {
  const mebibytes = String(Math.floor(limit / mib));
  expect([status, body]).toMatchObject([
    402,
    {
      code: "STORAGE_REACHED",
      message: expect.stringMatching(/^This does not fit: the team stores \d+ of the \d+ MiB that it may/),
      details: [{ path: "", code: "storageReached", params: { limit: mebibytes } }],
    },
  ]);
  expect(Number(body.details[0].params.used)).toBeLessThanOrEqual(Number(mebibytes));
}

test("a team sees what it stores and may store", async () => {
  expect((await storage()).body).toEqual({ used: 0, limit });
  const { body: file } = await upload("leave.txt", "27 days");
  expect((await storage()).body).toEqual({ used: 7, limit });
  await team.owner.delete(`${team.path}/files/${file.id}`);
  expect((await storage()).body).toEqual({ used: 0, limit });
});

test("an upload that does not fit is refused, before and after it has arrived, and leaves nothing", async () => {
  const { body: file } = await upload("leave.txt", "27 days");
  await leave(10_000);
  expectRefused(await upload("large.txt", "x".repeat(200_000)));
  // Smaller than what an envelope may add: known only once it has arrived.
  expectRefused(await upload("small.txt", "x".repeat(20_000)));
  expectRefused(
    await team.owner.putFile(`${team.path}/files/${file.id}/content`, "leave.txt", "x".repeat(20_000)),
  );
  expect(await filesOf()).toBe(1);
  const sql = await owner();
  const left = await sql`select 1 from storage.objects where name like ${`teams/${team.id}/%`}`;
  expect(left).toHaveLength(1);
  expect((await upload("fits.txt", "x".repeat(5_000))).status).toBe(201);
  await team.owner.delete(`${team.path}/files/${file.id}`);
  expect((await upload("fits-too.txt", "x".repeat(5_000))).status).toBe(201);
});

test("of two uploads at once that fit one by one, one is refused", async () => {
  await leave(30_000);
  const answers = await Promise.all(["one.txt", "two.txt"].map((name) => upload(name, "x".repeat(20_000))));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 402]);
  expect(await filesOf()).toBe(1);
});

test("a signed upload that does not fit is refused when it is registered, and none is signed once nothing fits", async () => {
  const sign = () => team.owner.get(`${team.path}/files/signedUrl?path=a.txt&contentType=text/plain`);
  const send = async ({ body }: Answer, text: string) =>
    (await fetch(body.url, { method: body.method, headers: body.headers, body: text })).status;
  const register = ({ body }: Answer) =>
    team.owner.post(`${team.path}/files`, { path: body.path, name: "a.txt" });
  const [first, second] = [await sign(), await sign()];
  await leave(30_000);
  expect(await send(first, "x".repeat(20_000))).toBe(200);
  expect(await send(second, "x".repeat(20_000))).toBe(200);
  expectRefused(await register(second));
  expect((await register(first)).status).toBe(201);
  await leave(0);
  expectRefused(await sign());
  const sql = await owner();
  await expect
    .poll(async () => (await sql`select 1 from storage.objects where name = ${second.body.path}`).length)
    .toBe(0);
  expectRefused(await register(second));
});

test("a document is refused through /v1 and PostgREST alike", async () => {
  const { body: source } = await team.owner.post(`${team.path}/sources`, { type: "file", name: "Source" });
  await leave(10_000);
  const { supabaseUrl, anonKey } = await findStack();
  const insert = (content: string) =>
    fetch(`${supabaseUrl}/rest/v1/documents`, {
      method: "POST",
      headers: {
        apikey: anonKey,
        authorization: `Bearer ${team.owner.token}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({
        team_id: team.id,
        source_id: source.id,
        external_id: randomUUID(),
        type: "text",
        title: "Title",
        content,
      }),
    });
  const answer = await insert("x".repeat(20_000));
  expect([answer.status, await answer.json()]).toMatchObject([
    402,
    { code: "PT402", hint: "storageReached", message: expect.stringContaining("this does not fit") },
  ]);
  expect((await insert("short")).status).toBe(201);
  expectRefused(
    await team.owner.post(`${team.path}/sources/${source.id}/documents`, {
      externalId: randomUUID(),
      title: "Title",
      content: "x".repeat(20_000),
    }),
  );
});

test("what was deleted comes back only where it fits, and can come back once it does", async () => {
  const { body: file } = await upload("leave.txt", "27 days");
  const path = `${team.path}/files/${file.id}`;
  expect((await team.owner.delete(path)).status).toBe(204);
  await leave(6);
  expectRefused(await team.owner.post(`${path}/restore`));
  expect((await team.owner.get(path)).status).toBe(404);
  await leave(7);
  expect((await team.owner.post(`${path}/restore`)).status).toBe(200);
  expect((await storage()).body).toEqual({ used: limit, limit });
});

test("a full team saves, unpublishes and restores its agents, and creates none", async () => {
  const { body: agent } = await team.owner.post(`${team.path}/agents`, { name: "Before" });
  const path = `${team.path}/agents/${agent.id}`;
  await leave(500);
  expect((await team.owner.put(path, { visibility: "private", name: "After" })).status).toBe(200);
  expect((await team.owner.get(path)).body.name).toBe("After");
  const { body: draft } = await team.owner.post(`${path}/versions`, { instructions: "Be careful." });
  expect((await team.owner.post(`${path}/publish`, { versionId: draft.id })).status).toBe(200);
  const { body: versions } = await team.owner.get(`${path}/versions`);
  const first = versions.data.at(-1);
  expect((await team.owner.post(`${path}/versions/${first.id}/restore`, {})).status).toBe(201);
  expect((await team.owner.get(path)).body).toMatchObject({ name: "Before", instructions: "" });
  expectRefused(await team.owner.post(`${team.path}/agents`, { name: "New" }));
});

test("indexing stops where nothing more fits, says so on the source, and keeps what was there", async () => {
  const knowledge = await newKnowledge(team, { "leave.md": "Everyone has 27 days of paid leave." });
  const { body: source } = await team.owner.get(`${team.path}/sources/${knowledge.sourceIds[0]}`);
  const { body: file } = await upload(
    "more.md",
    `# More\n\n${"The office closes at noon on Fridays. ".repeat(300)}`,
  );
  await leave(2_000);
  const fileIds = [...source.config.fileIds, file.id];
  await team.owner.put(`${team.path}/sources/${source.id}`, { config: { fileIds } });
  await team.owner.post(`${team.path}/knowledges/${knowledge.id}/index`, {});
  const shown = await until(
    () => team.owner.get(`${team.path}/sources/${source.id}`),
    ({ body }) => body.error !== null,
  );
  expect(shown.body.error).toMatch(/^The team stores \d+ of the \d+ MiB that it may/);
  const french = await team.owner.get(`${team.path}/sources/${source.id}`, {
    headers: { "Accept-Language": "fr" },
  });
  expect(french.body.error).toMatch(/^L’équipe stocke \d+\sMio sur les \d+\sMio autorisés/);
  const found = await team.owner.get(`${team.path}/knowledges/${knowledge.id}/records?query=paid leave`);
  expect(found.body.data[0].content).toContain("27 days");
});
