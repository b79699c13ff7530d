// Owns that a change of a row is refused where the row was changed since its writer read it. What of a row counts as changed is its
// resource's to say, in the SQL of its `version`.
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { PendingQuery, Row } from "postgres";
import type { Transaction } from "../_shared/database/db.ts";
import { ApiError } from "../_shared/requests/errors.ts";
import { refusal } from "../_shared/requests/refusals.ts";
import type { AppEnv } from "./router.ts";

type Sql = PendingQuery<Row[]>;

/** The field of a resource that is changed with If-Match. */
export const rowVersion = z.string().openapi({
  example: "9a0364b9e99bb480dd25e1f0284c8555",
  description:
    "Another one after each change of what a client may set. PUT takes it as If-Match, and changes nothing where it is no longer this.",
});

/** What a call's If-Match names, a `version` or an `updatedAt`, without its quotes; undefined where it names none, or any. */
export function versionIn(c: Context<AppEnv>): string | undefined {
  const named = c.req.header("If-Match")?.trim();
  if (!named || named === "*") return undefined;
  return named.replace(/^(?:W\/)?"(.*)"$/, "$1");
}

/**
 * Holds a row, until the transaction's end, in the version that its writer read. A row that the caller may not change is let pass:
 * the change that follows finds none either, and is refused for that.
 * @param row `from` names the row as its table with a condition, `version` what its version is
 * @param read the resource, as the answer to a refused change shows it
 * @param asked a `version`, or an `updatedAt`, which also moves when the row is indexed; undefined: any
 * @throws ApiError CHANGED_MEANWHILE, with the version and the resource as they are now
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
  // A statement of its own: one that had to wait for the lock sees other tables as they were before.
  const [row] = await tx<{ version: string; updatedAt: string }[]>`
    select ${version} as version, updated_at from ${from}`;
  if (!row || row.version === asked || row.updatedAt === asked) return;
  const why = refusal("changedMeanwhile", { version: row.version });
  throw new ApiError("CHANGED_MEANWHILE", why.message, {
    details: [{ path: "version", ...why }],
    current: await read(),
  });
}
