// One team's failures stay its own: a flapping source, an unwritable row, a chore that fails or hangs.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type IndexingStand, startIndexingStand, words } from "../support/indexing-stand.ts";

let stand: IndexingStand;
let other: string;
beforeAll(async () => {
  stand = await startIndexingStand();
  other = await stand.addTeam();
});
afterAll(() => stand.stop());
afterEach(async () => {
  stand.storage.isDown = false;
  stand.storage.isSilent = false;
  await stand.sql`drop trigger if exists poison on public.tasks`;
  await stand.sql`drop trigger if exists poison on public.sources`;
  await stand.sql`drop trigger if exists poison on public.knowledges`;
  await stand.sql`drop trigger if exists poison on public.messages`;
  await stand.sql`delete from public.teams`;
  stand.team = await stand.addTeam();
  other = await stand.addTeam();
});

/** A row that no statement can change, like a damaged one: every write fails, with an error of a class that tells why. */
async function poison(
  table: "tasks" | "sources" | "knowledges" | "messages",
  id: string,
  state = "P0001",
): Promise<void> {
  await stand.sql.unsafe(`
    create or replace function private.poison() returns trigger language plpgsql as
      $$ begin raise exception 'poisonous row' using errcode = '${state}'; end $$;
    create trigger poison before update on public.${table}
      for each row when (old.id = '${id}') execute function private.poison();`);
}

const numbers = async (task: string) =>
  (
    await stand.sql`select number, status from public.task_attempts where task_id = ${task} order by number`
  ).map(({ number, status }) => [number, status]);

describe("a source that is down, up for one document, and down again", () => {
  it("waits on its own and resumes; every attempt has its number, and others are served", async () => {
    // More than half of a shared batch, so that each is embedded alone.
    const files = { "a.txt": words(200, "one"), "b.txt": words(200, "two"), "c.txt": words(200, "three") };
    const { knowledge } = await stand.knowledgeOf(files);
    const id = await stand.enqueue("index", { knowledge });
    const ticker = stand.ticker();
    // Every second attempt embeds one document of three.
    stand.openai.next(
      { how: "hang up" },
      { how: "well" },
      { how: "hang up" },
      { how: "hang up" },
      { how: "well" },
      { how: "hang up" },
    );
    for (let attempt = 1; attempt <= 4; attempt++) {
      await stand.passTime();
      await ticker.tick();
      expect(await stand.task(id)).toMatchObject({ status: "waiting", attempts: attempt });
    }
    const theirs = await stand.knowledgeOf({ "d.txt": "Four." }, other);
    const their = await stand.enqueue("index", { knowledge: theirs.knowledge });
    await stand.passTime();
    await stand.settle(ticker);
    expect(await stand.task(their)).toMatchObject({ status: "succeeded" });
    expect(await stand.task(id)).toMatchObject({ status: "succeeded", attempts: 5 });
    expect(await numbers(id)).toEqual([
      [1, "waiting"],
      [2, "waiting"],
      [3, "waiting"],
      [4, "waiting"],
      [5, "succeeded"],
    ]);
  });
});

