// Owns the platform admins' endpoints for data retention: how long the installation keeps each kind of data. Row-level security decides
// who reads and sets it; indexing/retention.ts deletes.
import { z } from "@hono/zod-openapi";
import { asCaller, type Transaction } from "../../_shared/database/db.ts";
import { routes } from "../route.ts";
import { claimsOf, json, jsonBody, requireRow, router, times } from "../router.ts";

const route = routes({ tags: ["Admin"], access: "platformAdmin" });

const days = z.int().min(7).max(36_500).nullable();

const kinds = {
  tasks: days.openapi({ description: "Finished tasks with their attempts, in days after they end." }),
  replyPassages: days.openapi({
    description:
      "The passages that search proposed for a reply, in days after the reply. The reply and its citations are kept.",
  }),
  slackThreads: days.openapi({
    description:
      "The link between a chat and a Slack thread, in days after its latest message. The chat is kept; a new question in the thread starts another chat.",
  }),
  handovers: days.openapi({
    description:
      "What a person submitted when they requested a handover: email, message and summary, in days after the latest change of a handover that is not open. The chat and the answer in it are kept.",
  }),
};

const retention = z
  .object({ ...kinds, ...times })
  .openapi("Retention", { description: "Days until data is deleted. Null: it is kept forever." });
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
  return requireRow(row);
}

/** Mounted at /v1/admin/retention. */
export const adminRetention = router()
  .openapi(
    route({
      method: "get",
      path: "/",
      summary: "Read the installation's data retention",
      description: "Chats, messages, documents and files are never deleted by it.",
      responses: { 200: json(retention) },
    }),
    async (c) => c.json(await asCaller(claimsOf(c), readRetention), 200),
  )
  .openapi(
    route({
      method: "put",
      path: "/",
      summary: "Set the installation's data retention",
      description: "Data that is already older is permanently deleted within the next hours.",
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
