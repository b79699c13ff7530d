// The figures of sources and knowledge bases are true in the transaction that adds, deletes or restores documents.
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
  // A source of two documents with three passages each; the first document is the file's.
  await sql`delete from private.deletions`;
  await sql`update public.sources set config = ${sql.json({ fileIds: [world.file] })} where id = ${world.source}`;
  await sql`update public.documents set external_id = ${world.file} where id = ${world.document}`;
  await sql`update public.document_indexes set knowledge_id = ${world.knowledge}, status = 'ready', chunks_count = 3`;
  await sql`select private.recount_knowledges(array[${world.knowledge}::uuid])`;
});
afterAll(() => database.stop());

const byOwner = <T>(tx: TransactionSql, work: () => Promise<T>) => actAs(tx, claimsOf("owner", world), work);
const ofSource = async (tx: TransactionSql, id = world.source) =>
  (await tx`select documents_count from public.sources where id = ${id}`)[0]?.documents_count;
const ofKnowledge = async (tx: TransactionSql) => {
  const [row] =
    await tx`select documents_count, chunks_count from public.knowledges where id = ${world.knowledge}`;
  return [row?.documents_count, row?.chunks_count];
};
const insert = (tx: TransactionSql, source: string, count: number) => tx`
  insert into public.documents (team_id, source_id, external_id, type, title, content)
  select ${world.team}, ${source}, gen_random_uuid(), 'text', 'Added', 'Text' from generate_series(1, ${count})`;

test("a deleted file leaves its source and knowledge base with the figures of what is left, and Undo restores them", async () => {
  await rollBack(sql, async (tx) => {
    expect(await ofSource(tx)).toBe(2);
    expect(await ofKnowledge(tx)).toEqual([2, 6]);
    const copies = await actAs(tx, { role: "service_role" }, async () => {
      const noted = await tx`select copy from private.note_copies(${world.team}, ${world.file})`;
      await tx`select private.copies_made(${noted.map(({ copy }) => copy)})`;
      return noted;
    });
    expect(copies.length).toBeGreaterThan(0);
    await byOwner(tx, async () => {
      await tx`select private.keep_deleted('files', ${world.team}, ${world.file})`;
      await tx`delete from public.files where id = ${world.file}`;
    });
    expect(await ofSource(tx)).toBe(1);
    expect(await ofKnowledge(tx)).toEqual([1, 3]);
    await byOwner(tx, () => tx`select private.restore_deleted('files', ${world.team}, ${world.file})`);
    expect(await ofSource(tx)).toBe(2);
    expect(await ofKnowledge(tx)).toEqual([2, 6]);
  });
});

test("a deleted source leaves no figures in its knowledge base, and Undo restores both", async () => {
  await rollBack(sql, async (tx) => {
    await byOwner(tx, async () => {
      await tx`select private.keep_deleted('sources', ${world.team}, ${world.source})`;
      await tx`delete from public.sources where id = ${world.source}`;
    });
    expect(await ofKnowledge(tx)).toEqual([0, 0]);
    await byOwner(tx, () => tx`select private.restore_deleted('sources', ${world.team}, ${world.source})`);
    expect(await ofSource(tx)).toBe(2);
    expect(await ofKnowledge(tx)).toEqual([2, 6]);
  });
});

test("a knowledge base is restored without what was deleted meanwhile", async () => {
  await rollBack(sql, async (tx) => {
    await byOwner(tx, async () => {
      await tx`select private.keep_deleted('knowledges', ${world.team}, ${world.knowledge})`;
      await tx`delete from public.knowledges where id = ${world.knowledge}`;
      await tx`delete from public.documents where id = ${world.document}`;
      await tx`select private.restore_deleted('knowledges', ${world.team}, ${world.knowledge})`;
    });
    expect(await ofKnowledge(tx)).toEqual([1, 3]);
  });
});

test("a written answer counts from its first moment until it is deleted, and again after Undo", async () => {
  await rollBack(sql, async (tx) => {
    const before = Number(await ofSource(tx, world.qaSource));
    const [{ id } = { id: "" }] = await byOwner(
      tx,
      () => tx<{ id: string }[]>`
        insert into public.qa_entries (team_id, source_id, question, answer)
        values (${world.team}, ${world.qaSource}, 'Why?', 'So.') returning id`,
    );
    expect(await ofSource(tx, world.qaSource)).toBe(before + 1);
    await byOwner(tx, async () => {
      await tx`select private.keep_deleted('qa_entries', ${world.team}, ${id})`;
      await tx`delete from public.qa_entries where id = ${id}`;
    });
    expect(await ofSource(tx, world.qaSource)).toBe(before);
    await byOwner(tx, () => tx`select private.restore_deleted('qa_entries', ${world.team}, ${id})`);
    expect(await ofSource(tx, world.qaSource)).toBe(before + 1);
  });
});

test("many documents change each source's row once", async () => {
  await rollBack(sql, async (tx) => {
    const others = Number(await ofSource(tx, world.otherSource));
    const updates = async () =>
      Number(
        (
          await tx`select pg_stat_get_xact_tuples_updated('public.sources'::regclass) +
                          pg_stat_get_xact_tuples_updated('public.knowledges'::regclass) as updated`
        )[0]?.updated,
      );
    await byOwner(tx, async () => {
      await insert(tx, world.source, 1000);
      await insert(tx, world.otherSource, 500);
    });
    expect([await ofSource(tx), await ofSource(tx, world.otherSource)]).toEqual([1002, others + 500]);
    const before = await updates();
    await byOwner(
      tx,
      () =>
        tx`delete from public.documents where source_id in (${world.source}, ${world.otherSource}) and title = 'Added'`,
    );
    expect(await updates()).toBe(before + 2);
    expect([await ofSource(tx), await ofSource(tx, world.otherSource)]).toEqual([2, others]);
    // Those that knowledge bases have, too: their rows are deleted one document at a time.
    await insert(tx, world.source, 1000);
    await tx`insert into public.document_indexes (team_id, knowledge_id, document_id, status, chunks_count)
             select ${world.team}, ${world.knowledge}, d.id, 'ready', 1 from public.documents d where d.title = 'Added'`;
    const indexed = await updates();
    await byOwner(tx, () => tx`delete from public.documents where source_id = ${world.source}`);
    expect(await updates()).toBe(indexed + 2);
    expect(await ofKnowledge(tx)).toEqual([0, 0]);
  });
});

test("no client calls the counting by itself", async () => {
  const [row] = await sql`
    select bool_or(has_function_privilege(r.name, f.oid, 'execute')) as may
      from unnest(array['anon', 'authenticated']) r (name), pg_proc f
     where f.pronamespace = 'private'::regnamespace and f.proname ~ '^(re)?count_(sources|knowledges|linked|new_documents|deleted_)'`;
  expect(row?.may).toBe(false);
});