describe("an unwritable row", () => {
  it("a task whose next attempt already exists is skipped, reported, and fails in the end", async () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    const { knowledge } = await stand.knowledgeOf({ "a.txt": "One." });
    const id = await stand.enqueue("index", { knowledge });
    await stand.sql`insert into public.task_attempts (task_id, number, team_id, started_at)
                    values (${id}, 1, ${stand.team}, now())`;
    const theirs = await stand.knowledgeOf({ "b.txt": "Two." }, other);
    const their = await stand.enqueue("index", { knowledge: theirs.knowledge });
    const ticker = stand.ticker();
    await stand.settle(ticker);
    expect(await stand.task(their)).toMatchObject({ status: "succeeded" });
    expect(await stand.task(id)).toMatchObject({ status: "queued" });
    for (let attempt = 2; attempt <= 5; attempt++) {
      await stand.passTime();
      await stand.sql`update public.tasks set run_after = now() where id = ${id}`;
      await ticker.tick();
    }
    expect(await stand.task(id)).toMatchObject({ status: "failed", message_code: "failed", attempts: 0 });
    expect((await stand.task(id)).error).toMatch(/^An unexpected error ended this task\./);
    expect(said.mock.calls.flat().join()).toContain(`task ${id} could not be claimed`);
  });

  it.each(["queued", "given up"])("a damaged task (%s) is skipped", async (kind) => {
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    const { knowledge } = await stand.knowledgeOf({ "a.txt": "One." });
    const id = await stand.enqueue("index", { knowledge });
    if (kind === "given up")
      await stand.sql`update public.tasks set status = 'running', attempts = 5, attempts_without_progress = 5,
                             lease_until = now() - interval '1 minute' where id = ${id}`;
    await poison("tasks", id);
    const theirs = await stand.knowledgeOf({ "b.txt": "Two." }, other);
    const their = await stand.enqueue("index", { knowledge: theirs.knowledge });
    await stand.ticker().tick();
    expect(await stand.task(their)).toMatchObject({ status: "succeeded" });
    expect(said.mock.calls.flat().join()).toContain(`task ${id} could not be put off`);
  });

  it("a source with a due sync does not block other syncs", async () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    const sources = [await stand.addSource([]), await stand.addSource([], other)];
    await stand.sql`update public.sources set schedule = 'daily' where id = any(${sources}::uuid[])`;
    await stand.sql`update public.sources set next_sync_at = now() - interval '1 hour' where id = ${sources[0] ?? ""}`;
    await stand.sql`update public.sources set next_sync_at = now() - interval '1 minute' where id = ${sources[1] ?? ""}`;
    await poison("sources", sources[0] ?? "");
    await stand.settle();
    expect(await stand.sql`select source_id, status from public.tasks where type = 'sync'`).toEqual([
      { source_id: sources[1], status: "succeeded" },
    ]);
    expect(said.mock.calls.flat().join()).toContain(`the sync of source ${sources[0]} could not be queued`);
  });

  it("a due sync is not postponed by a deadlock, as by a row that refuses", async () => {
    const source = await stand.addSource([]);
    await stand.sql`update public.sources set schedule = 'daily' where id = ${source}`;
    await stand.sql`update public.sources set next_sync_at = now() - interval '1 minute' where id = ${source}`;
    await poison("sources", source, "40P01");
    await expect(stand.sql`select private.queue_due_syncs()`).rejects.toMatchObject({ code: "40P01" });
    await stand.sql`drop trigger poison on public.sources`;
    expect(await stand.sql`select private.queue_due_syncs() as queued`).toEqual([{ queued: 1 }]);
  });

  it("one of twenty tasks that ended without a worker does not block the others", async () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    const bad = await stand.addKnowledge([]);
    const good = await stand.addKnowledge([], other);
    for (const [knowledge, count] of [
      [bad, 20],
      [good, 1],
    ] as const)
      for (let at = 0; at < count; at++) {
        const id = await stand.enqueue("index", { knowledge });
        await stand.sql`update public.tasks set status = 'stopped', finished_at = now() where id = ${id}`;
      }
    await stand.sql`update public.knowledges set status = 'queued' where id in (${bad}, ${good})`;
    await poison("knowledges", bad);
    await stand.ticker().tick();
    const statuses = await stand.sql`select id, status from public.knowledges`;
    expect(Object.fromEntries(statuses.map(({ id, status }) => [id, status]))).toEqual({
      [bad]: "queued",
      [good]: "stopped",
    });
    expect(said.mock.calls.flat().join()).toContain("what a task left behind could not be settled");
  });

  it("a reply of a dead process does not keep those of others in being written", async () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    const begin = async (team: string) => {
      const [agent] =
        await stand.sql`insert into public.agents (team_id, name) values (${team}, 'A') returning id`;
      const [chat] = await stand.sql`
        insert into public.chats (team_id, agent_id) values (${team}, ${agent?.id}) returning id`;
      const [reply] = await stand.sql`
        insert into public.messages (chat_id, role, content, status, updated_at)
        values (${chat?.id}, 'assistant', 'So', 'streaming', now() - interval '1 hour') returning id`;
      return String(reply?.id);
    };
    const [bad, good] = [await begin(stand.team), await begin(other)];
    await poison("messages", bad);
    await stand.ticker().tick();
    const statuses = await stand.sql`select id, status from public.messages`;
    expect(Object.fromEntries(statuses.map(({ id, status }) => [id, status]))).toEqual({
      [bad]: "streaming",
      [good]: "failed",
    });
    expect(said.mock.calls.flat().join()).toContain(`row ${bad} was left out`);
  });
});

describe("a storage that accepts a removal and never answers", () => {
  it("does not block a task from being claimed and finished", async () => {
    const file = await stand.addFile("old.txt", "Old.");
    await stand.sql`delete from public.files where id = ${file}`;
    stand.storage.isSilent = true;
    const { knowledge } = await stand.knowledgeOf({ "a.txt": "One." });
    const id = await stand.enqueue("index", { knowledge });
    const ticker = stand.ticker();
    const tick = ticker.tick();
    await eventually(async () => expect(await stand.task(id)).toMatchObject({ status: "succeeded" }));
    await tick;
    // The next ticks neither wait for it nor ask again.
    await ticker.tick();
  });
});

describe("statistics from when a table was empty", () => {
  it("do not make a worker claim more documents than its limit", async () => {
    const { sql } = stand;
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i}.txt`, words(15, `t${i}`)]));
    const { knowledge, source } = await stand.knowledgeOf(files);
    const id = await stand.enqueue("index", { knowledge });
    const taken: number[] = [];
    // What vacuum leaves of an empty table: the planner reverses the join and runs the subquery once per row.
    const stale = () =>
      sql`update pg_catalog.pg_class set reltuples = 0, relpages = 1 where oid = 'public.documents'::regclass`;
    // With its CPU time counted, it reads nothing ahead.
    const ticker = stand.ticker({ cpuMs: 1e9 }, 1, async (texts) => {
      taken.push((await stand.documents(source)).filter(({ status }) => status === "indexing").length);
      return texts.map(() => new Float32Array(8).fill(1));
    });
    await stale();
    await stand.settle(ticker);
    expect(await stand.task(id)).toMatchObject({ status: "succeeded", done: 40 });
    expect(Math.max(...taken)).toBeLessThanOrEqual(32);
  });

  it("do not hand out more records of unwanted bytes than a worker removes at once", async () => {
    const { sql } = stand;
    await sql`insert into private.unwanted_objects (path)
              select 'teams/' || ${stand.team}::text || '/' || gen_random_uuid() from generate_series(1, 150)`;
    await sql`update pg_catalog.pg_class set reltuples = 0, relpages = 1 where oid = 'private.unwanted_objects'::regclass`;
    expect(await sql`select private.claim_unwanted_objects()`).toHaveLength(100);
    await sql`delete from private.unwanted_objects`;
  });
});
