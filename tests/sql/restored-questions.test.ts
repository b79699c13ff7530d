// What agents were asked while a knowledge base, or text in it, was deleted: once that is undone, it is no verdict, and is asked again.
import type { Sql, TransactionSql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimsOf } from "../support/actors.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { actAs, rollBack } from "./acting.ts";
import { agentTestResultRow } from "./agent-test-rows.ts";
import { makeWorld, type World } from "./world.ts";

let database: TestPostgres;
let sql: Sql;
let world: World;
beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  world = await makeWorld(sql);
  await sql`delete from private.deletions`;
});
afterAll(() => database.stop());

type Kind = "knowledges" | "sources" | "files" | "qa_entries" | "agents";
const rootOf = (kind: Kind) =>
  ({
    knowledges: world.knowledge,
    sources: world.source,
    files: world.file,
    qa_entries: world.qaEntry,
    agents: world.agent,
  })[kind];

const atTime = async (tx: TransactionSql, work: () => Promise<unknown>) => {
  await tx`set local session_replication_role = replica`;
  await work();
  await tx`set local session_replication_role = origin`;
};

/** Gives the run three answers: one of an hour ago, one of now, and one of now that a person judged. */
async function answer(tx: TransactionSql, knowledgeId: string) {
  await tx`update public.agent_versions set settings = jsonb_build_object('knowledgeIds', array[${knowledgeId}]) where id = ${world.agentVersion}`;
  for (const position of [2, 3])
    await tx`insert into public.agent_test_results ${tx({ ...agentTestResultRow(world, position) })}`;
  await atTime(tx, async () => {
    await tx`update public.agent_test_results e
                set answer = 'Not found.', verdict = 'failed', overruled = case when e.position = 3 then 'passed' end,
                    updated_at = case when e.position = 1 then now() - interval '1 hour' else clock_timestamp() + interval '1 second' end
              where e.run_id = ${world.agentTestRun}`;
    await tx`update public.gap_questions set again = 'open', updated_at = clock_timestamp() + interval '1 second'
              where gap_id = ${world.gap}`;
  });
}

/** Deletes what is read, has the questions answered meanwhile, and undoes the deletion. */
async function deleteAndUndo(tx: TransactionSql, kind: Kind, meanwhile: () => Promise<unknown>) {
  const asOwner = (work: () => Promise<unknown>) => actAs(tx, claimsOf("owner", world), work);
  await tx`update public.sources set config = jsonb_build_object('fileIds', array[${world.file}]) where id = ${world.source}`;
  await tx`insert into public.knowledge_sources (team_id, knowledge_id, source_id)
           values (${world.team}, ${world.knowledge}, ${world.qaSource}) on conflict do nothing`;
  if (kind === "files") {
    await actAs(tx, { role: "service_role" }, async () => {
      const copies = await tx<
        { copy: string }[]
      >`select copy from private.note_copies(${world.team}, ${world.file})`;
      await tx`select private.copies_made(${copies.map(({ copy }) => copy)})`;
    });
  }
  await asOwner(async () => {
    await tx`select private.keep_deleted(${kind}, ${world.team}, ${rootOf(kind)})`;
    await tx`delete from ${tx(`public.${kind}`)} where id = ${rootOf(kind)}`;
  });
  await meanwhile();
  await asOwner(() => tx`select private.restore_deleted(${kind}, ${world.team}, ${rootOf(kind)})`);
}

const verdicts = async (tx: TransactionSql) =>
  (
    await tx`select verdict from public.agent_test_results where run_id = ${world.agentTestRun} order by position`
  ).map(({ verdict }) => verdict);
const runOf = async (tx: TransactionSql) =>
  (
    await tx`select r.status, r.done, r.finished_at, t.status as task from public.agent_test_runs r
               left join public.tasks t on t.id = r.task_id where r.id = ${world.agentTestRun}`
  )[0];
const beginTask = async (tx: TransactionSql, key: string, type: string) => {
  const [row] = await tx<{ id: string }[]>`
    insert into public.tasks (team_id, type, key, status, started_at, lease_owner, lease_until)
    values (${world.team}, ${type}, ${key}, 'running', now(), 'worker', now() + interval '1 minute') returning id`;
  return row?.id ?? "";
};

