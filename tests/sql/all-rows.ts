// The rows of every table of Parley, for tests of what a deletion leaves.
import type { TransactionSql } from "postgres";

async function tableNames(tx: TransactionSql): Promise<string[]> {
  const found = await tx<{ name: string }[]>`
    select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'private') order by 1`;
  return found.map(({ name }) => name);
}

/** The number of all rows. */
export async function countRows(tx: TransactionSql): Promise<number> {
  const counts = (await tableNames(tx))
    .map((name) => `select count(*) as n from ${name}`)
    .join(" union all ");
  const [row] = await tx.unsafe<{ n: number }[]>(`select sum(n)::int as n from (${counts}) c`);
  return row?.n ?? 0;
}

/** The tables with a row that has the id in any column. */
export async function mentions(tx: TransactionSql, id: string): Promise<string[]> {
  const queries = (await tableNames(tx)).map(
    (name) =>
      `select '${name}' as name where exists (select from ${name} t where to_jsonb(t)::text like '%${id}%')`,
  );
  const rows = await tx.unsafe<{ name: string }[]>(queries.join(" union all "));
  return rows.map(({ name }) => name);
}
