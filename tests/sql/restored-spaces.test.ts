// Restored rows and embedding spaces: a deletion can be undone when the team's embedding model was replaced before or meanwhile.
import { randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimsOf } from "../support/actors.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { actAs, rollBack } from "./acting.ts";
import { makeWorld, type World } from "./world.ts";

let database: TestPostgres;
let sql: Sql;
let world: World;
beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  world = await makeWorld(sql);
  await sql`delete from private.deletions`;
});
afterAll(() => database.stop());

type Kind = "knowledges" | "sources" | "files";
const rootOf = (kind: Kind) =>
  ({ knowledges: world.knowledge, sources: world.source, files: world.file })[kind];

/** Deletes as the API does. A file's bytes are copied first, as by the service. */
async function remove(tx: TransactionSql, kind: Kind) {
  if (kind === "files")
    await actAs(tx, { role: "service_role" }, async () => {
      const copies = await tx`select copy from private.note_copies(${world.team}, ${world.file})`;
      await tx`select private.copies_made(${copies.map(({ copy }) => copy)})`;
    });
  await actAs(tx, claimsOf("owner", world), async () => {
    await tx`select private.keep_deleted(${kind}, ${world.team}, ${rootOf(kind)})`;
    await tx`delete from ${tx(`public.${kind}`)} where id = ${rootOf(kind)}`;
  });
}
const restore = (tx: TransactionSql, kind: Kind) =>
  actAs(
    tx,
    claimsOf("owner", world),
    () => tx`select private.restore_deleted(${kind}, ${world.team}, ${rootOf(kind)})`,
  );

/** Puts the knowledge base and its vectors into another space. */
async function moveTo(tx: TransactionSql, model: string): Promise<string> {
  const [space] = await tx`
    insert into public.vectors (name, model, dimensions, created_at)
    values ('Space', ${model}, 4, now() - interval '2 days') returning id`;
  await tx`update public.knowledges set vector_id = ${space?.id} where id = ${world.knowledge}`;
  await tx`update public.chunk_embeddings set vector_id = ${space?.id} where knowledge_id = ${world.knowledge}`;
  return space?.id;
}

test("a knowledge base is restored in the space of a model that was replaced before its deletion", async () => {
  await rollBack(sql, async (tx) => {
    const id = randomUUID();
    await tx`
      insert into private.models (id, team_id, role, provider, base_url, model, dimensions, updated_at)
      values (${id}, ${world.team}, 'earlierEmbedding', 'openaiCompatible', 'https://models.test', 'old', 4, now() - interval '1 hour')`;
    const space = await moveTo(tx, `connection:${id}`);
    const read = async () => [
      ...(await tx`select vector_id from public.knowledges where id = ${world.knowledge}`),
      ...(await tx`select chunk_id, vector_id from public.chunk_embeddings where knowledge_id = ${world.knowledge} order by 1`),
      ...(await tx`select id from private.models where id = ${id}`),
    ];
    const before = await read();
    expect(before.length).toBeGreaterThan(2);
    await remove(tx, "knowledges");
    await tx`select private.sweep_models(100)`;
    await restore(tx, "knowledges");
    expect(await read()).toEqual(before);
    await remove(tx, "knowledges");
    await tx`delete from private.deletions`;
    await tx`select private.sweep_models(100)`;
    expect(await read()).toEqual([]);
    expect(await tx`select from public.vectors where id = ${space}`).toEqual([]);
  });
});

test.each(["sources", "files"] as const)(
  "restored %s are built again where their knowledge base moved to another space meanwhile",
  async (kind) => {
    await rollBack(sql, async (tx) => {
      await moveTo(tx, "old");
      await tx`update public.sources set config = ${tx.json({ fileIds: [world.file] })} where id = ${world.source}`;
      await tx`update public.documents set external_id = ${world.file} where id = ${world.document}`;
      const readSignature = async () => {
        const [row] = await tx`
          select signature from public.document_indexes
           where knowledge_id = ${world.knowledge} and document_id = ${world.document}`;
        return row?.signature;
      };
      await tx`update public.document_indexes set signature = 'built', status = 'ready' where document_id = ${world.document}`;
      await remove(tx, kind);
      await restore(tx, kind);
      expect(await readSignature()).toBe("built");
      await remove(tx, kind);
      await moveTo(tx, "new");
      await restore(tx, kind);
      expect(await readSignature()).toBe(null);
    });
  },
);
