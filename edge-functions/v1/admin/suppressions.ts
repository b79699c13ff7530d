// Owns the platform admins' endpoints for suppressed mail addresses. Row-level security decides who sees and deletes them.
import { z } from "@hono/zod-openapi";
import { asCaller, type Transaction } from "../../_shared/database/db.ts";
import { routes } from "../route.ts";
import { claimsOf, id, json, oneById, pageOf, pageQuery, requireRow, router, times } from "../router.ts";
import { contains, numberedPage } from "../sql.ts";

const route = routes({ tags: ["Admin"], access: "platformAdmin" });

const suppression = z
  .object({
    id,
    email: z.string().openapi({ example: "ada@example.com" }),
    reason: z.enum(["bounce", "complaint"]),
    detail: z.string().nullable().openapi({ description: "The mail service's diagnostic message." }),
    ...times,
  })
  .openapi("Suppression");
type Suppression = z.infer<typeof suppression>;

const suppressionsQuery = pageQuery.extend({
  search: z.string().max(200).optional().openapi({ description: "Part of the address." }),
});

export async function listSuppressions(
  tx: Transaction,
  { search, page, perPage }: z.infer<typeof suppressionsQuery>,
) {
  const matches = search ? tx`s.email ilike ${contains(search)}` : tx`true`;
  return await numberedPage<Suppression>(
    tx,
    {
      columns: tx`s.id, s.email, s.reason, s.detail, s.created_at, s.updated_at`,
      from: tx`public.suppressions s where ${matches}`,
      order: tx`s.id desc`,
    },
    { page, perPage },
  );
}

/** Mounted at /v1/admin/suppressions. */
export const adminSuppressions = router()
  .openapi(
    route({
      method: "get",
      path: "/",
      summary: "List suppressed mail addresses, newest first",
      description: "Addresses with a permanent bounce or a complaint. They receive no mail.",
      request: { query: suppressionsQuery },
      responses: { 200: json(pageOf(suppression)) },
    }),
    async (c) => c.json(await asCaller(claimsOf(c), (tx) => listSuppressions(tx, c.req.valid("query"))), 200),
  )
  .openapi(
    route({
      method: "delete",
      path: "/{id}",
      summary: "Delete the suppression of an address",
      request: { params: oneById },
      responses: { 204: { description: "Deleted" } },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const [row] = await asCaller(
        claimsOf(c),
        (tx) => tx<{ id: string }[]>`delete from public.suppressions where id = ${id} returning id`,
      );
      requireRow(row);
      return c.body(null, 204);
    },
  );
