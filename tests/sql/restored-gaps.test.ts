// Questions of gaps that wait to be asked again, while the agent or the written answer is deleted and the deletion is undone.
import type { Sql, TransactionSql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimsOf } from "../support/actors.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { actAs, rollBack } from "./acting.ts";
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

type Kind = "agents" | "sources" | "qa_entries";
const rootOf = (kind: Kind) =>
  ({ agents: world.agent, sources: world.qaSource, qa_entries: world.qaEntry })[kind];

const asOwner = (tx: TransactionSql, work: () => Promise<unknown>) =>
  actAs(tx, claimsOf("owner", world), work);

/** Answers the gap, deletes what its task needs, ends the task meanwhile, and undoes the deletion. @returns the gap's task afterwards */
async function deleteAndUndo(tx: TransactionSql, kind: Kind, ended: string, isAsked = false) {
  const [begun] =
    await tx`select private.ask_gap_again(${world.gap}, ${world.qaEntry}, ${world.people.owner}, null) as task`;
  if (isAsked) await tx`update public.gap_questions set again = 'open' where gap_id = ${world.gap}`;
  await asOwner(tx, async () => {
    await tx`select private.keep_deleted(${kind}, ${world.team}, ${rootOf(kind)})`;
    await tx`delete from ${tx(`public.${kind}`)} where id = ${rootOf(kind)}`;
  });
  await tx`update public.tasks set status = ${ended}, started_at = now(), finished_at = now() where id = ${begun?.task}`;
  await asOwner(tx, () => tx`select private.restore_deleted(${kind}, ${world.team}, ${rootOf(kind)})`);
  const [task] = await tx`
    select t.id <> ${begun?.task} as is_new, t.status from public.gaps g
      join public.tasks t on t.id = g.task_id and t.key = 'gaps:gap:' || g.id where g.id = ${world.gap}`;
  return task;
}

// As the step ends that finds no gap, or no document of its answer.
test.each([
  ["agents", "succeeded"],
  ["sources", "failed"],
  ["qa_entries", "failed"],
] as const)("are asked when it was one of the %s, and the task ended without it", async (kind, ended) => {
  await rollBack(sql, async (tx) => {
    expect(await deleteAndUndo(tx, kind, ended)).toEqual({ is_new: true, status: "queued" });
  });
});

test.each([
  ["once somebody stopped that", "stopped", false],
  ["once they were", "succeeded", true],
] as const)("are not asked %s", async (_when, ended, isAsked) => {
  await rollBack(sql, async (tx) => {
    expect(await deleteAndUndo(tx, "agents", ended, isAsked)).toEqual({ is_new: false, status: ended });
  });
});
