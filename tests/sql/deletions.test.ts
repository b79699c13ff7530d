// Deleted rows are in no table that anything reads, and are restored row for row: each kind, with everything attached.
import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Actor, actors, type Claims, holding } from "../support/actors.ts";
import type { Permission } from "../support/permissions.ts";
import { actAs, rollBack } from "./acting.ts";
import {
  allKinds,
  apart,
  by,
  copyBytes,
  database,
  differences,
  everything,
  furnish,
  kinds,
  moveBack,
  readUse,
  refusedRestore,
  remove,
  restore,
  rootOf,
  settle,
  sql,
  startDeletions,
  world,
} from "./deletions-stand.ts";

beforeAll(startDeletions);
afterAll(() => database.stop());

describe.each(allKinds)("%s", (kind) => {
  test("leave every table with everything attached, and are restored row for row", async () => {
    await rollBack(sql, async (tx) => {
      await furnish(tx, kind);
      await settle(tx);
      const copies = await copyBytes(tx);
      const before = await everything(tx);
      const used = await readUse(tx);
      const { until, gone } = await by(tx, "owner", () => remove(tx, kind));
      expect(gone).toBe(1);
      expect(until).toBeInstanceOf(Date);
      const without = await everything(tx, before);
      const left = differences(before, without);
      expect(left.length).toBeGreaterThan(0);
      if (kind === "files" || kind === "sources") expect(await readUse(tx)).toBeLessThan(used);
      expect(JSON.stringify([...without.values()])).not.toContain(`"id": "${rootOf(kind)}"`);
      await by(tx, "owner", () => restore(tx, kind));
      await settle(tx);
      const after = await everything(tx, before);
      // The file's bytes are at new paths.
      if (kind === "files") moveBack(after, copies);
      // A restored source's knowledge bases are re-indexed.
      const expected = kind === "sources" ? left.filter((row) => row.startsWith("public.knowledges ")) : [];
      expect(differences(before, after)).toEqual(expected);
      expect(differences(after, before).length).toBe(expected.length);
      expect(await readUse(tx)).toBe(used);
      await tx`select private.drop_copies(${copies.map(([, copy]) => copy)})`;
      for (const name of apart.slice(0, 5)) expect(await tx`select 1 from ${tx(name)}`, name).toHaveLength(0);
    });
  });

  test("are deleted and restored by those with the permission, and by nobody else", async () => {
    await rollBack(sql, async (tx) => {
      await copyBytes(tx);
      const seeing = kinds[kind].replace("write", "read") as Permission;
      const may = async (work: (point: TransactionSql, actor: Actor) => Promise<boolean>) => {
        const found: Actor[] = [];
        for (const actor of actors) if (await undone(tx, (point) => work(point, actor))) found.push(actor);
        return found;
      };
      const keeping = await may(async (point, actor) => {
        const { until, gone } = await by(point, actor, () => remove(point, kind));
        // Nobody deletes a row that they cannot see, and copying it changes nothing.
        if (until) expect(gone, actor).toBe(holding(seeing).includes(actor) ? 1 : 0);
        return until !== null;
      });
      expect(keeping).toEqual(holding(kinds[kind]).filter((actor) => actor !== "platform admin at work"));
      await by(tx, "owner", () => remove(tx, kind));
      const restoring = await may(async (point, actor) => {
        await by(point, actor, () => restore(point, kind));
        return true;
      });
      expect(restoring).toEqual(holding(kinds[kind]));
    });
  });
});

/** The result of work in a savepoint, then rolled back; undefined when it was refused. */
async function undone<T>(
  tx: TransactionSql,
  work: (point: TransactionSql) => Promise<T>,
): Promise<T | undefined> {
  let answer: T | undefined;
  const over = new Error("over");
  await tx
    .savepoint(async (point) => {
      answer = await work(point);
      throw over;
    })
    .catch((error: Error & { code?: string }) => {
      if (error !== over && error.code !== "PT404" && error.code !== "42501") throw error;
    });
  return answer;
}

