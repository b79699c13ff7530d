// An import finds each row by its id, so its work grows with the rows and not with their square. An archive of 3,000 documents never came to
// its end, and each try held the database for a minute.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newIdOf } from "../../edge-functions/importing/ids.ts";
import { stubSettings } from "../support/function-settings.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { makeWorld, type World } from "./world.ts";

let database: TestPostgres;
let sql: Sql;
let world: World;
beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
});
afterAll(() => database.stop());
beforeEach(async () => {
  world = await makeWorld(sql);
});

const newIds = (count: number) => Array.from({ length: count }, () => randomUUID());
/** Of messages: in their order, each later than the one before. */
const idsInOrder = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const time = (Date.UTC(2026, 0) + at).toString(16).padStart(12, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
  });
const created_at = "2026-01-01T00:00:00Z";

const stage = (kind: string, ids: string[], content: (id: string, at: number) => object) => sql`
  insert into private.import_rows (team_id, kind, position, old_id, new_id, content)
  select ${world.team}, ${kind}, r.position, r.old_id, r.new_id, r.content
    from jsonb_to_recordset(${JSON.stringify(
      ids.map((id, at) => ({
        ...{ position: at + 1, old_id: id, new_id: newIdOf(world.team, id), content: content(id, at) },
      })),
    )}::text::jsonb) as r (position int, old_id uuid, new_id uuid, content jsonb)`;

/** Stages a source of so many files, each with its document, as many written answers, and as many chats of one question that was dismissed. */
async function stageArchive(count: number): Promise<void> {
  const [source, answers, agent] = newIds(3) as [string, string, string];
  const [files, chats, gaps] = [newIds(count), newIds(count), newIds(count)];
  const messages = idsInOrder(2 * count);
  const [rows] = await sql<{ agent: object; chat: object; message: object }[]>`
    select to_jsonb(a) as agent, to_jsonb(c) as chat, to_jsonb(m) as message
      from public.messages m join public.chats c on c.id = m.chat_id join public.agents a on a.id = c.agent_id
     where m.id = ${world.messages.viewer}`;
  expect(rows).toBeDefined();
  await sql`delete from private.import_rows where team_id = ${world.team}`;
  await stage("agents", [agent], () => ({ ...rows?.agent, address: "" }));
  await stage("sources", [source, answers], (id) => ({
    ...(id === source
      ? { type: "file", name: "Files", config: { fileIds: files } }
      : { type: "qa", name: "Answers", config: {} }),
    ...{ schedule: "manual", created_at },
  }));
  await stage("qa_entries", newIds(count), (_, at) => ({
    ...{
      source_id: answers,
      question: `Question ${at}?`,
      answer: "Yes.",
      reviewed_at: created_at,
      created_at,
    },
  }));
  await stage("files", files, (_, at) => ({
    ...{ name: `${at}.md`, type: "document", content_type: "text/markdown", size: 10 },
    ...{ sha256: "a".repeat(64), stored: true, created_at },
  }));
  await stage("documents", newIds(count), (_, at) => ({
    ...{ source_id: source, external_id: files[at], type: "file", title: `${at}.md`, created_at },
  }));
  await stage("chats", chats, () => ({ ...rows?.chat, agent_id: agent }));
  const message = (at: number) => ({ ...rows?.message, chat_id: chats[at], role: "user", citations: [] });
  await stage("messages", messages, (_, at) =>
    at < count
      ? message(at)
      : {
          ...message(at - count),
          ...{ role: "assistant", unanswered: true, created_at: new Date().toISOString() },
        },
  );
  await stage("gaps", gaps, () => ({ agent_id: agent, reason: "missing", is_dismissed: true, created_at }));
  await stage("gap_questions", newIds(count), (_, at) => ({
    ...{ message_id: messages[count + at], gap_id: gaps[at], answered_at: null },
  }));
}

