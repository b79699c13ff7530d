// Two deletions that refer to each other are undone in the order in which they were made: the first waits for the second with what needs it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { rollBack } from "./acting.ts";
import {
  by,
  copyBytes,
  database,
  differences,
  everything,
  furnish,
  type Kind,
  moveBack,
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

const related: [Kind, Kind][] = [
  ["agents", "knowledges"],
  ["agents", "sources"],
  ["agents", "files"],
  ["agent_tests", "sources"],
  ["agent_tests", "files"],
  ["knowledges", "sources"],
  ["knowledges", "files"],
  ["sources", "files"],
];

test.each(
  related.flatMap(
    ([one, other]) =>
      [
        [one, other],
        [other, one],
      ] as [Kind, Kind][],
  ),
)("%s, then %s", async (first, second) => {
  await rollBack(sql, async (tx) => {
    await furnish(tx, "sources");
    await settle(tx);
    const copies = await copyBytes(tx);
    const before = await everything(tx);
    for (const kind of [first, second])
      expect((await by(tx, "owner", () => remove(tx, kind))).until).not.toBeNull();
    for (const kind of [first, second]) await by(tx, "owner", () => restore(tx, kind));
    await settle(tx);
    const after = await everything(tx, before);
    if ([first, second].includes("files")) moveBack(after, copies);
    // A restored source's knowledge bases are re-indexed.
    const lost = differences(before, after).filter((row) => !row.startsWith("public.knowledges "));
    expect(lost).toEqual([]);
    expect(await tx`select 1 from private.deletions`, "nothing is left to restore").toEqual([]);
  });
});

test("what waits is forgotten when it no longer fits, and when nothing is left for which it could wait", async () => {
  await rollBack(sql, async (tx) => {
    const waiting = () => tx`select kind, is_restored from private.deletions order by kind`;
    const links = () =>
      tx`select 1 from public.knowledge_sources where knowledge_id = ${world.knowledge} and source_id = ${world.source}`;
    for (const kind of ["knowledges", "sources"] as const) await by(tx, "owner", () => remove(tx, kind));
    await by(tx, "owner", () => restore(tx, "knowledges"));
    expect(await links()).toEqual([]);
    expect(await waiting()).toEqual([
      { kind: "knowledges", is_restored: true },
      { kind: "sources", is_restored: false },
    ]);
    expect(await by(tx, "owner", () => refusedRestore(tx, "knowledges"))).toBe("PT409");
    // Deleted by another way, it is not restored from what only waits.
    await tx`delete from public.knowledges where id = ${world.knowledge}`;
    expect(await by(tx, "owner", () => refusedRestore(tx, "knowledges"))).toBe("PT404");
    await by(tx, "owner", () => restore(tx, "sources"));
    expect(await tx`select 1 from public.knowledges where id = ${rootOf("knowledges")}`).toEqual([]);
    expect(await links()).toEqual([]);
    expect(await waiting()).toEqual([]);
  });
});

test("a restore that something could wait for reads each copy a few times, however many there are", async () => {
  await rollBack(sql, async (tx) => {
    const read = async () => {
      const [row] = await tx<{ rows: number }[]>`
        select (seq_tup_read + idx_tup_fetch)::int as rows from pg_catalog.pg_stat_xact_all_tables
         where relid = 'private.deleted_rows'::regclass`;
      return row?.rows ?? 0;
    };
    const many = 3_000;
    // As on most days: the planner expects few.
    await tx`analyze private.deleted_rows`;
    await tx`insert into public.table_rows (team_id, knowledge_id, table_id, position, cells, numbers, start_offset, end_offset)
             select ${world.team}, ${world.knowledge}, ${world.table}, n, '{}', '{}', 0, 1 from generate_series(100, ${99 + many}::int) n`;
    for (const kind of ["agents", "sources"] as const) await by(tx, "owner", () => remove(tx, kind));
    const before = await read();
    await by(tx, "owner", () => restore(tx, "sources"));
    const reads = ((await read()) - before) / many;
    expect(reads).toBeGreaterThan(1);
    expect(reads).toBeLessThan(100);
  });
});
