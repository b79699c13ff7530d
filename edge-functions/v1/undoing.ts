// Owns that a deletion can be taken back for a few minutes: the answer of the DELETE says until when, and a POST to `…/restore` puts
// everything back. Which rows those are is Postgres's to know (sql/84_deletions.sql).
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Transaction } from "../_shared/database/db.ts";
import { changeInTeam, workInTeam } from "./in-team.ts";
import { type AppEnv, found } from "./router.ts";

/** A row that is deleted or restored. @see private.deleting_permission() */
interface Undoable {
  kind: "agents" | "knowledges" | "sources" | "qa_entries" | "agent_tests" | "files";
  id: string;
}
type InTeam<T> = (tx: Transaction, team: string) => Promise<T>;

export const UNDO_HEADER = "Undo-Until";

/** What the call that deletes answers. */
export const deletedResponse = {
  204: {
    description: "Deleted",
    headers: z.object({
      [UNDO_HEADER]: z.iso.datetime().optional().openapi({
        description:
          "Until when a POST to `/restore` below this address puts everything back. Absent where it cannot: more than 20,000 rows go along, or a platform admin deletes.",
      }),
    }),
  },
};

/** What every call that restores says of itself. */
export const restoring = {
  description:
    "Puts back what a DELETE took, with all that went along. Until the time that the DELETE answered in `Undo-Until`; NOT_FOUND after that, CONFLICT where it is there again or something that it needs is gone.",
};

/**
 * Deletes a row, and lets it be restored where that is possible.
 * @param remove undefined where there is no such row for the caller
 * @returns what `remove` returned
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
 * Takes a deletion back. @returns the resource
 * @throws ApiError NOT_FOUND, CONFLICT, and as workInTeam()
 */
export async function restoreInTeam<T>(
  c: Context<AppEnv>,
  { kind, id }: Undoable,
  read: InTeam<T | undefined>,
): Promise<T> {
  return await workInTeam(c, async (tx, team) => {
    await tx`select private.restore_deleted(${kind}, ${team}, ${id})`;
    return found(await read(tx, team));
  });
}
