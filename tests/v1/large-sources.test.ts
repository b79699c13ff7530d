// Sources with more passages than one transaction removes, through the API and the running worker.
import { expect, test } from "vitest";
import { newTeam, owner } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { makeManyRows } from "../support/many-rows.ts";

test("a source with very many passages is not searched once it is cleared or unlinked, and loses them soon", async () => {
  const sql = await owner();
  const team = await newTeam();
  const ways = {
    cleared: (source: string) => team.owner.delete(`${team.path}/sources/${source}/indexes`),
    unlinked: (_source: string, knowledge: string) =>
      team.owner.put(`${team.path}/knowledges/${knowledge}`, { sourceIds: [] }),
  };
  const many = { team: team.id, person: team.owner.id, many: 1200 };
  const kept = await makeManyRows(sql, { ...many, many: 20 });
  for (const [way, leave] of Object.entries(ways)) {
    const { knowledge, source } = await makeManyRows(sql, many);
    const find = async () =>
      (await team.owner.get(`${team.path}/knowledges/${knowledge}/records?query=zebra`)).body.data;
    expect((await find()).length, way).toBeGreaterThan(0);
    expect((await leave(source, knowledge)).status, way).toBeLessThan(300);
    expect(await find(), way).toEqual([]);
    expect((await team.owner.get(`${team.path}/knowledges/${knowledge}`)).body, way).toMatchObject({
      documentsCount: 0,
      chunksCount: 0,
    });
    await eventually(async () => {
      expect(await sql`select 1 from public.chunks where source_id = ${source}`, way).toHaveLength(0);
      expect(await sql`select 1 from private.clearings where source_id = ${source}`, way).toHaveLength(0);
    });
    if (way === "cleared")
      expect(
        await sql`select distinct status, chunks_count from public.documents where source_id = ${source}`,
      ).toEqual([{ status: "none", chunks_count: 0 }]);
  }
  expect(await sql`select 1 from public.chunks where source_id = ${kept.source}`).toHaveLength(20);
});
