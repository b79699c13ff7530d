// Owns sorting of lists: the query's `sort`, and its ORDER BY. Must not read or write rows.
import { z } from "@hono/zod-openapi";
import type { Transaction } from "../_shared/database/db.ts";
import type { Place } from "./cursors.ts";
import type { Sql } from "./sql.ts";

/** `name` ascending, `-name` descending. */
export type Sort<Name extends string> = Name | `-${Name}`;

/**
 * The `sort` parameter of a list. Every name needs an index with its order within a team, except where a team has few rows: apps, keys,
 * members.
 */
export function sortQuery<const Name extends string>(names: readonly Name[]) {
  const orders: Sort<Name>[] = names.flatMap((name): Sort<Name>[] => [name, `-${name}`]);
  return z.enum(orders).optional().openapi({ description: "Descending with a minus before the name." });
}

type Columns<Name extends string> = Record<Name, Sql> & { id: Sql };

const isDescending = (sort: string) => sort.startsWith("-");

/** The SQL expression that a list is sorted by. */
export function sortExpression<Name extends string>(columns: Columns<Name>, sort: Sort<Name>): Sql {
  return columns[(isDescending(sort) ? sort.slice(1) : sort) as Name];
}

/**
 * The expressions after ORDER BY. Ties are ordered by id.
 * @param columns SQL of each name; `id` breaks ties
 */
export function orderBy<Name extends string>(tx: Transaction, sort: Sort<Name>, columns: Columns<Name>): Sql {
  const column = sortExpression(columns, sort);
  return isDescending(sort) ? tx`${column} desc, ${columns.id} desc` : tx`${column}, ${columns.id}`;
}

/** The condition for the rows after a place in the same order. */
export function after<Name extends string>(
  tx: Transaction,
  sort: Sort<Name>,
  columns: Columns<Name>,
  { value, id }: Place,
): Sql {
  const place = tx`(${sortExpression(columns, sort)}, ${columns.id})`;
  return isDescending(sort) ? tx`${place} < (${value}, ${id})` : tx`${place} > (${value}, ${id})`;
}
