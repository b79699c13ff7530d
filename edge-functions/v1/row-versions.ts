// Owns optimistic concurrency: rejects a change to a row that was changed since its writer read it. Each resource defines its version in
// the SQL of `version`.
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Transaction } from "../_shared/database/db.ts";
import { ApiError } from "../_shared/requests/errors.ts";
import { refusal } from "../_shared/requests/refusals.ts";
import type { AppEnv } from "./router.ts";
import type { Sql } from "./sql.ts";

/** The field of a resource that is changed with If-Match. */
export const rowVersion = z.string().openapi({
  example: "9a0364b9e99bb480dd25e1f0284c8555",
  description:
    "Changes whenever a field that a client may set changes. Send it as If-Match with PUT to reject the change if the row has another version.",
});

/** The value of If-Match, a `version` or an `updatedAt`, without its quotes; undefined if there is none, or "*". */
export function versionIn(c: Context<AppEnv>): string | undefined {
  const named = c.req.header("If-Match")?.trim();
  if (!named || named === "*") return undefined;
  return named.replace(/^(?:W\/)?"(.*)"$/, "$1");
}

/**
 * Locks a row until the end of the transaction if it still has the version that the caller read. Ignores a row that the caller may not
 * change: the update that follows then fails for that reason.
 * @param row `from` is the table with a condition for the row, `version` the SQL of its version
 * @param read the current resource, for the response to a rejected change
 * @param asked a `version`, or an `updatedAt`, which also changes when the row is indexed; undefined: any
 * @throws ApiError CHANGED_MEANWHILE, with the current version and resource
 */
export async function holdVersion(
  tx: Transaction,
  { from, version }: { from: Sql; version: Sql },
  read: () => Promise<object | undefined>,
  asked: string | undefined,
): Promise<void> {
  if (asked === undefined) return;
  const held = await tx`select 1 from ${from} for no key update`;
  if (held.length === 0) return;
  // A separate statement: the one that waited for the lock sees other tables as they were before it waited.
  const [row] = await tx<{ version: string; updatedAt: string }[]>`
    select ${version} as version, updated_at from ${from}`;
  if (!row || row.version === asked || row.updatedAt === asked) return;
  const why = refusal("changedMeanwhile", { version: row.version });
  throw new ApiError("CHANGED_MEANWHILE", why.message, {
    details: [{ path: "version", ...why }],
    current: await read(),
  });
}
