// Restored rows whose place was taken meanwhile by something else of the installation: they are left out, and the rest is restored.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rollBack } from "./acting.ts";
import { by, copyBytes, database, remove, restore, sql, startDeletions, world } from "./deletions-stand.ts";
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

test("a file is restored without its place in a source that is full by then", async () => {
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
  });
});
