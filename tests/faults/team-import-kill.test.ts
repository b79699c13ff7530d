// kill -9 of the worker that imports a team into another installation: the team is empty or complete to everybody at every moment, and
// complete in the end. What an import that fails, or whose team is deleted, had written is removed.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";
import { newIdOf } from "../../edge-functions/importing/ids.ts";
import { user } from "../native/teams.ts";
import { asCaller } from "../sql/acting.ts";
import { makeZip } from "../support/files/zip.ts";
import { type Fuse, startFuse } from "../support/fuse.ts";
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

/** The tables that an import fills. */
const filled = [
  "agents",
  "knowledges",
  "sources",
  "files",
  "documents",
  "chats",
  "messages",
  "handovers",
  "gap_questions",
];
const countsIn = (team: string) =>
  filled
    .map((name) => `(select count(*)::int from public.${name} where team_id = '${team}') as ${name}`)
    .join(", ");

/** The number of the team's rows, hidden ones included. */
async function sizeOf({ sql }: IndexingStand, team: string): Promise<Record<string, number>> {
  const [row] = await sql.unsafe(`select ${countsIn(team)}`);
  return { ...row };
}
const nothing = Object.fromEntries(filled.map((name) => [name, 0]));

/** What the team's owner sees in tables, searches, insights and in the use of storage. */
async function lookFor({ sql }: IndexingStand, team: string, sub: string): Promise<Record<string, number>> {
  return await asCaller(sql, user(sub), async (tx) => {
    const [row] = await tx.unsafe(`
      select ${countsIn(team)}, (select count(*)::int from private.find_chats('${team}', 'message', 10)) as found_chats,
             (select count(*)::int from private.find_documents('${team}', 'long', 10)) as found_documents,
             (select (sum(i.chats) + sum(i.messages) + sum(i.handovers) + sum(i.unanswered))::int
                from public.chat_insights('${team}', null, current_date - 7, current_date + 1, 'range') i) as insights,
             (select sum(s.replies)::int from private.count_support('${team}', null, current_date - 7, current_date + 1) s) as support,
             (select used::int from private.storage_of('${team}')) as storage`);
    return { ...row };
  });
}
const nothingSeen = {
  ...nothing,
  found_chats: 0,
  found_documents: 0,
  insights: 0,
  support: null,
  storage: 0,
};

/** The document that a late message cites: its new id tells the statement that writes this one. */
const cited = "01930000-0000-7000-8000-000000000001";

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
    await sql`insert into public.documents (team_id, source_id, external_id, type, title, content)
              values (${team}, ${source}, 'long', 'text', 'Long', ${more.document ?? "Long."})`;
    const [agent] =
      await sql`insert into public.agents (team_id, name) values (${team}, 'Agent') returning id`;
    const [chat] =
      await sql`insert into public.chats (team_id, agent_id) values (${team}, ${agent?.id}) returning id`;
    await sql`
      insert into public.messages (team_id, chat_id, content) select ${team}, ${chat?.id}, 'Message ' || n from generate_series(1, 1200) n`;
    await sql`
      update public.messages set role = 'assistant', unanswered = true, support = '{"state":"notFound","claims":[],"disagreement":[]}',
             citations = ${sql.json([{ index: 1, sourceId: source, documentId: cited, chunkId: cited, title: "B", url: null, quote: "Beta" }])}
       where content = 'Message 900' and team_id = ${team}`;
    await sql`insert into public.handovers (team_id, chat_id, message, consent_version) values (${team}, ${chat?.id}, 'Help', '1')`;
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

let usualExport: ReturnType<typeof exportElsewhere> | undefined;
/** The same export for several tests. */
const exportOnce = () => (usualExport ??= exportElsewhere());