describe("a test", () => {
  test.each(["knowledges", "sources", "files", "qa_entries"] as const)(
    "that one of the %s was missing for is asked again, by a run that is over",
    async (kind) => {
      await rollBack(sql, async (tx) => {
        await deleteAndUndo(tx, kind, async () => {
          await answer(tx, world.knowledge);
          await tx`update public.agent_test_runs set status = 'succeeded', done = 3, finished_at = clock_timestamp() where id = ${world.agentTestRun}`;
        });
        expect(await verdicts(tx)).toEqual(["failed", null, "failed"]);
        expect(await runOf(tx)).toEqual({ status: "queued", done: 2, finished_at: null, task: "queued" });
      });
    },
  );

  test("is asked again by a run that is not over, whose worker loses its claim", async () => {
    await rollBack(sql, async (tx) => {
      let task = "";
      const keep = async () =>
        (
          await tx`select private.keep_task(${task}, fence, 60) as status from public.tasks where id = ${task}`
        )[0]?.status;
      await deleteAndUndo(tx, "knowledges", async () => {
        await answer(tx, world.knowledge);
        task = await beginTask(tx, `agentTests:run:${world.agentTestRun}`, "agentTests");
        await tx`update public.agent_test_runs set status = 'running', finished_at = null, task_id = ${task} where id = ${world.agentTestRun}`;
        expect(await keep()).toBe("running");
      });
      expect(await keep()).toBeNull();
      expect(await verdicts(tx)).toEqual(["failed", null, "failed"]);
      expect(await runOf(tx)).toMatchObject({ status: "running", task: "running" });
      const [claimed] =
        await tx`select attempts_without_progress as attempts from private.claim_task('next', 60)
                                  where id = ${task}`;
      expect(claimed).toEqual({ attempts: 0 });
    });
  });

  test("is undecided in a run that was stopped", async () => {
    await rollBack(sql, async (tx) => {
      await deleteAndUndo(tx, "knowledges", async () => {
        await answer(tx, world.knowledge);
        await tx`update public.agent_test_runs set status = 'stopped', finished_at = clock_timestamp() where id = ${world.agentTestRun}`;
      });
      expect(await verdicts(tx)).toEqual(["failed", "undecided", "failed"]);
      expect(await runOf(tx)).toMatchObject({ status: "stopped" });
    });
  });

  test.each([
    ["whose version does not read that", "otherKnowledge", "knowledges"],
    ["once its agent was deleted and is back", "knowledge", "agents"],
  ] as const)("stays as it is %s", async (_when, read, kind) => {
    await rollBack(sql, async (tx) => {
      await answer(tx, world[read]);
      await deleteAndUndo(tx, kind, async () => {
        await atTime(
          tx,
          () =>
            tx`update public.agent_test_runs set finished_at = clock_timestamp() where id = ${world.agentTestRun}`,
        );
      });
      expect(await verdicts(tx)).toEqual(["failed", "failed", "failed"]);
    });
  });
});

describe("a question of a gap", () => {
  const gapOf = async (tx: TransactionSql) =>
    (
      await tx`select q.again, t.status as task from public.gap_questions q join public.gaps g on g.id = q.gap_id
                 left join public.tasks t on t.id = g.task_id where q.gap_id = ${world.gap}`
    )[0];

  test.each([
    ["succeeded", "queued", "waiting"],
    ["stopped", "stopped", "open"],
  ] as const)(
    "that found no answer meanwhile: its task %s and is %s, and it is %s",
    async (ended, task, again) => {
      await rollBack(sql, async (tx) => {
        await deleteAndUndo(tx, "knowledges", async () => {
          await answer(tx, world.knowledge);
          const id = await beginTask(tx, `gaps:gap:${world.gap}`, "gaps");
          await tx`update public.tasks set status = ${ended}, lease_owner = null, lease_until = null where id = ${id}`;
          await tx`update public.gaps set task_id = ${id} where id = ${world.gap}`;
        });
        expect(await gapOf(tx)).toEqual({ again, task });
      });
    },
  );
});
