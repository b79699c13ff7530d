// Restored rows whose place was taken meanwhile by something else of the installation: they are left out, and the rest is restored.
import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rollBack } from "./acting.ts";
import {
  by,
  copyBytes,
  database,
  remove,
  restore,
  rootOf,
  sql,
  startDeletions,
  world,
} from "./deletions-stand.ts";
import { threadRow } from "./thread-row.ts";
import { makeWorld, type World } from "./world.ts";

let other: World;
beforeAll(async () => {
  await startDeletions();
  other = await makeWorld(sql);
  await sql`delete from private.deletions`;
});
afterAll(() => database.stop());

test("an agent is restored without a Slack thread that another team's app has begun anew", async () => {
  await rollBack(sql, async (tx) => {
    const threads = () => tx`select team_id, thread_ts from private.slack_threads
       where workspace_id = ${world.workspace} order by thread_ts`;
    await tx`insert into private.slack_threads ${tx(threadRow(world, "2.1"))}`;
    expect(await threads()).toMatchObject([{ thread_ts: "1.1" }, { thread_ts: "2.1" }]);
    await by(tx, "owner", () => remove(tx, "agents"));
    expect(await threads()).toEqual([]);
    await tx`insert into private.slack_threads ${tx({ ...threadRow(other, "1.1"), workspace_id: world.workspace })}`;
    await by(tx, "owner", () => restore(tx, "agents"));
    expect(await threads()).toEqual([
      { team_id: other.team, thread_ts: "1.1" },
      { team_id: world.team, thread_ts: "2.1" },
    ]);
    expect(await tx`select 1 from public.chats where agent_id = ${world.agent}`).not.toEqual([]);
  });
});

test.each(["agents", "knowledges"] as const)(
  "%s: what a team began with is restored behind its new beginning",
  async (kind) => {
    await rollBack(sql, async (tx) => {
      await by(tx, "owner", () => remove(tx, kind));
      const [knowledge, agent] = [randomUUID(), randomUUID()];
      await tx`insert into public.knowledges (id, team_id, name, vector_id)
             select ${knowledge}, ${world.team}, 'Next', id from public.vectors limit 1`;
      await tx`insert into public.agents (id, team_id, name) values (${agent}, ${world.team}, 'Next')`;
      const begun = { team_id: world.team, agent_id: agent, knowledge_id: knowledge };
      await tx`insert into public.onboardings ${tx(begun)}`;
      await by(tx, "owner", () => restore(tx, kind));
      expect(await tx`select agent_id from public.onboardings where team_id = ${world.team}`).toEqual([
        { agent_id: agent },
      ]);
    });
  },
);

const readLeftOut = async (tx: TransactionSql) =>
  Number((await tx`select current_setting('parley.left_out', true) as left_out`)[0]?.left_out);

test("a file is restored without its place in a source that is full by then, and that is told", async () => {
  await rollBack(sql, async (tx) => {
    const others = Array.from({ length: 5_000 }, () => randomUUID());
    await tx`
      insert into public.files
      select r.* from public.files f, unnest(${others}::uuid[]) as made (id),
             lateral jsonb_populate_record(null::public.files,
               to_jsonb(f) || jsonb_build_object('id', made.id, 'path', 'teams/' || f.team_id || '/' || made.id)) r
       where f.id = ${world.file}`;
    const [another = "", ...listed] = others;
    const list = (fileIds: string[]) =>
      tx`update public.sources set config = ${tx.json({ fileIds })} where id = ${world.source}`;
    await list([world.file, ...listed]);
    await tx`update public.documents set external_id = ${world.file} where id = ${world.document}`;
    await copyBytes(tx);
    await by(tx, "owner", () => remove(tx, "files"));
    await list([...listed, another]);
    await by(tx, "owner", () => restore(tx, "files"));
    expect(await tx`select 1 from public.files where id = ${world.file}`).toHaveLength(1);
    expect(await tx`select 1 from public.documents where external_id = ${world.file}`).toEqual([]);
    const [source] = await tx`select config from public.sources where id = ${world.source}`;
    expect(source?.config.fileIds).toHaveLength(5_000);
    expect(await readLeftOut(tx)).toBe(1);
  });
});

/** Links to as many new sources as a knowledge base may have, and to as many knowledge bases as an agent. */
const links = {
  sources: {
    most: 200,
    ofKept: (tx: TransactionSql) => tx`
      select source_id as id from public.knowledge_sources where knowledge_id = ${world.knowledge}`,
    fill: (tx: TransactionSql, count: number) => tx`
      with made as (
        insert into public.sources (team_id, type, name)
        select ${world.team}, 'qa', 'Answers ' || n from generate_series(1, ${count}::int) n returning id)
      insert into public.knowledge_sources (team_id, knowledge_id, source_id) select ${world.team}, ${world.knowledge}, id from made`,
  },
  knowledges: {
    most: 50,
    ofKept: (tx: TransactionSql) => tx`
      select knowledge_id as id from public.agent_knowledges where agent_id = ${world.agent}`,
    fill: (tx: TransactionSql, count: number) => tx`
      with made as (
        insert into public.knowledges (team_id, name) select ${world.team}, 'Base ' || n from generate_series(1, ${count}::int) n returning id)
      insert into public.agent_knowledges (team_id, agent_id, knowledge_id) select ${world.team}, ${world.agent}, id from made`,
  },
};

