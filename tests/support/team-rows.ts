// Owns a snapshot of a team as one text: nobody else's call may change it.
import { owner } from "./api.ts";

/** Every row of a team and of its owner. */
export async function rowsOf(team: { id: string; owner: { id: string } }): Promise<string> {
  const sql = await owner();
  // Without an order they come as the catalog has them, and a vacuum moves its rows.
  const tables = await sql<{ name: string }[]>`
    select table_name::text as name from information_schema.columns
     where table_schema = 'public' and column_name = 'team_id' order by 1`;
  const lines: string[] = [];
  for (const { name } of tables) {
    const rows = await sql`
      select to_jsonb(t)::text as row from ${sql(`public.${name}`)} t where t.team_id = ${team.id} order by 1`;
    lines.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  const people = await sql`select to_jsonb(u)::text as row from public.users u where u.id = ${team.owner.id}`;
  return [...lines, ...people.map(({ row }) => String(row))].join("\n");
}
