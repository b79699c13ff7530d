// Writes every hostile value to one column, as a caller, and rolls each try back. One round trip for a column and a command.
import type { Sql } from "postgres";
import type { Claims } from "../support/actors.ts";
import { allHostile } from "../support/hostile-values.ts";

/** Installs `hostile.tries`, and the values beside it. */
export async function installTries(sql: Sql): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_catalog.pg_class c
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'team_id' and not a.attisdropped
     where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and c.relkind = 'r'`;
  const triggers = tables.map(
    ({ name }) => `
    create trigger hostile_harm after insert or update or delete on ${name} for each row execute function hostile.note_harm();
    -- Also where a function turns triggers off.
    alter table ${name} enable always trigger hostile_harm;`,
  );
  await sql.unsafe(`
    create schema hostile;
    create table hostile.inputs (at int primary key, json text not null);

    -- Notes any write to a row of another team: to compare all its rows after each try takes most of the time of a try.
    create function hostile.note_harm() returns trigger language plpgsql as $$
      begin
        if current_setting('hostile.team', true) in (old.team_id::text, new.team_id::text) then
          perform set_config('hostile.harmed', 'yes', true);
        end if;
        return null;
      end
    $$;
    ${triggers.join("")}

    -- code: the refusal; 'silent' where row-level security passed over the row; null where the value was kept.
    -- harmed: whether anything of the other team was written.
    create function hostile.tries(
      claims json, statement text, base jsonb, column_name text, shape text, foreign_team uuid, foreign_json text,
      chosen int[])
    returns table (at int, code text, harmed boolean) language plpgsql as $$
    declare
      input record;
      count bigint;
    begin
      perform set_config('hostile.team', foreign_team::text, true);
      for input in
        select i.at, i.json from hostile.inputs i where i.at = any(chosen)
        union all select -1, foreign_json where foreign_json is not null order by 1
      loop
        at := input.at; code := null; harmed := false;
        begin
          perform set_config('role', claims ->> 'role', true), set_config('request.jwt.claims', claims::text, true),
                  set_config('request.jwt.claim.sub', coalesce(claims ->> 'sub', ''), true);
          execute statement using base || (format('{%s:' || shape || '}', to_json(column_name), input.json))::jsonb;
          get diagnostics count = row_count;
          perform set_config('role', 'none', true);
          harmed := current_setting('hostile.harmed', true) is not distinct from 'yes';
          raise exception using errcode = 'TAKEB';
        exception
          when sqlstate 'TAKEB' then code := case when count = 0 then 'silent' end;
          when others then code := sqlstate;
        end;
        return next;
      end loop;
    end
    $$;
  `);
  for (const [at, { json }] of allHostile.entries())
    await sql`insert into hostile.inputs values (${at}, ${json})`;
}

export interface Try {
  /** Index into allHostile; -1: another team's value. */
  at: number;
  code: string | null;
  harmed: boolean;
}

export interface Target {
  claims: Claims;
  /** With its schema. */
  table: string;
  column: string;
  /** Where the hostile value goes within the column's value, in format()'s syntax: "%s", "[%s]", '{"site":%s}'. */
  shape: string;
  /** For an insert: the rest of the row. For an update: a condition on `t`. */
  row: { insert: Record<string, unknown> } | { update: string };
  foreignTeam: string;
  /** JSON that refers to the other team, where the column can. */
  foreignJson: string | null;
}

/** @param chosen the values to try, as indices into allHostile; all of them by default */
export async function tryAll(sql: Sql, target: Target, chosen = [...allHostile.keys()]): Promise<Try[]> {
  const { claims, table, column, shape, row, foreignTeam, foreignJson } = target;
  const base = "insert" in row ? row.insert : {};
  const names = [...new Set([...Object.keys(base), column])].join(", ");
  const record = `jsonb_populate_record(null::${table}, $1) r`;
  const statement =
    "insert" in row
      ? `insert into ${table} (${names}) select ${names} from ${record}`
      : `update ${table} t set ${column} = r.${column} from ${record} where ${row.update}`;
  return await sql.unsafe<Try[]>(
    "select * from hostile.tries($1::text::json, $2, $3::text::jsonb, $4, $5, $6::text::uuid, $7, $8::int[])",
    [
      JSON.stringify(claims),
      statement,
      JSON.stringify(base),
      column,
      shape,
      foreignTeam,
      foreignJson,
      chosen,
    ],
  );
}