/** Imports the archive. @returns the staged rows that were read, one row counted as often as it was read, and the notes that triggers wrote */
async function importArchive(count: number): Promise<{ read: number; notes: number }> {
  await stageArchive(count);
  const { asService } = await import("../../edge-functions/_shared/database/db.ts");
  const { importStaged } = await import("../support/staged-import.ts");
  await asService((tx) => tx`select private.analyze_imports()`);
  return await asService(async (tx) => {
    // Postgres counts earlier transactions in until it has written their counts down.
    const countSoFar = async () => {
      const [row] = await tx<{ read: number; notes: number }[]>`
        select sum(seq_tup_read + idx_tup_fetch) filter (where relid in ('private.import_rows'::regclass, 'public.gaps'::regclass))::int as read,
               sum(n_tup_ins + n_tup_upd) filter (where relid in ('private.storage_changes'::regclass, 'public.tasks'::regclass))::int as notes
          from pg_catalog.pg_stat_xact_all_tables
         where relid = any ('{private.import_rows,public.gaps,private.storage_changes,public.tasks}'::regclass[])`;
      return row ?? { read: 0, notes: 0 };
    };
    const before = await countSoFar();
    const { brought } = await importStaged({ teamId: world.team, userId: world.people.owner }, (work) =>
      work(tx),
    );
    expect(brought.documents).toBeGreaterThanOrEqual(count);
    expect(brought.messages).toBeGreaterThanOrEqual(count);
    const [grouped] = await tx`
      select count(*)::int as count from public.gap_questions where team_id = ${world.team} and gap_id is not null`;
    expect(grouped?.count).toBeGreaterThanOrEqual(count);
    const after = await countSoFar();
    return { read: after.read - before.read, notes: after.notes - before.notes };
  });
}

test("an import reads each staged row a few times, and its triggers write as little, however many rows there are", async () => {
  stubSettings({ DATABASE_URL: database.url("authenticator") });
  const once = await importArchive(400);
  world = await makeWorld(sql);
  const twice = await importArchive(800);
  const { closeDatabase } = await import("../../edge-functions/_shared/database/db.ts");
  await closeDatabase();
  const rows = 8 * 400;
  expect(once.read).toBeGreaterThan(rows);
  // About 4, and up to a half more as the planner's figures are before or after an autovacuum. A scan for each row would read hundreds.
  const aFewTimes = 25;
  expect(once.read / rows).toBeLessThan(aFewTimes);
  expect(twice.read / (2 * rows)).toBeLessThan(aFewTimes);
  expect(once.notes).toBeGreaterThan(0);
  expect(twice.notes).toBe(once.notes);
});

test("an import reads its list of files once, however many are stored", async () => {
  stubSettings({ DATABASE_URL: database.url("authenticator") });
  await sql`delete from private.import_rows where team_id = ${world.team}`;
  const stored = 600;
  await stage("files", newIds(stored + 1), (_, at) => ({
    ...{ name: `${at}.md`, content_type: "text/markdown", size: 10, sha256: "a".repeat(64) },
    ...(at < stored ? { stored: true } : {}),
  }));
  const { asService, closeDatabase } = await import("../../edge-functions/_shared/database/db.ts");
  const { nextFile } = await import("../../edge-functions/importing/staging.ts");
  const readAfter = (after: number) =>
    asService(async (tx) => {
      const countSoFar = async () => {
        const [row] = await tx<{ read: number }[]>`
          select (seq_tup_read + idx_tup_fetch)::int as read from pg_catalog.pg_stat_xact_all_tables
           where relid = 'private.import_rows'::regclass`;
        return row?.read ?? 0;
      };
      // Only an index knows where the rest begins; a small table would be scanned.
      await tx`set local enable_seqscan = off`;
      const before = await countSoFar();
      const file = await nextFile(tx, world.team, after);
      return { name: file?.name, read: (await countSoFar()) - before };
    });
  const [first, next] = [await readAfter(0), await readAfter(stored)];
  await closeDatabase();
  expect(first.name).toBe("600.md");
  expect(first.read).toBeGreaterThan(stored);
  expect(next.name).toBe("600.md");
  expect(next.read).toBeLessThan(10);
});

