// kill -9 of the worker that imports a team into another installation: the team is empty or complete at every moment, and complete in the
// end.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";
import { makeZip } from "../support/files/zip.ts";
import { startFuse } from "../support/fuse.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";
import { startTestPostgres } from "../support/postgres.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** One installation's API: settings are read once per process, so each installation loads the modules anew. */
async function loadApi() {
  vi.resetModules();
  const { closeDatabase } = await import("../../edge-functions/_shared/database/db.ts");
  const { exportOf } = await import("../../edge-functions/v1/teams/export.ts");
  const { startImport } = await import("../../edge-functions/v1/teams/importing.ts");
  return { exportOf, startImport, closeDatabase };
}

async function newUser({ sql }: IndexingStand): Promise<string> {
  const email = `${randomUUID()}@parley.test`;
  const [row] = await sql`
    insert into auth.users (id, aud, role, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
    values (private.uuid_v7(), 'authenticated', 'authenticated', ${email}, now(), '{}', '{"name":"Owner"}') returning id`;
  return row?.id;
}

/** The number of the team's rows. */
async function sizeOf({ sql }: IndexingStand, team: string): Promise<Record<string, number>> {
  const [row] = await sql`
    select (select count(*)::int from public.agents where team_id = ${team}) as agents,
           (select count(*)::int from public.knowledges where team_id = ${team}) as knowledges,
           (select count(*)::int from public.files where team_id = ${team}) as files,
           (select count(*)::int from public.chats where team_id = ${team}) as chats,
           (select count(*)::int from public.messages where team_id = ${team}) as messages`;
  return { ...row };
}

/** A team's export, from an installation that no longer exists. */
async function exportElsewhere(more: { file?: string; document?: string } = {}): Promise<{
  archive: Uint8Array<ArrayBuffer>;
  size: Record<string, number>;
}> {
  const stand = await startIndexingStand();
  const { exportOf, closeDatabase } = await loadApi();
  try {
    const { sql, team } = stand;
    const sub = await newUser(stand);
    await sql`
      insert into public.team_users (team_id, user_id, email, role_id, status)
      select ${team}, u.id, lower(u.email), '00000000-0000-7000-8000-000000000001', 'accepted' from public.users u where u.id = ${sub}`;
    const { source } = await stand.knowledgeOf({
      "a.md": "# A\n\nAlpha.\n",
      "b.md": "# B\n\nBeta.\n",
      "c.md": "# C\n\nGamma.\n",
      "more.txt": more.file ?? "More.",
    });
    if (more.document)
      await sql`insert into public.documents (team_id, source_id, external_id, type, title, content)
                values (${team}, ${source}, 'long', 'text', 'Long', ${more.document})`;
    const [agent] =
      await sql`insert into public.agents (team_id, name) values (${team}, 'Agent') returning id`;
    const [chat] =
      await sql`insert into public.chats (team_id, agent_id) values (${team}, ${agent?.id}) returning id`;
    await sql`
      insert into public.messages (team_id, chat_id, content) select ${team}, ${chat?.id}, 'Message ' || n from generate_series(1, 1200) n`;
    const [row] =
      await sql`select name, codename, created_at, updated_at from public.teams where id = ${team}`;
    const about = { id: team, name: row?.name, codename: row?.codename, role: "owner", permissions: [] };
    const stream = exportOf(
      { role: "authenticated", sub },
      { ...about, version: "", createdAt: "", updatedAt: "" },
    );
    return {
      archive: new Uint8Array(await new Response(stream).arrayBuffer()),
      size: await sizeOf(stand, team),
    };
  } finally {
    await closeDatabase();
    await stand.stop();
  }
}

