// Restored rows whose place was taken meanwhile by something else of the installation: they are left out, and the rest is restored.
import { randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimsOf } from "../support/actors.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { actAs, rollBack } from "./acting.ts";
import { threadRow } from "./thread-row.ts";
import { makeWorld, type World } from "./world.ts";

let database: TestPostgres;
let sql: Sql;
let world: World;
let other: World;
beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  [world, other] = [await makeWorld(sql), await makeWorld(sql)];
  await sql`delete from private.deletions`;
});
afterAll(() => database.stop());

type Kind = "agents" | "knowledges";
const rootOf = (kind: Kind) => ({ agents: world.agent, knowledges: world.knowledge })[kind];

const asOwner = <T>(tx: TransactionSql, work: () => Promise<T>) => actAs(tx, claimsOf("owner", world), work);
/** Deletes as the API does. */
const remove = (tx: TransactionSql, kind: Kind) =>
  asOwner(tx, async () => {
    await tx`select private.keep_deleted(${kind}, ${world.team}, ${rootOf(kind)})`;
    await tx`delete from ${tx(`public.${kind}`)} where id = ${rootOf(kind)}`;
  });
const restore = (tx: TransactionSql, kind: Kind) =>
  asOwner(tx, () => tx`select private.restore_deleted(${kind}, ${world.team}, ${rootOf(kind)})`.then());

test("an agent is restored without a Slack thread that another team's app has begun anew", async () => {
  await rollBack(sql, async (tx) => {
    const threads = () => tx`select team_id, thread_ts from private.slack_threads
       where workspace_id = ${world.workspace} order by thread_ts`;
    await tx`insert into private.slack_threads ${tx(threadRow(world, "2.1"))}`;
    expect(await threads()).toMatchObject([{ thread_ts: "1.1" }, { thread_ts: "2.1" }]);
    await remove(tx, "agents");
    expect(await threads()).toEqual([]);
    await tx`insert into private.slack_threads ${tx({ ...threadRow(other, "1.1"), workspace_id: world.workspace })}`;
    await restore(tx, "agents");
    expect(await threads()).toEqual([
      { team_id: other.team, thread_ts: "1.1" },
      { team_id: world.team, thread_ts: "2.1" },
    ]);
    expect(await tx`select 1 from public.chats where agent_id = ${world.agent}`).not.toEqual([]);
  });
});

test.each<Kind>(["agents", "knowledges"])(
  "%s: what a team began with is restored behind its new beginning",
  async (kind) => {
    await rollBack(sql, async (tx) => {
      await remove(tx, kind);
      const [knowledge, agent] = [randomUUID(), randomUUID()];
      await tx`insert into public.knowledges (id, team_id, name, vector_id)
             select ${knowledge}, ${world.team}, 'Next', id from public.vectors limit 1`;
      await tx`insert into public.agents (id, team_id, name) values (${agent}, ${world.team}, 'Next')`;
      const begun = { team_id: world.team, agent_id: agent, knowledge_id: knowledge };
      await tx`insert into public.onboardings ${tx(begun)}`;
      await restore(tx, kind);
      expect(await tx`select agent_id from public.onboardings where team_id = ${world.team}`).toEqual([
        { agent_id: agent },
      ]);
    });
  },
);
