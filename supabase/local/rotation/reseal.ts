// Owns the walk through every encrypted secret of a database: finds the key that decrypts it, and encrypts it again
// with the first key. Does not know where keys come from.
import type { ISql, PendingQuery, Sql } from "postgres";
import { type SealedColumn, sealedColumns } from "../../../edge-functions/_shared/secrets/sealed-columns.ts";
import { Sealing } from "../../../edge-functions/_shared/secrets/sealing.ts";

export type Keys = readonly [string, ...string[]];

export interface Survey {
  /** Encrypted with the first key. */
  current: number;
  /** Encrypted with another of the keys. */
  earlier: number;
  /** Encrypted with none of them, as `table key`. */
  unreadable: string[];
}

const PER_TURN = 100;

/**
 * Counts the secrets by the key that decrypts them.
 * @param sql any login that may switch to service_role.
 */
export function surveySecrets(sql: Sql, keys: Keys): Promise<Survey> {
  return walk(readAsService(sql), sealedColumns, keys, async () => {});
}

/**
 * The same within the caller's transaction.
 * @param tables those of its schema, which may be of an earlier release
 */
export function surveySecretsWithin(sql: ISql, keys: Keys, tables: Set<string>): Promise<Survey> {
  const columns = sealedColumns.filter(({ table }) => tables.has(table));
  return walk(
    (query) => query(sql),
    columns,
    keys,
    async () => {},
  );
}

/**
 * Encrypts with the first key every secret that an earlier key decrypts. Each row is its own transaction, so it can run
 * while users work, and be interrupted.
 * @returns what it found: `earlier` counts those that it has encrypted again
 */
export function resealSecrets(sql: Sql, keys: Keys): Promise<Survey> {
  return walk(readAsService(sql), sealedColumns, keys, async ({ table, column, key }, id, sealed, fresh) => {
    await sql.begin(async (tx) => {
      await tx`set local role service_role`;
      // A secret that was replaced in the meantime uses the first key already.
      await tx`update ${tx(table)} set ${tx(column)} = ${fresh} where ${tx(key)}::text = ${id} and ${tx(column)} = ${sealed}`;
    });
  });
}

interface SealedRow {
  id: string;
  sealed: Uint8Array;
}
type Read = (query: (sql: ISql) => PendingQuery<SealedRow[]>) => Promise<SealedRow[]>;

const readAsService =
  (sql: Sql): Read =>
  (query) =>
    sql.begin(async (tx) => {
      await tx`set local role service_role`;
      return await query(tx);
    });

async function walk(
  read: Read,
  columns: readonly SealedColumn[],
  keys: Keys,
  onEarlier: (column: SealedColumn, id: string, sealed: Uint8Array, fresh: Uint8Array) => Promise<void>,
): Promise<Survey> {
  const sealing = new Sealing(keys);
  const survey: Survey = { current: 0, earlier: 0, unreadable: [] };
  for (const place of columns) {
    for await (const { id, sealed } of rowsOf(read, place)) {
      const context = place.contextOf(id);
      try {
        const { plain, key } = sealing.unsealWith(sealed, context);
        if (key === 0) survey.current += 1;
        else {
          await onEarlier(place, id, sealed, sealing.seal(plain, context));
          survey.earlier += 1;
        }
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        survey.unreadable.push(`${place.table} ${id}`);
      }
    }
  }
  return survey;
}

/** True for an error of the cipher or the format. Any other error, such as a lost connection, ends the walk. */
function isUnreadable(error: unknown): boolean {
  return error instanceof Error && /unable to authenticate|not a sealed secret/i.test(error.message);
}

async function* rowsOf(read: Read, { table, column, key }: SealedColumn): AsyncGenerator<SealedRow> {
  let after: string | null = null;
  for (;;) {
    const rows: SealedRow[] = await read(
      (sql) => sql`
        select ${sql(key)}::text as id, ${sql(column)} as sealed from ${sql(table)}
         where ${sql(column)} is not null and (${after}::text is null or ${sql(key)}::text > ${after}::text)
         order by ${sql(key)}::text limit ${PER_TURN}`,
    );
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PER_TURN) return;
    after = last.id;
  }
}
