// Reads a schema from the catalogs: every difference between two databases that a user could notice.
import type { Sql } from "postgres";

/** One sorted list of lines per kind of object; a line names one object and describes it in full. */
export type Catalog = Record<keyof typeof queries, string[]>;

const acl = (column: string) =>
  `(select coalesce(string_agg(a::text, ' ' order by a::text), '') from unnest(${column}) a)`;
const ours = "n.nspname in ('public', 'private')";
/** Our own, or attached to Supabase's tables by us. */
const oursOrHung = "n.nspname in ('public', 'private', 'auth', 'storage')";

const queries = {
  schemas: `
    select concat_ws(' | ', n.nspname, ${acl("n.nspacl")},
             (select string_agg(concat_ws(' ', d.defaclobjtype, ${acl("d.defaclacl")}), ', ' order by d.defaclobjtype)
                from pg_catalog.pg_default_acl d where d.defaclnamespace = n.oid))
      from pg_catalog.pg_namespace n where ${ours} or n.nspname = 'extensions'`,
  extensions: `
    select concat_ws(' | ', e.extname, e.extversion, n.nspname)
      from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace`,
  relations: `
    select concat_ws(' | ', c.oid::regclass, c.relkind, c.relpersistence, pg_get_userbyid(c.relowner), ${acl("c.relacl")},
             'rls ' || c.relrowsecurity, 'forced ' || c.relforcerowsecurity, c.reloptions::text,
             case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end, obj_description(c.oid, 'pg_class'))
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where ${ours} and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')`,
  columns: `
    select concat_ws(' | ', c.oid::regclass || '.' || a.attname, format_type(a.atttypid, a.atttypmod),
             'not null ' || a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attidentity, a.attgenerated,
             ${acl("a.attacl")}, a.attcollation::regcollation::text, col_description(c.oid, a.attnum))
      from pg_catalog.pg_attribute a
      join pg_catalog.pg_class c on c.oid = a.attrelid
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      left join pg_catalog.pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where ${ours} and c.relkind in ('r', 'p', 'v', 'm', 'f') and a.attnum > 0 and not a.attisdropped`,
  sequences: `
    select concat_ws(' | ', s.seqrelid::regclass, s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmin, s.seqmax,
             s.seqcache, s.seqcycle)
      from pg_catalog.pg_sequence s
      join pg_catalog.pg_class c on c.oid = s.seqrelid
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace where ${ours}`,
  constraints: `
    select concat_ws(' | ', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid), 'valid ' || k.convalidated)
      from pg_catalog.pg_constraint k join pg_catalog.pg_namespace n on n.oid = k.connamespace where ${ours}`,
  indexes: `
    select concat_ws(' | ', pg_get_indexdef(i.indexrelid), 'valid ' || i.indisvalid)
      from pg_catalog.pg_index i
      join pg_catalog.pg_class c on c.oid = i.indrelid
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace where ${ours}`,
  policies: `
    select concat_ws(' | ', p.schemaname, p.tablename, p.policyname, p.permissive, p.roles::text, p.cmd,
             'using ' || p.qual, 'check ' || p.with_check)
      from pg_catalog.pg_policies p join pg_catalog.pg_namespace n on n.nspname = p.schemaname where ${oursOrHung}`,
  functions: `
    select concat_ws(' | ', pg_get_functiondef(p.oid), pg_get_userbyid(p.proowner), ${acl("p.proacl")},
             obj_description(p.oid, 'pg_proc'))
      from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where ${ours} and p.prokind <> 'a'`,
  triggers: `
    select concat_ws(' | ', pg_get_triggerdef(t.oid), t.tgenabled)
      from pg_catalog.pg_trigger t
      join pg_catalog.pg_class c on c.oid = t.tgrelid
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where ${oursOrHung} and not t.tgisinternal`,
  types: `
    select concat_ws(' | ', t.oid::regtype, t.typtype, ${acl("t.typacl")}, format_type(t.typbasetype, t.typtypmod),
             (select string_agg(e.enumlabel, ', ' order by e.enumsortorder)
                from pg_catalog.pg_enum e where e.enumtypid = t.oid))
      from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace
     where ${ours} and t.typtype in ('e', 'd', 'r', 'm')`,
} as const;

/** Reads the catalogs of schemas public and private, and our additions to auth and storage. */
export async function readCatalog(sql: Sql): Promise<Catalog> {
  const entries: [string, string[]][] = [];
  for (const [kind, query] of Object.entries(queries)) {
    const rows = await sql.unsafe(query).values();
    entries.push([kind, rows.map(([line]) => String(line)).sort()]);
  }
  // The kinds are those of `queries`, each once.
  return Object.fromEntries(entries) as Catalog;
}

/** All rows of all tables of public and private, without creation times. */
export async function readRows(sql: Sql): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'private') and c.relkind in ('r', 'p') order by 1`;
  const lines: string[] = [];
  for (const { name } of tables) {
    const rows = await sql.unsafe(`select to_jsonb(t) - 'created_at' - 'updated_at' as row from ${name} t`);
    lines.push(...rows.map((one) => `${name} ${JSON.stringify(sortPermissions(one.row))}`));
  }
  return lines.sort();
}

/** The order of a role's permissions has no meaning. */
function sortPermissions<T extends { permissions?: string[] }>(row: T): T {
  return row.permissions ? { ...row, permissions: row.permissions.toSorted() } : row;
}