it("kill -9 of the importing worker leaves the team empty or complete, and the next worker completes the import", async () => {
  const { archive, size } = await exportElsewhere();
  const database = await startTestPostgres();
  const stand = await startIndexingStand(database);
  stops.push(() => stand.stop());
  const fuse = await startFuse(database.port);
  stops.push(() => fuse.stop());
  const { startImport, closeDatabase } = await loadApi();
  stops.push(() => closeDatabase());
  const sub = await newUser(stand);
  const request = new Request("http://parley.test", { method: "POST", body: archive });
  const { teamId, taskId } = await startImport({ role: "authenticated", sub }, request, {});
  const nothing = Object.fromEntries(Object.keys(size).map((of) => [of, 0]));

  // Before anything is staged, between messages, and twice in the transaction that writes the team.
  for (const [statement, isDelivered] of [
    ["insert into private.import_rows", false],
    ["Message 900", true],
    ["insert into public.messages", false],
    ["update public.team_imports set report", true],
  ] as const) {
    const worker = await stand.spawnFunction("local", fuse.port);
    const gone = new Promise<void>((resolve) => worker.process.once("exit", () => resolve()));
    fuse.burnAt(statement, isDelivered, () => worker.process.kill("SIGKILL"));
    await Promise.all([gone, worker.tick().catch(() => {})]);
    expect([statement, await sizeOf(stand, teamId)]).toEqual([statement, nothing]);
    await stand.passTime();
  }

  const last = await stand.spawnFunction("local");
  await last.tick();
  await last.end("SIGTERM");
  expect(await stand.task(taskId)).toMatchObject({ status: "succeeded", error: null });
  expect(await sizeOf(stand, teamId)).toEqual(size);
  const files = await stand.sql`select name, path from public.files where team_id = ${teamId} order by name`;
  const texts = files.map(({ path }) => new TextDecoder().decode(stand.storage.objects.get(path)));
  expect(texts).toEqual(["# A\n\nAlpha.\n", "# B\n\nBeta.\n", "# C\n\nGamma.\n", "More."]);
  const order = await stand.sql`select content from public.messages where team_id = ${teamId} order by id`;
  expect(order.map(({ content }) => content)).toEqual(
    Array.from({ length: 1200 }, (_, n) => `Message ${n + 1}`),
  );
  expect(await stand.sql`select 1 from private.import_rows`).toHaveLength(0);
});

/** A text that does not compress like a bomb. */
const textOf = (mib: number) =>
  randomBytes((mib * 2 ** 20) / 2)
    .toString("hex")
    .replace(/.{60}/g, "$& ");

/** Starts the import of an archive where a team may store 1 MiB. */
async function startSmallImport(archive: Uint8Array<ArrayBuffer>) {
  vi.stubEnv("TEAM_STORAGE_MIB", "1");
  stops.push(() => vi.unstubAllEnvs());
  const stand = await startIndexingStand();
  stops.push(() => stand.stop());
  const { startImport, closeDatabase } = await loadApi();
  stops.push(() => closeDatabase());
  const sub = await newUser(stand);
  const request = new Request("http://parley.test", { method: "POST", body: archive });
  const { teamId, taskId } = await startImport({ role: "authenticated", sub }, request, {});
  await stand.sql`update private.operator_limits set team_storage = 1048576`;
  return { stand, teamId, taskId };
}

it.each([
  ["its files alone", { file: textOf(1.25) }],
  ["its files with its documents", { file: textOf(0.75), document: textOf(0.5) }],
])("an import of more than a team may store, by %s, is refused and leaves nothing", async (_what, more) => {
  const { archive, size } = await exportElsewhere(more);
  const { stand, teamId, taskId } = await startSmallImport(archive);
  const worker = await stand.spawnFunction("local");
  stops.push(() => worker.end("SIGTERM"));
  await worker.tick();
  const task = await stand.task(taskId);
  expect(task).toMatchObject({ status: "failed", message_code: "importRefused" });
  expect(task.error).toMatch(/^This team needs more than the 1 MiB/);
  expect(await sizeOf(stand, teamId)).toEqual(Object.fromEntries(Object.keys(size).map((of) => [of, 0])));
  await worker.tick();
  await expect.poll(() => [...stand.storage.objects.keys()]).toEqual([]);
});

it("refuses tables that unpack to far more than a team may store before it stages any", async () => {
  const gibibyte = 1024 * 1024 * 1024;
  const team = JSON.stringify({ name: "Bomb" });
  const tables = ["chats", "messages"].map((table) => `tables/${table}.jsonl`);
  const sum = (size: number) => ({ size, sha256: createHash("sha256").update(team).digest("hex") });
  const entries = {
    "team.json": sum(team.length),
    ...Object.fromEntries(tables.map((name) => [name, sum(gibibyte)])),
  };
  const archive = makeZip([
    { name: "team.json", data: team },
    ...tables.map((name) => ({ name, data: "{}\n" })),
    { name: "manifest.json", data: JSON.stringify({ format: 2, entries }) },
  ]);
  const { stand, taskId } = await startSmallImport(new Uint8Array(archive));
  const worker = await stand.spawnFunction("local");
  stops.push(() => worker.end("SIGTERM"));
  await worker.tick();
  expect((await stand.task(taskId)).error).toMatch(/^This team needs more than the 1 MiB/);
});