test.each(["sources", "knowledges"] as const)(
  "%s: one is restored without its place in what is full by then, and that is told",
  async (kind) => {
    const { most, ofKept, fill } = links[kind];
    const expectRestored = (before: number, more: number, expected: unknown) =>
      rollBack(sql, async (tx) => {
        await tx`delete from public.knowledge_sources where knowledge_id = ${world.knowledge} and source_id <> ${world.source}`;
        await tx`delete from public.agent_knowledges where agent_id = ${world.agent} and knowledge_id <> ${world.knowledge}`;
        await fill(tx, before);
        await by(tx, "owner", () => remove(tx, kind));
        await fill(tx, more);
        await by(tx, "owner", () => restore(tx, kind));
        const kept = await ofKept(tx);
        expect(await tx`select 1 from ${tx(`public.${kind}`)} where id = ${rootOf(kind)}`).toHaveLength(1);
        const isLinked = kept.some(({ id }) => id === rootOf(kind));
        expect([kept.length, isLinked, await readLeftOut(tx)]).toEqual(expected);
      });
    await expectRestored(0, most - 1, [most, true, 0]);
    await expectRestored(0, most, [most, false, 1]);
    // It had more before there was a limit.
    await expectRestored(most + 5, 0, [most + 6, true, 0]);
  },
);

/** Without triggers, which are slow for thousands of rows. */
async function withoutTriggers(tx: TransactionSql, work: () => Promise<unknown>): Promise<void> {
  await tx`set local session_replication_role = replica`;
  await work();
  await tx`set local session_replication_role = origin`;
}

/** Lists with a limited length, and more rows in them. */
const lists = {
  qa_entries: {
    most: 5000,
    refusal: "entriesFull",
    rows: (tx: TransactionSql) => tx`select 1 from public.qa_entries where source_id = ${world.qaSource}`,
    fill: (tx: TransactionSql, count: number) => tx`
      insert into public.qa_entries (team_id, source_id, question, answer)
      select ${world.team}, ${world.qaSource}, 'Question ' || n, 'Answer' from generate_series(1, ${count}::int) n`,
    clear: (tx: TransactionSql) =>
      tx`delete from public.qa_entries where source_id = ${world.qaSource} and id <> ${world.qaEntry}`,
  },
  agent_tests: {
    most: 500,
    refusal: "testsFull",
    rows: (tx: TransactionSql) => tx`select 1 from public.agent_tests where agent_id = ${world.agent}`,
    fill: (tx: TransactionSql, count: number) => tx`
      insert into public.agent_tests (team_id, agent_id, question, must_refuse)
      select ${world.team}, ${world.agent}, 'Question ' || n, true from generate_series(1, ${count}::int) n`,
    clear: (tx: TransactionSql) =>
      tx`delete from public.agent_tests where agent_id = ${world.agent} and id <> ${world.agentTest}`,
  },
  agents: {
    most: 1000,
    refusal: "appsFull",
    rows: (tx: TransactionSql) => tx`select 1 from public.apps where team_id = ${world.team}`,
    fill: (tx: TransactionSql, count: number) => tx`
      insert into public.apps (team_id, agent_id, name)
      select ${world.team}, ${world.publicAgent}, 'App ' || n from generate_series(1, ${count}::int) n`,
    clear: (tx: TransactionSql) =>
      tx`delete from public.apps where team_id = ${world.team} and agent_id <> ${world.agent}`,
  },
};

test.each(["qa_entries", "agent_tests", "agents"] as const)(
  "%s: one is not restored into a list that is full by then, and is once there is room",
  async (kind) => {
    const { most, refusal, rows } = lists[kind];
    const fill = (tx: TransactionSql, count: number) =>
      withoutTriggers(tx, () => lists[kind].fill(tx, count));
    const clear = (tx: TransactionSql) => withoutTriggers(tx, () => lists[kind].clear(tx));
    await rollBack(sql, async (tx) => {
      await clear(tx);
      const before = (await rows(tx)).length;
      await by(tx, "owner", () => remove(tx, kind));
      await fill(tx, most);
      // Another deletion that can be undone.
      await by(tx, "owner", () => remove(tx, "knowledges"));
      const refused = tx.savepoint((point) => by(point, "owner", () => restore(point, kind)));
      await expect(refused).rejects.toMatchObject({ code: "PT409", hint: refusal });
      expect(await rows(tx)).toHaveLength(most);
      await clear(tx);
      await fill(tx, most - before);
      await by(tx, "owner", () => restore(tx, kind));
      expect(await rows(tx)).toHaveLength(most);
    });
    await rollBack(sql, async (tx) => {
      await fill(tx, most + 5);
      const before = (await rows(tx)).length;
      await by(tx, "owner", () => remove(tx, kind));
      await by(tx, "owner", () => restore(tx, kind));
      expect(await rows(tx)).toHaveLength(before);
    });
  },
);

test("a reply that was being written when its agent was deleted has failed, with its text", async () => {
  await rollBack(sql, async (tx) => {
    const [reply] = await tx<{ id: string }[]>`
      insert into public.messages (chat_id, role, status, content)
      select id, 'assistant', 'streaming', 'So far' from public.chats where agent_id = ${world.agent} limit 1 returning id`;
    await by(tx, "owner", () => remove(tx, "agents"));
    await by(tx, "owner", () => restore(tx, "agents"));
    expect(
      await tx`select status, content, finished_at is null as is_open from public.messages where id = ${reply?.id ?? null}`,
    ).toEqual([{ status: "failed", content: "So far", is_open: false }]);
  });
});