test("what was one thing in the archive is one here, also of more rows than one statement takes", async () => {
  stubSettings({ DATABASE_URL: database.url("authenticator") });
  const [agent, knowledge] = await sql<{ row: object }[]>`
    select to_jsonb(a) as row from public.agents a where a.id = ${world.agent} union all
    select to_jsonb(k) from public.knowledges k where k.id = ${world.knowledge}`;
  await sql`delete from private.import_rows where team_id = ${world.team}`;
  const [agents, knowledges, sources, chats] = [newIds(110), newIds(110), newIds(110), newIds(110)];
  // Two of one address: the first keeps it.
  const address = `import-${randomUUID().slice(0, 8)}`;
  const addressed = [50, 105];
  await stage("agents", agents, (_, at) => ({
    ...{ ...agent?.row, name: `Agent ${at}` },
    address: addressed.includes(at) ? address : "",
  }));
  // Their ids are not drawn. Each is linked to the agent and the source before it: in another order the links would differ.
  const before = (at: number) => (at + 109) % 110;
  await stage("knowledges", knowledges, (_, at) => ({
    ...{ ...knowledge?.row, name: `Knowledge ${before(at)}`, was_indexed: true },
  }));
  await stage("agent_knowledges", newIds(110), (_, at) => ({
    ...{ agent_id: agents[before(at)], knowledge_id: knowledges[at] },
  }));
  await stage("knowledge_sources", newIds(110), (_, at) => ({
    ...{ knowledge_id: knowledges[at], source_id: sources[before(at)] },
  }));
  await stage("sources", sources, (_, at) => ({
    ...{ type: "file", name: `Source ${at}`, config: { fileIds: [] }, schedule: "manual", created_at },
  }));
  await stage("chats", chats, (_, at) => ({
    agent_id: agents[at],
    channel: "web",
    title: `Chat ${at}`,
    created_at,
  }));
  await stage("documents", newIds(110), (_, at) => ({
    ...{
      source_id: sources[at],
      external_id: "1",
      type: "page",
      title: `Page ${at}`,
      content: "Text.",
      created_at,
    },
  }));
  const { asService, closeDatabase } = await import("../../edge-functions/_shared/database/db.ts");
  const { importStaged } = await import("../support/staged-import.ts");
  await importStaged({ teamId: world.team, userId: world.people.owner }, (work) => asService(work));
  await closeDatabase();
  type Named = { agent: string; chat: string; knowledge: string; source: string; page: string };
  const named = await sql<Named[]>`
    select a.name as agent, c.title as chat, k.name as knowledge, s.name as source, d.title as page
      from public.chats c join public.agents a on a.id = c.agent_id
      join public.agent_knowledges ak on ak.agent_id = a.id join public.knowledges k on k.id = ak.knowledge_id
      join public.knowledge_sources ks on ks.knowledge_id = k.id
      join public.tasks t on t.knowledge_id = k.id and t.type = 'index' and k.status = 'queued'
      join public.documents d on d.team_id = c.team_id and d.title = replace(c.title, 'Chat', 'Page')
      join public.sources s on s.id = d.source_id and s.id = ks.source_id and s.documents_count = 1
     where c.team_id = ${world.team} and c.title like 'Chat %'`;
  expect(named).toHaveLength(110);
  for (const { chat, ...others } of named)
    expect(Object.values(others)).toEqual(
      ["Agent", "Knowledge", "Source", "Page"].map((kind) => chat.replace("Chat", kind)),
    );
  expect([...(await sql`select name from public.agents where address = ${address}`)]).toEqual([
    { name: "Agent 50" },
  ]);
});
