// Owns the comparison of a database's rows before and after an upgrade. Intended changes and removals by migrations are listed here with
// their reasons.
import type { Sql } from "postgres";
import { isPlainText } from "../../edge-functions/_shared/text/plain-text.ts";
import { readRowsByKey, readTables, type Table } from "./releases.ts";

type Row = Record<string, unknown>;

/** Every row of every table before the upgrade. */
export type Snapshot = { table: Table; rows: Map<string, Row> }[];

/** A path that 1.0.0 accepted through PostgREST and that no object of a team can have. */
const isStray = ({ path }: Row) => !/^teams\/[0-9a-f-]{36}\/[0-9a-f-]{36}$/.test(String(path));

/** A name that 1.0.0 accepted through PostgREST and that no list can show. */
const isUnreadable = ({ name }: Row) => !isPlainText(String(name));
/** Settings that no connector could read. */
const isNoConfig = ({ type, config }: Row) =>
  type === "jira" && JSON.stringify(config).includes("not a list");

const isOfFile = ({ type, content }: Row) => type === "file" && content !== null;

/** A system role that lost none of its permissions. */
const isGrown = ({ team_id, permissions }: Row, now: Row) =>
  team_id === null && (permissions as string[]).every((one) => (now.permissions as string[]).includes(one));

const isUncounted = ({ documents_count }: Row) => documents_count === 0;

/** Intended changes to existing rows: which rows, and why. */
const changedOnPurpose: Record<string, { where(old: Row, now: Row): boolean; why: string }> = {
  "public.team_users.user_id": {
    where: (old) => old.status !== "accepted",
    why: "an invitation is to an address, and names no account before it is accepted",
  },
  "public.files.path": { where: isStray, why: "a row made past the product gets a path of its own" },
  "public.files.updated_at": {
    where: (old) => isStray(old) || isUnreadable(old),
    why: "that is a change",
  },
  "public.files.name": { where: isUnreadable, why: "control characters become spaces" },
  "public.documents.content_hash": {
    where: isOfFile,
    why: "files are read again for the cells of their tables",
  },
  "public.documents.updated_at": { where: isOfFile, why: "that is a change" },
  "public.agents.name": { where: isUnreadable, why: "control and hidden characters go" },
  "public.agents.updated_at": { where: isUnreadable, why: "that is a change" },
  "public.roles.permissions": { where: isGrown, why: "system roles get new permissions" },
  "public.roles.updated_at": { where: isGrown, why: "that is a change" },
  "public.sources.documents_count": {
    where: isUncounted,
    why: "documents added since the last sync are counted",
  },
  "public.sources.updated_at": { where: isUncounted, why: "that is a change" },
  "public.sources.config": { where: isNoConfig, why: "settings that no connector reads go" },
};

/** Rows that a migration deletes on purpose. */
const removedOnPurpose: Record<string, { where(old: Row): boolean; why: string }> = {
  "private.unwanted_objects": {
    where: isStray,
    why: "such a note would have storage remove what was never the team's",
  },
};

/** Columns that a migration replaces, checked by a test of releases. */
const replaced: Record<string, string> = {
  "public.chunks.lexemes": "a search by words reads public.chunk_words, made of them",
};

export async function takeSnapshot(sql: Sql): Promise<Snapshot> {
  const snapshot: Snapshot = [];
  for (const table of await readTables(sql)) snapshot.push({ table, rows: await readRowsByKey(sql, table) });
  return snapshot;
}

/** Deleted rows and changed values, one sentence each, without the intended ones. */
export async function findLosses(sql: Sql, before: Snapshot): Promise<string[]> {
  const losses: string[] = [];
  for (const { table, rows } of before) {
    const columns = table.columns.filter((column) => !replaced[`${table.name}.${column}`]);
    const now = await readRowsByKey(sql, { ...table, columns });
    for (const [key, old] of rows) {
      const row = now.get(key);
      if (!row) {
        if (!removedOnPurpose[table.name]?.where(old)) losses.push(`${table.name} ${key} is gone`);
        continue;
      }
      for (const column of columns) {
        const [was, is] = [JSON.stringify(old[column]), JSON.stringify(row[column])];
        if (was === is || changedOnPurpose[`${table.name}.${column}`]?.where(old, row)) continue;
        losses.push(`${table.name}.${column} of ${key}: ${was} → ${is}`);
      }
    }
  }
  return losses;
}