test("a restore is refused after five minutes, and expired deletions are purged", async () => {
  await rollBack(sql, async (tx) => {
    await by(tx, "owner", () => remove(tx, "agents"));
    await by(tx, "owner", () => remove(tx, "knowledges"));
    const service: Claims = { role: "service_role" };
    const purge = async (most: number) => {
      const [row] = await actAs(
        tx,
        service,
        () => tx<{ purged: number }[]>`select private.purge_deletions(${most}) as purged`,
      );
      return row?.purged ?? 0;
    };
    const [kept] = await tx<{ rows: number }[]>`
      select count(*)::int as rows from private.deleted_rows r join private.deletions d on d.id = r.deletion_id and d.kind = 'agents'`;
    const rows = kept?.rows ?? 0;
    expect(await purge(1000)).toBe(0);
    await tx`update private.deletions set expires_at = clock_timestamp() where kind = 'agents'`;
    expect(await by(tx, "owner", () => refusedRestore(tx, "agents"))).toBe("PT404");
    expect(rows).toBeGreaterThan(2);
    expect(await purge(2), "no more than asked for").toBe(2);
    // A clock that is set back restores nothing that is purged in part.
    const [stillExpired] =
      await tx`select expires_at::text as until from private.deletions where kind = 'agents'`;
    expect(stillExpired?.until).toBe("-infinity");
    expect(await by(tx, "owner", () => refusedRestore(tx, "agents"))).toBe("PT404");
    expect(await purge(1000), "the rest, and the deletion itself").toBe(rows - 2 + 1);
    expect(await tx`select distinct kind from private.deletions`).toEqual([{ kind: "knowledges" }]);
    expect(
      await tx`select 1 from private.deleted_rows r where not exists (select from private.deletions d where d.id = r.deletion_id)`,
    ).toHaveLength(0);
    await by(tx, "owner", () => restore(tx, "knowledges"));
  });
});

test("nothing is restored twice, in another team, under a deleted parent, or in an occupied place", async () => {
  await rollBack(sql, async (tx) => {
    expect(await by(tx, "owner", () => refusedRestore(tx, "agents"))).toBe("PT409");
    await by(tx, "owner", () => remove(tx, "agents"));
    await by(tx, "owner", () => restore(tx, "agents"));
    expect(await by(tx, "owner", () => refusedRestore(tx, "agents"))).toBe("PT409");
    expect(await by(tx, "owner", () => refusedRestore(tx, "agents", randomUUID()))).toBe("PT404");
    await by(tx, "owner", () => remove(tx, "agent_tests"));
    await by(tx, "owner", () => remove(tx, "agents"));
    expect(await by(tx, "owner", () => refusedRestore(tx, "agent_tests"))).toBe("PT409");
    await by(tx, "owner", () => restore(tx, "agents"));
    await by(tx, "owner", () => restore(tx, "agent_tests"));
    await by(tx, "owner", () => remove(tx, "qa_entries"));
    await tx`insert into public.documents (team_id, source_id, external_id, type, title)
             values (${world.team}, ${world.qaSource}, ${world.qaEntry}, 'qa', 'Another')`;
    expect(await by(tx, "owner", () => refusedRestore(tx, "qa_entries"))).toBe("PT409");
  });
});

test("an agent's app is restored without its connection when its workspace removed Parley meanwhile", async () => {
  const status = async (tx: TransactionSql) =>
    (await tx`select status, workspace_id from public.apps where id = ${world.app}`)[0];
  for (const isRemoved of [false, true])
    await rollBack(sql, async (tx) => {
      await by(tx, "owner", () => remove(tx, "agents"));
      expect(await status(tx)).toBeUndefined();
      const installation =
        await tx`select * from private.slack_installations where workspace_id = ${world.workspace}`;
      expect(installation).toHaveLength(1);
      if (isRemoved)
        await actAs(tx, { role: "service_role" }, async () => {
          await tx`delete from private.slack_installations where workspace_id = ${world.workspace}`;
          // Another team connects it.
          await tx`insert into private.slack_installations ${tx(installation)}`;
        });
      await by(tx, "owner", () => restore(tx, "agents"));
      const expected = isRemoved ? "disconnected" : "connected";
      expect(await status(tx)).toEqual({ status: expected, workspace_id: world.workspace });
    });
});

