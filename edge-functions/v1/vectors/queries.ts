// Owns the SQL of embedding spaces. Row-level security decides who reads and who writes.
import type { Transaction } from "../../_shared/database/db.ts";
import { assignments, contains, numberedPage, withoutUndefined } from "../sql.ts";
import type { Vector, VectorsQuery, VectorUpdate } from "./schema.ts";

const columns = (tx: Transaction) => tx`
  v.id, v.name, v.model, v.dimensions, v.status, v.created_at, v.updated_at`;

export async function listVectors(tx: Transaction, { search, status, page, perPage }: VectorsQuery) {
  const matches = tx`true
    ${search ? tx`and (v.name ilike ${contains(search)} or v.model ilike ${contains(search)})` : tx``}
    ${status ? tx`and v.status = ${status}` : tx``}`;
  return await numberedPage<Vector>(
    tx,
    { columns: columns(tx), from: tx`public.vectors v where ${matches}`, order: tx`lower(v.name), v.id` },
    { page, perPage },
  );
}

export async function readVector(tx: Transaction, id: string): Promise<Vector | undefined> {
  const [row] = await tx<Vector[]>`select ${columns(tx)} from public.vectors v where v.id = ${id}`;
  return row;
}

export async function createVector(tx: Transaction, values: VectorUpdate): Promise<Vector | undefined> {
  const [row] = await tx<{ id: string }[]>`
    insert into public.vectors ${tx(withoutUndefined(values))} returning id`;
  return row && (await readVector(tx, row.id));
}

/** Updates the given fields. Undefined when no row could be changed. */
export async function updateVector(
  tx: Transaction,
  id: string,
  values: VectorUpdate,
): Promise<Vector | undefined> {
  const [row] = await tx<Vector[]>`
    update public.vectors v set ${assignments(tx, values, "name")}
     where v.id = ${id} returning ${columns(tx)}`;
  return row;
}

export async function deleteVector(tx: Transaction, id: string) {
  const [row] = await tx<{ id: string }[]>`delete from public.vectors where id = ${id} returning id`;
  return row;
}
