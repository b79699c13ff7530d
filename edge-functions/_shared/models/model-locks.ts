// Owns the locks that order a change of a team's models and what is stored for the models of before: a move of its knowledge bases into
// another embedding space, a file whose pictures no model read. Must not write a connection.
import type { Transaction } from "../database/db.ts";
import { env } from "../env.ts";
import { chooseModels, type StoredModels } from "./model-connections.ts";

/** Serializes changes of the connections of a team; null: of the installation. */
export const lockModels = (tx: Transaction, scope: string | null) =>
  tx`select pg_advisory_xact_lock(${keyOf(tx, scope)})`;

/** The models that a team uses. Nobody changes them before the transaction ends. */
export async function holdModels(tx: Transaction, teamId: string) {
  for (const scope of [null, teamId]) await tx`select pg_advisory_xact_lock_shared(${keyOf(tx, scope)})`;
  const [row] = await tx<{ models: StoredModels }[]>`select private.models_of(${teamId}) as models`;
  return chooseModels(row?.models ?? { connections: [] }, env());
}

const keyOf = (tx: Transaction, scope: string | null) =>
  tx`hashtextextended(${`models:${scope ?? "installation"}`}, 0)`;