/** Runs a worker until it sends a statement, and kills it then. */
async function killAt(
  stand: IndexingStand,
  fuse: Fuse,
  statement: string,
  isDelivered: boolean,
): Promise<void> {
  const worker = await stand.spawnFunction("local", fuse.port);
  const gone = new Promise<void>((resolve) => worker.process.once("exit", () => resolve()));
  fuse.burnAt(statement, isDelivered, () => worker.process.kill("SIGKILL"));
  await Promise.all([gone, worker.tick().catch(() => {})]);
}

/** Starts an import into an empty installation, whose database a fuse is before. */
async function startFusedImport(archive: Uint8Array<ArrayBuffer>) {
  const database = await startTestPostgres();
  const stand = await startIndexingStand(database);
  stops.push(() => stand.stop());
  const fuse = await startFuse(database.port);
  stops.push(() => fuse.stop());
  const { startImport, closeDatabase } = await loadApi();
  stops.push(() => closeDatabase());
  const sub = await newUser(stand);
  const start = () =>
    startImport(
      { role: "authenticated", sub },
      new Request("http://parley.test", { method: "POST", body: archive }),
      {},
    );
  return { stand, fuse, sub, start, ...(await start()) };
}

it("kill -9 of the importing worker leaves the team empty or complete, and the next workers complete it and another", async () => {
  const { archive, size } = await exportOnce();
  const { stand, fuse, sub, start, teamId, taskId } = await startFusedImport(archive);
  // Before anything is staged, between messages, as the roots are made, three times between hidden rows, and in the last transaction.
  for (const [statement, isDelivered] of [
    ["insert into private.import_rows", false],
    ["Message 900", true],
    ["private.make_hidden_roots", true],
    ["insert into public.documents", true],
    ["insert into public.messages", false],
    [newIdOf(teamId, cited), true],
    ["update public.team_imports set report", true],
  ] as const) {
    await killAt(stand, fuse, statement, isDelivered);
    expect([statement, await lookFor(stand, teamId, sub)]).toEqual([statement, nothingSeen]);
    await stand.passTime();
  }
  // All that is hidden is there.
  const { documents, chats, messages, handovers, gap_questions } = size;
  expect(await sizeOf(stand, teamId)).toEqual({
    ...nothing,
    documents,
    chats,
    messages,
    handovers,
    gap_questions,
  });
  // Twice before the roots were made and twice before the first message: everybody waits for it, and those who go on need it no more.
  const [counted] = await stand.sql`
    select analyze_count::int as times from pg_catalog.pg_stat_all_tables where relid = 'private.import_rows'::regclass`;
  expect(counted).toEqual({ times: 4 });

  const other = await start();
  const last = await Promise.all([stand.spawnFunction("local"), stand.spawnFunction("local")]);
  await Promise.all(last.map((worker) => worker.tick()));
  await Promise.all(last.map((worker) => worker.end("SIGTERM")));
  for (const one of [{ teamId, taskId }, other]) {
    expect(await stand.task(one.taskId)).toMatchObject({ status: "succeeded", error: null });
    expect(await sizeOf(stand, one.teamId)).toEqual(size);
    const { storage, ...seen } = await lookFor(stand, one.teamId, sub);
    expect(seen).toEqual({
      ...size,
      found_chats: 1,
      found_documents: 1,
      insights: 1 + 1199 + 1 + 1,
      support: 1,
    });
    expect(storage).toBeGreaterThan(0);
  }
  const files = await stand.sql`select name, path from public.files where team_id = ${teamId} order by name`;
  const texts = files.map(({ path }) => new TextDecoder().decode(stand.storage.objects.get(path)));
  expect(texts).toEqual(["# A\n\nAlpha.\n", "# B\n\nBeta.\n", "# C\n\nGamma.\n", "More."]);
  const order = await stand.sql`select content from public.messages where team_id = ${teamId} order by id`;
  expect(order.map(({ content }) => content)).toEqual(
    Array.from({ length: 1200 }, (_, n) => `Message ${n + 1}`),
  );
  const [source] = await stand.sql`
    select true as same from public.messages m join public.sources s on s.id::text = m.citations -> 0 ->> 'sourceId'
     where m.team_id = ${teamId} and s.team_id = ${teamId} and m.citations -> 0 ->> 'documentId' = ${newIdOf(teamId, cited)}`;
  expect(source).toEqual({ same: true });
  await expectNoRest(stand);
});

