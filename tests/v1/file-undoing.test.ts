// Undeleting a file restores the bytes of each version, which nobody reads meanwhile. Without an undo, storage deletes them.
import { createHash, randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { anyone, newMember, newPerson, newTeam, owner, type Person, type Team } from "../support/api.ts";
import { atRest, newKnowledge, until } from "../support/content.ts";
import { findStack } from "../support/stack.ts";

let team: Team;
let viewer: Person;
beforeAll(async () => {
  team = await newTeam();
  viewer = await newMember(team, "viewer");
});

const at = (id: string, rest = "") => `${team.path}/files/${id}${rest}`;
const upload = async (name: string, text: string) =>
  (await team.owner.upload(`${team.path}/files/upload`, name, text, "text/markdown")).body;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Calls storage itself, with the service key. */
async function storage(path: string, init: RequestInit = {}): Promise<Response> {
  const { supabaseUrl, serviceKey } = await findStack();
  const headers = {
    apikey: serviceKey,
    Authorization: `Bearer ${serviceKey}`,
    "Content-Type": "application/json",
  };
  return await fetch(`${supabaseUrl}/storage/v1/object/${path}`, { ...init, headers });
}
const isStored = async (path: string) => (await storage(`files/${path}`)).ok;
const waitUntilGone = (paths: string[]) =>
  until(
    () => Promise.all(paths.map(isStored)),
    (stored) => !stored.includes(true),
    90,
  );

interface Version {
  number: number;
  path: string;
  bytes: string;
}
/** Each version of a file in Postgres and storage, with the digest of its bytes. */
async function versionsOf(id: string): Promise<Version[]> {
  const sql = await owner();
  const rows = await sql<{ number: number; path: string }[]>`
    select number, path from public.file_versions where file_id = ${id} order by number`;
  return await Promise.all(
    rows.map(async ({ number, path }) => {
      const bytes = new Uint8Array(await (await storage(`files/${path}`)).arrayBuffer());
      return { number, path, bytes: sha256(bytes) };
    }),
  );
}
const listKept = async (id: string): Promise<string[]> => {
  const sql = await owner();
  return (await sql`select path from private.kept_objects where file_id = ${id}`).map(({ path }) => path);
};
const keepsFor = (headers: Headers) => Date.parse(headers.get("undo-until") ?? "") - Date.now();

test("a file is restored with its versions, documents and signed URL", async () => {
  const knowledge = await newKnowledge(team, { "rent.md": "# Rent\n\nThe rent is due on the third." });
  const [file] = (await team.owner.get(`${team.path}/files?name=rent.md`)).body.data;
  await team.owner.putFile(at(file.id, "/content"), "rent.md", "# Rent\n\nThe rent is due on the fifth.");
  await team.owner.post(at(file.id, "/versions/1/restore"), {});
  await atRest(team);
  const records = async () =>
    (await team.owner.get(`${team.path}/knowledges/${knowledge.id}/records?query=rent`)).body.data;
  const reads = async () => {
    const {
      url: _url,
      path: _path,
      updatedAt: _updatedAt,
      ...rest
    } = (await team.owner.get(at(file.id))).body;
    return {
      file: rest,
      versions: (await team.owner.get(at(file.id, "/versions"))).body,
      records: await records(),
    };
  };
  const before = await reads();
  expect(before.file.usedIn).toHaveLength(1);
  expect(before.records).toHaveLength(1);
  const stored = await versionsOf(file.id);
  expect(new Set(stored.map(({ bytes }) => bytes)).size).toBe(2);
  const originals = [...new Set(stored.map(({ path }) => path))];
  const { url } = (await team.owner.get(at(file.id))).body;
  expect((await fetch(url)).status).toBe(200);

  const deleted = await team.owner.delete(at(file.id));
  expect(deleted).toMatchObject({ status: 204, text: "" });
  expect(keepsFor(deleted.headers)).toBeGreaterThan(60_000);
  expect((await fetch(url)).ok).toBe(false);
  expect(await Promise.all(originals.map(isStored))).toEqual(originals.map(() => false));
  expect(await team.owner.get(at(file.id))).toMatchObject({ status: 404 });
  expect(await team.owner.delete(at(file.id))).toMatchObject({ status: 404 });
  expect(await records()).toEqual([]);
  // Each version with bytes of its own has a copy, at a path that nobody can read or write.
  const copies = await listKept(file.id);
  expect(copies).toHaveLength(2);
  expect(copies.some((path) => originals.includes(path))).toBe(false);
  for (const path of copies)
    expect((await team.owner.post(`${team.path}/files`, { path, name: "mine.md" })).status).toBe(409);

  const restore = at(file.id, "/restore");
  expect(await anyone.post(restore)).toMatchObject({ status: 401 });
  expect(await (await newPerson()).post(restore)).toMatchObject({ status: 404 });
  expect(await viewer.post(restore)).toMatchObject({ status: 403 });
  const other = await newTeam();
  expect(await other.owner.post(`${other.path}/files/${file.id}/restore`)).toMatchObject({ status: 404 });

  // An identical file uploaded meanwhile is another file, and stays one.
  const twin = await upload("rent.md", "# Rent\n\nThe rent is due on the third.");
  const restored = await team.owner.post(restore);
  expect(restored).toMatchObject({ status: 200, body: { id: file.id, version: 3 } });
  expect(await reads()).toEqual(before);
  const now = await versionsOf(file.id);
  expect(now.map(({ number, bytes }) => ({ number, bytes }))).toEqual(
    stored.map(({ number, bytes }) => ({ number, bytes })),
  );
  expect([...new Set(now.map(({ path }) => path))].sort()).toEqual(copies.sort());
  expect((await fetch(url)).ok).toBe(false);
  const opened = await fetch((await team.owner.get(at(file.id))).body.url);
  expect(sha256(new Uint8Array(await opened.arrayBuffer()))).toBe(before.file.sha256);
  expect((await team.owner.get(at(twin.id))).body).toMatchObject({ id: twin.id, name: "rent.md" });
  expect(await team.owner.post(restore)).toMatchObject({
    status: 409,
    body: { code: "CONFLICT", details: [{ code: "notDeleted" }] },
  });
  await atRest(team);
  expect(await reads()).toEqual(before);

  // The restored file can be replaced, reverted, deleted and restored again.
  expect((await team.owner.post(at(file.id, "/versions/2/restore"), {})).body.version).toBe(4);
  expect(keepsFor((await team.owner.delete(at(file.id))).headers)).toBeGreaterThan(60_000);
  expect(await team.owner.post(restore)).toMatchObject({ status: 200, body: { version: 4 } });
  await waitUntilGone(copies);
});

test("a file is deleted for good after the deadline, with its copies", async () => {
  const file = await upload("late.md", "Too late.");
  await team.owner.delete(at(file.id));
  const copies = await listKept(file.id);
  expect(await Promise.all(copies.map(isStored))).toEqual([true]);
  const sql = await owner();
  await sql`update private.deletions set expires_at = clock_timestamp() where row_id = ${file.id}`;
  expect(await team.owner.post(at(file.id, "/restore"))).toMatchObject({
    status: 404,
    body: { code: "NOT_FOUND" },
  });
  await sql`select private.purge_deletions(1000)`;
  expect(await listKept(file.id)).toEqual([]);
  await waitUntilGone([file.path, ...copies]);
});

test("copies for a deletion that never completed are removed", async () => {
  const file = await upload("cut-off.md", "The process ended here.");
  const sql = await owner();
  const [noted] = await sql<{ original: string; copy: string }[]>`
    select * from private.note_copies(${team.id}, ${file.id})`;
  const { original = "", copy = "" } = noted ?? {};
  const copied = await storage("copy", {
    method: "POST",
    body: JSON.stringify({ bucketId: "files", sourceKey: original, destinationKey: copy }),
  });
  expect(copied.status).toBe(200);
  expect(await isStored(copy)).toBe(true);
  await sql`update private.kept_objects set expires_at = clock_timestamp() where path = ${copy}`;
  await sql`select private.purge_deletions(1000)`;
  await waitUntilGone([copy]);
  expect(await isStored(original)).toBe(true);
});

test("a file whose bytes cannot be copied, or exceed 200 MiB, is deleted for good", async () => {
  const sql = await owner();
  const damaged = await upload("damaged.md", "Gone from storage.");
  await storage("files", { method: "DELETE", body: JSON.stringify({ prefixes: [damaged.path] }) });
  const large = await upload("large.md", "Larger than it looks.");
  await sql`update public.file_versions set size = 200 * 1024 * 1024 + 1 where file_id = ${large.id}`;
  for (const file of [damaged, large]) {
    const deleted = await team.owner.delete(at(file.id));
    expect(deleted.status).toBe(204);
    expect(deleted.headers.has("undo-until")).toBe(false);
    expect(await isStored(file.path)).toBe(false);
    expect(await listKept(file.id)).toEqual([]);
    expect(await team.owner.post(at(file.id, "/restore"))).toMatchObject({ status: 404 });
  }
});

test("a caller who may not delete a file causes no copies", async () => {
  const file = await upload("stays.md", "Stays.");
  expect((await viewer.delete(at(file.id))).status).toBe(403);
  expect((await (await newPerson()).delete(at(file.id))).status).toBe(404);
  expect((await team.owner.delete(at(randomUUID()))).status).toBe(404);
  expect(await listKept(file.id)).toEqual([]);
  expect(await isStored(file.path)).toBe(true);
});