test("a column that an upgrade adds meanwhile is restored with its default", async () => {
  await rollBack(sql, async (tx) => {
    await by(tx, "owner", () => remove(tx, "agents"));
    await tx`set constraints all immediate`;
    await tx`alter table public.agents add column added int not null default 7`;
    await tx`set constraints all deferred`;
    expect(await by(tx, "owner", () => refusedRestore(tx, "agents"))).toBe(undefined);
    expect(await tx`select added from public.agents where id = ${world.agent}`).toEqual([{ added: 7 }]);
  });
});

test("a source is restored without a knowledge base or a file deleted meanwhile", async () => {
  await rollBack(sql, async (tx) => {
    await tx`update public.sources set config = ${tx.json({ fileIds: [world.file] })} where id = ${world.source}`;
    await tx`update public.documents set external_id = ${world.file} where id = ${world.document}`;
    await by(tx, "owner", () => remove(tx, "sources"));
    await tx`delete from public.knowledges where id = ${world.knowledge}`;
    await tx`delete from public.files where id = ${world.file}`;
    await by(tx, "owner", () => restore(tx, "sources"));
    expect(await tx`select config from public.sources where id = ${world.source}`).toEqual([
      { config: { fileIds: [] } },
    ]);
    expect(await tx`select id from public.documents where source_id = ${world.source}`).toEqual([
      { id: world.otherDocument },
    ]);
    for (const table of [
      "knowledge_sources",
      "chunks",
      "chunk_words",
      "chunk_embeddings",
      "document_tables",
      "table_rows",
    ])
      expect(
        await tx`select 1 from ${tx(`public.${table}`)} where knowledge_id = ${world.knowledge}`,
        table,
      ).toHaveLength(0);
  });
});

test("more than 20,000 rows, or a platform admin's deletion, cannot be undone", async () => {
  await rollBack(sql, async (tx) => {
    await tx`insert into public.table_rows (team_id, knowledge_id, table_id, position, cells, numbers, start_offset, end_offset)
             select ${world.team}, ${world.knowledge}, ${world.table}, n, '{}', '{}', 0, 1 from generate_series(100, 20100) n`;
    expect(await by(tx, "owner", () => remove(tx, "sources"))).toEqual({ until: null, gone: 1 });
    expect(await by(tx, "platform admin at work", () => remove(tx, "agents"))).toEqual({
      until: null,
      gone: 1,
    });
    expect(await tx`select 1 from private.deletions`).toHaveLength(0);
    expect(await tx`select 1 from private.deleted_rows`).toHaveLength(0);
  });
});

test("no role reads or writes deleted rows", async () => {
  const roles = ["anon", "authenticated", "service_role"];
  const rights = await sql`
    select r.name, t.name as table from unnest(${roles}::text[]) as r (name), unnest(${apart.slice(0, 5)}::text[]) as t (name)
     where has_table_privilege(r.name, t.name, 'select, insert, update, delete') or has_any_column_privilege(r.name, t.name, 'select')`;
  expect(rights).toEqual([]);
});

test("every insert trigger lets restored rows pass", async () => {
  // The trigger of versions skips one equal to the live version, and some triggers are for restored rows only. Restored rows count in the
  // team's storage as new ones do.
  const triggers = await sql`
    select distinct t.tgrelid::regclass::text || ' ' || t.tgname as name
      from unnest(${allKinds}::text[]) kind cross join lateral private.deletion_tables(kind) d
      join pg_trigger t on t.tgrelid = d.relation and not t.tgisinternal and t.tgtype & 4 > 0 and t.tgname <> 'version_agent'
       and t.tgfoid::regproc::text not in ('private.count_versions', 'private.count_table_bytes', 'private.count_document_bytes',
                                         'private.count_indexes', 'private.follow_slack_threads', 'private.count_agent_versions', 'private.count_row_bytes')
     where pg_get_triggerdef(t.oid) !~ 'private.is_restoring\\(\\)'`;
  expect(triggers).toEqual([]);
});

test("typed copies have their tables' columns", async () => {
  for (const name of ["chunk_words", "chunk_embeddings"]) {
    const columns = (relation: string) => sql`
      select attname::text, format_type(atttypid, atttypmod) as type, attnotnull from pg_attribute
       where attrelid = ${relation}::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname <> 'deletion_id'
       order by attname`;
    expect(await columns(`private.deleted_${name}`)).toEqual(await columns(`public.${name}`));
  }
});
