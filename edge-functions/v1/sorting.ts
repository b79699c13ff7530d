// Owns how a caller orders a list: the query's `sort`, and the ORDER BY that it stands for. Must not read or write rows.
import { z } from "@hono/zod-openapi";
import type { PendingQuery, Row } from "postgres";
import type { Transaction } from "../_shared/db.ts";

/** `name` rising, `-name` falling. */
export type Sort<Name extends string> = Name | `-${Name}`;

type Sql = PendingQuery<Row[]>;

/** What a list's query takes as `sort`. Every name needs an index that has its order within a team, except where a team has few rows: apps, keys, members. */
export function sortQuery<const Name extends string>(names: readonly Name[]) {
  const orders: Sort<Name>[] = names.flatMap((name): Sort<Name>[] => [name, `-${name}`]);
  return z.enum(orders).optional().openapi({ description: "Falling with a minus before the name." });
}

/**
 * The expressions after ORDER BY. Rows that are equal in the sorted column stay in one order, that of their ids.
 * @param columns SQL of each name; `id` is the last word
 */
export function orderBy<Name extends string>(
  tx: Transaction,
  sort: Sort<Name>,
  columns: Record<Name, Sql> & { id: Sql },
): Sql {
  const falling = sort.startsWith("-");
  const name = (falling ? sort.slice(1) : sort) as Name;
  return falling ? tx`${columns[name]} desc, ${columns.id} desc` : tx`${columns[name]}, ${columns.id}`;
}
