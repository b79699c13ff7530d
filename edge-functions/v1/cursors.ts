// Owns the cursors of lists: an opaque key for a row's position, which clients send back. Must not read rows.
import { Buffer } from "node:buffer";
import { z } from "@hono/zod-openapi";
import { ApiError } from "../_shared/requests/errors.ts";
import { perPage } from "./router.ts";

/** The position behind which a page begins. @param most characters */
export const lastKeyUpTo = (most: number) =>
  z
    .string()
    .max(most)
    .optional()
    .openapi({ description: "`lastKey` of the page before. Absent: the first page." });

/** `lastKey` and `perPage` of a list with cursors. */
export const cursorQuery = z.object({ lastKey: lastKeyUpTo(200), perPage });

export const cursorPageOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), lastKey: z.string().nullable() });

/** Where a page ended: the row's id, and in a sorted list the sorted column as text. */
export type Place = { id: string; value: string };

const idLength = 36;

/**
 * Decodes a cursor.
 * @param order the list, and what it is sorted by
 * @throws ApiError VALIDATION_FAILED for a malformed one, and for one of another order, whose position means nothing here
 */
export function placeInKey(key: string, order: string): Place {
  const text = Buffer.from(key, "base64url").toString();
  const id = z.uuid().safeParse(text.slice(0, idLength));
  const rest = text.slice(idLength);
  // Releases before 1.1 named no order.
  const [, named = order, value = rest] = /^\n(.*?)\n(.*)$/s.exec(rest) ?? [];
  if (id.success && named === order) return { id: id.data, value };
  throw new ApiError("VALIDATION_FAILED", undefined, {
    details: [{ path: "lastKey", message: "Send a lastKey that this list returned." }],
  });
}

/** The id in a cursor of a list sorted by id. @throws ApiError VALIDATION_FAILED */
export const idInKey = (key: string, list: string): string => placeInKey(key, list).id;

/** Builds one page from perPage + 1 rows. Rows of a sorted list have their `place` in it. @param order as for `placeInKey` */
export function cursorPage<T extends { id: string; place?: string }>(
  rows: T[],
  perPage: number,
  order: string,
) {
  const last = rows.length > perPage ? rows[perPage - 1] : undefined;
  const lastKey = last && Buffer.from(`${last.id}\n${order}\n${last.place ?? ""}`).toString("base64url");
  const data = rows.slice(0, perPage).map(({ place: _, ...row }): Omit<T, "place"> => row);
  return { data, lastKey: lastKey ?? null };
}
