// Owns the platform admins' calls for the retention: after how long the installation forgets what. Row-level security decides who
// reads and sets it; indexing/retention.ts removes.
import { z } from "@hono/zod-openapi";
import { asCaller, type Transaction } from "../../_shared/database/db.ts";
import { routes } from "../route.ts";
import { claimsOf, found, json, jsonBody, router, times } from "../router.ts";

const route = routes({ tags: ["Admin"], access: "platformAdmin" });

const days = z.int().min(7).max(36_500).nullable();

const kinds = {
  tasks: days.openapi({ description: "Finished tasks with their attempts, in days from their end." }),
  replyPassages: days.openapi({
    description:
      "What search proposed for a reply, in days from the reply. The reply and its citations stay.",
  }),
  slackThreads: days.openapi({
    description:
      "Which chat a Slack thread is, in days from its latest message. The chat stays; who asks there again begins another.",
  }),
  handovers: days.openapi({
    description:
      "What somebody left when they asked for a person: e-mail, message and summary, in days from the latest change of a handover that is not open. The chat stays, and the answer in it.",
  }),
};

const retention = z
  .object({ ...kinds, ...times })
  .openapi("Retention", { description: "Days until something is removed; null: it is kept forever." });
type Retention = z.infer<typeof retention>;

const retentionUpdate = z.strictObject(kinds).partial().openapi("RetentionUpdate");

async function readRetention(tx: Transaction): Promise<Retention> {
  const [row] = await tx<Retention[]>`
    select max(r.days) filter (where r.kind = 'tasks') as tasks,
           max(r.days) filter (where r.kind = 'replyPassages') as reply_passages,
           max(r.days) filter (where r.kind = 'slackThreads') as slack_threads,
           max(r.days) filter (where r.kind = 'handovers') as handovers,
           min(r.created_at) as created_at, max(r.updated_at) as updated_at
      from public.retention r having count(*) > 0`;
  return found(row);
}

/** Mounted at /v1/admin/retention. */
export const adminRetention = router()
  .openapi(
    route({
      method: "get",
      path: "/",
      summary: "Read after how long the installation removes what",
      description: "Chats, messages, documents and files are never removed by it.",
      responses: { 200: json(retention) },
    }),
    async (c) => c.json(await asCaller(claimsOf(c), readRetention), 200),
  )
  .openapi(
    route({
      method: "put",
      path: "/",
      summary: "Set after how long the installation removes what",
      description: "What is older already is removed within the next hours, and cannot be brought back.",
      request: { body: jsonBody(retentionUpdate) },
      responses: { 200: json(retention) },
    }),
    async (c) => {
      const changes = Object.entries(c.req.valid("json"));
      const changed = await asCaller(claimsOf(c), async (tx) => {
        for (const [kind, days] of changes)
          await tx`update public.retention r set days = ${days} where r.kind = ${kind}`;
        return await readRetention(tx);
      });
      return c.json(changed, 200);
    },
  );
