// Owns undoing a deletion within a few minutes: the DELETE's response contains the deadline, and a POST to `…/restore` restores everything.
// Postgres finds the rows that belong to it (sql/84_deletions.sql).
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Transaction } from "../_shared/database/db.ts";
import { changeInTeam, workInTeam } from "./in-team.ts";
import { type AppEnv, requireRow } from "./router.ts";

/** A row that is deleted or restored. @see private.deleting_permission() */
interface Undoable {
  kind: "agents" | "knowledges" | "sources" | "qa_entries" | "agent_tests" | "files";
  id: string;
}
type InTeam<T> = (tx: Transaction, team: string) => Promise<T>;

export const UNDO_HEADER = "Undo-Until";

export const LEFT_OUT_HEADER = "Undo-Left-Out";

/** The response of a DELETE that can be undone. */
export const deletedResponse = {
  204: {
    description: "Deleted",
    headers: z.object({
      [UNDO_HEADER]: z.iso
        .datetime()
        .optional()
        .openapi({
          description:
            "Until when a POST to `/restore` below this path undoes the deletion. Absent if it cannot be undone: a source has more " +
            "than 5,000 passages, more than 20,000 other rows are affected, or a platform admin deletes.",
        }),
    }),
  },
};

/** Description of every restore endpoint. */
export const restoring = {
  description:
    "Undoes a DELETE and restores everything it deleted. Possible until the time in the `Undo-Until` header of the DELETE's " +
    "response; NOT_FOUND after that, CONFLICT if the resource exists again or something that it needs was deleted. Limits hold: what " +
    "would exceed one by then is refused with CONFLICT, or STORAGE_REACHED, and can be restored once there is room. A source that " +
    "lists 5,000 files by then stays without a restored one, a knowledge base that has 200 sources, and an agent that has 50 knowledge " +
    "bases: the header `Undo-Left-Out` counts these.",
};

/**
 * Deletes a row, and keeps it restorable if possible.
 * @param remove returns undefined if the caller has no such row
 * @returns the result of `remove`
 * @throws ApiError as changeInTeam()
 */
export async function removeInTeam<T extends object>(
  c: Context<AppEnv>,
  { kind, id }: Undoable,
  { remove, read }: { remove: InTeam<T | undefined>; read: InTeam<unknown> },
): Promise<T> {
  const { removed, until } = await changeInTeam(c, {
    change: async (tx, team) => {
      const [kept] = await tx<{ until: string | null }[]>`
        select private.keep_deleted(${kind}, ${team}, ${id}) as until`;
      const removed = await remove(tx, team);
      return removed && { removed, until: kept?.until ?? null };
    },
    read,
  });
  if (until) c.header(UNDO_HEADER, until);
  return removed;
}

/**
 * Undoes a deletion, and tells in a header how many links were left out. @returns the resource
 * @throws ApiError NOT_FOUND, CONFLICT, and as workInTeam()
 */
export async function restoreInTeam<T>(
  c: Context<AppEnv>,
  { kind, id }: Undoable,
  read: InTeam<T | undefined>,
): Promise<T> {
  return await workInTeam(c, async (tx, team) => {
    const [row] = await tx<{ leftOut: string }[]>`
      select current_setting('parley.left_out', true) as left_out from private.restore_deleted(${kind}, ${team}, ${id})`;
    if (Number(row?.leftOut) > 0) c.header(LEFT_OUT_HEADER, row?.leftOut);
    return requireRow(await read(tx, team));
  });
}
