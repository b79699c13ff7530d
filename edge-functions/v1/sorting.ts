// Owns how a caller orders a list: the query's `sort`, and the ORDER BY that it stands for. Must not read or write rows.
import { Buffer } from "node:buffer";
import { z } from "@hono/zod-openapi";
import type { PendingQuery, Row } from "postgres";
import type { Transaction } from "../_shared/db.ts";
import { ApiError } from "../_shared/errors.ts";

/** `name` rising, `-name` falling. */
export type Sort<Name extends string> = Name | `-${Name}`;

type Sql = PendingQuery<Row[]>;

/** What a list's query takes as `sort`. Every name needs an index that has its order within a team, except where a team has few rows: apps, keys, members. */
export function sortQuery<const Name extends string>(names: readonly Name[]) {
  const orders: Sort<Name>[] = names.flatMap((name): Sort<Name>[] => [name, `-${name}`]);
  return z.enum(orders).optional().openapi({ description: "Falling with a minus before the name." });
}

type Columns<Name extends string> = Record<Name, Sql> & { id: Sql };

const isFalling = (sort: string) => sort.startsWith("-");

/** The SQL of what a list is sorted by. */
export function sortedBy<Name extends string>(columns: Columns<Name>, sort: Sort<Name>): Sql {
  return columns[(isFalling(sort) ? sort.slice(1) : sort) as Name];
}

/**
 * The expressions after ORDER BY. Rows that are equal in the sorted column stay in one order, that of their ids.
 * @param columns SQL of each name; `id` is the last word
 */
export function orderBy<Name extends string>(tx: Transaction, sort: Sort<Name>, columns: Columns<Name>): Sql {
  const column = sortedBy(columns, sort);
  return isFalling(sort) ? tx`${column} desc, ${columns.id} desc` : tx`${column}, ${columns.id}`;
}

/** Where a page of a sorted list by cursor ended: the sorted column's text, and the row's id. */
type Place = [value: string, id: string];

/** The condition for what follows a place in the same order. */
export function after<Name extends string>(
  tx: Transaction,
  sort: Sort<Name>,
  columns: Columns<Name>,
  [value, id]: Place,
): Sql {
  const place = tx`(${sortedBy(columns, sort)}, ${columns.id})`;
  return isFalling(sort) ? tx`${place} < (${value}, ${id})` : tx`${place} > (${value}, ${id})`;
}

/** The place in a key. @throws ApiError VALIDATION_FAILED when the key is none of ours */
export function placeInKey(key: string): Place {
  try {
    const parsed = z
      .tuple([z.string(), z.uuid()])
      .safeParse(JSON.parse(Buffer.from(key, "base64url").toString()));
    if (parsed.success) return parsed.data;
  } catch {
    // Not JSON: refused below, as any other key that is not ours.
  }
  throw new ApiError("VALIDATION_FAILED", undefined, {
    details: [{ path: "lastKey", message: "This is not a key that a list has given." }],
  });
}

/** One page of a sorted list by cursor, from perPage + 1 rows that say their place in the order. */
export function sortedPage<T extends { id: string; place: string }>(rows: T[], perPage: number) {
  const last = rows.length > perPage ? rows[perPage - 1] : undefined;
  const lastKey = last && Buffer.from(JSON.stringify([last.place, last.id])).toString("base64url");
  const data = rows.slice(0, perPage).map(({ place: _, ...row }) => row);
  return { data, lastKey: lastKey ?? null };
}