/** Nothing is staged, hidden or being removed any more. */
async function expectNoRest(stand: IndexingStand): Promise<void> {
  const worker = await stand.spawnFunction("local");
  stops.push(() => worker.end("SIGTERM"));
  const rest = async () => {
    await worker.tick();
    const [row] = await stand.sql`
      select (select count(*)::int from private.import_rows) as staged,
             (select count(*)::int from private.roots where detached_at is not null) as roots`;
    return row;
  };
  await expect.poll(rest, { interval: 200 }).toEqual({ staged: 0, roots: 0 });
}

it.each([
  [
    "whose team is deleted",
    async (stand: IndexingStand, team: string, sub: string) => {
      const gone = await asCaller(
        stand.sql,
        user(sub),
        (tx) => tx`delete from public.teams where id = ${team} returning 1`,
      );
      expect(gone).toHaveLength(1);
    },
  ],
  // Its archive cannot be read again.
  ["that fails", async ({ storage }: IndexingStand) => storage.objects.clear()],
])("an import %s halfway leaves nothing", async (_what, end) => {
  const { archive } = await exportOnce();
  const { stand, fuse, sub, teamId } = await startFusedImport(archive);
  await killAt(stand, fuse, newIdOf(teamId, cited), true);
  const { documents = 0, chats = 0, messages = 0 } = await sizeOf(stand, teamId);
  expect(Math.min(documents, chats, messages)).toBeGreaterThan(0);
  await end(stand, teamId, sub);
  await stand.passTime();
  await expectNoRest(stand);
  expect(await sizeOf(stand, teamId)).toEqual(nothing);
  expect(await stand.sql`select private.storage_used(${teamId})::int as used`).toEqual([{ used: 0 }]);
  // Storage lists the files of a deleted team, which this one does not.
  const otherPaths = () =>
    [...stand.storage.objects.keys()].filter((path) => !path.startsWith(`teams/${teamId}/`));
  await expect.poll(otherPaths).toEqual([]);
});

it("an import waits while the file storage is full or down, however long, and then stores every file", async () => {
  const { archive, size } = await exportOnce();
  const { stand, teamId, taskId } = await startFusedImport(archive);
  const worker = await stand.spawnFunction("local");
  stops.push(() => worker.end("SIGTERM"));
  stand.storage.isFull = true;
  // More often than a task may fail without progress.
  for (let attempt = 0; attempt < 6; attempt++) {
    await worker.tick();
    expect(await stand.task(taskId)).toMatchObject({ status: "waiting", message_code: "waitingForDisk" });
    await stand.passTime();
  }
  Object.assign(stand.storage, { isFull: false, isDown: true });
  await worker.tick();
  expect(await stand.task(taskId)).toMatchObject({ status: "waiting", message_code: "waitingForStorage" });
  stand.storage.isDown = false;
  await stand.passTime();
  await worker.tick();
  expect(await stand.task(taskId)).toMatchObject({ status: "succeeded", error: null });
  expect(await sizeOf(stand, teamId)).toEqual(size);
  const files = await stand.sql`select path from public.files where team_id = ${teamId}`;
  expect(files.map(({ path }) => stand.storage.objects.has(path))).toEqual([true, true, true, true]);
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
  const { archive } = await exportElsewhere(more);
  const { stand, teamId, taskId } = await startSmallImport(archive);
  const worker = await stand.spawnFunction("local");
  stops.push(() => worker.end("SIGTERM"));
  await worker.tick();
  const task = await stand.task(taskId);
  expect(task).toMatchObject({ status: "failed", message_code: "importRefused" });
  expect(task.error).toMatch(/^This team needs more than the 1 MiB/);
  await expectNoRest(stand);
  expect(await sizeOf(stand, teamId)).toEqual(nothing);
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
