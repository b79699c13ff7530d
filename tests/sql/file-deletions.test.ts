// Undoing a file's deletion: its bytes meanwhile, the copies' end, and changes around it.
import { randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimsOf } from "../support/actors.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { actAs, rollBack } from "./acting.ts";
import { chunkRow, fileRow, fileVersionRow, teamImportRow } from "./content-rows.ts";
import { makeWorld, type World } from "./world.ts";

let database: TestPostgres;
let sql: Sql;
let world: World;
beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  world = await makeWorld(sql);
  await sql`delete from private.deletions`;
  await sql`delete from private.unwanted_objects`;
  await sql`update public.sources set config = ${sql.json({ fileIds: [world.file] })} where id = ${world.source}`;
  await sql`update public.documents set external_id = ${world.file} where id = ${world.document}`;
});
afterAll(() => database.stop());

const byOwner = <T>(tx: TransactionSql, work: () => Promise<T>) => actAs(tx, claimsOf("owner", world), work);
const byService = <T>(tx: TransactionSql, work: () => Promise<T>) =>
  actAs(tx, { role: "service_role" }, work);

const note = (tx: TransactionSql) =>
  byService(
    tx,
    () =>
      tx<
        { original: string; copy: string }[]
      >`select * from private.note_copies(${world.team}, ${world.file})`,
  );
const confirmCopies = (tx: TransactionSql, paths: string[]) =>
  byService(tx, () => tx`select private.copies_made(${paths})`);
/** Copies the bytes of the file's versions. @returns their paths */
async function copyBytes(tx: TransactionSql): Promise<string[]> {
  const copies = (await note(tx)).map(({ copy }) => copy);
  await confirmCopies(tx, copies);
  return copies;
}
/** Deletes the file. @returns whether it can be undone */
const remove = (tx: TransactionSql) =>
  byOwner(tx, async () => {
    const [kept] = await tx`select private.keep_deleted('files', ${world.team}, ${world.file}) as until`;
    const gone = await tx`delete from public.files where id = ${world.file} returning 1`;
    expect(gone).toHaveLength(1);
    return kept?.until !== null;
  });
const restore = (tx: TransactionSql) =>
  byOwner(tx, () => tx`select private.restore_deleted('files', ${world.team}, ${world.file})`);
const purge = (tx: TransactionSql) => byService(tx, () => tx`select private.purge_deletions(1000)`);

const paths = async (tx: TransactionSql) =>
  (
    await tx`select path from public.files where id = ${world.file}
             union select path from public.file_versions where file_id = ${world.file} order by 1`
  ).map(({ path }) => path);
const listUnwanted = async (tx: TransactionSql) =>
  (await tx`select path from private.unwanted_objects order by 1`).map(({ path }) => path);
const listKept = async (tx: TransactionSql) =>
  (await tx`select path from private.kept_objects order by 1`).map(({ path }) => path);

/** Another version, with bytes of its own, and a third that restores the first. */
async function addVersions(tx: TransactionSql): Promise<void> {
  const second = {
    ...fileVersionRow(world, 2),
    path: `teams/${world.team}/${randomUUID()}`,
    sha256: "1".repeat(64),
  };
  await tx`insert into public.file_versions ${tx(second)}`;
  await tx`insert into public.file_versions ${tx({ ...fileVersionRow(world, 3), restored_from: 1 })}`;
  await tx`update public.files set version = 3 where id = ${world.file}`;
}

test("a restored file's versions have their bytes, each at a new path", async () => {
  await rollBack(sql, async (tx) => {
    await addVersions(tx);
    const versions = () =>
      tx`select number, sha256, restored_from, path from public.file_versions where file_id = ${world.file} order by number`;
    const before = await versions();
    const originals = await paths(tx);
    const noted = await note(tx);
    expect(noted.map(({ original }) => original).sort()).toEqual(originals);
    const copies = noted.map(({ copy }) => copy).sort();
    await confirmCopies(tx, copies);
    expect(await remove(tx)).toBe(true);
    expect(await listUnwanted(tx)).toEqual(originals);
    expect(await listKept(tx)).toEqual(copies);
    await restore(tx);
    const moved = new Map(noted.map(({ original, copy }) => [original, copy]));
    expect(await versions()).toEqual(before.map((row) => ({ ...row, path: moved.get(row.path) })));
    expect(await tx`select path, version from public.files where id = ${world.file}`).toEqual([
      { path: moved.get(`teams/${world.team}/${world.file}`), version: 3 },
    ]);
    // The copies are its bytes now, and there are no others.
    expect(await listUnwanted(tx)).toEqual(originals);
    expect(await listKept(tx)).toEqual([]);

    // Once more: the former copies are the bytes to delete.
    const again = await copyBytes(tx);
    expect(await remove(tx)).toBe(true);
    expect(await listUnwanted(tx)).toEqual([...originals, ...copies].sort());
    await restore(tx);
    expect(await paths(tx)).toEqual(again.sort());
  });
});

test("a file can be undone only if all its bytes were copied before", async () => {
  const attempts: Record<string, (tx: TransactionSql) => Promise<unknown>> = {
    "not at all": async () => {},
    "noted alone": note,
    "before the last version came": async (tx) => {
      await copyBytes(tx);
      await addVersions(tx);
    },
    "let go again": async (tx) => {
      const copies = await copyBytes(tx);
      await byService(tx, () => tx`select private.drop_copies(${copies})`);
    },
    "one of them is gone": async (tx) => {
      await addVersions(tx);
      const copies = await copyBytes(tx);
      await tx`delete from private.kept_objects where path = ${copies[0] ?? ""}`;
    },
  };
  for (const [name, prepare] of Object.entries(attempts))
    await rollBack(sql, async (tx) => {
      await prepare(tx);
      const before = new Set([...(await listKept(tx)), ...(await listUnwanted(tx)), ...(await paths(tx))]);
      expect(await remove(tx), name).toBe(false);
      expect(await tx`select 1 from private.deletions`, name).toHaveLength(0);
      expect(await tx`select 1 from private.deleted_rows`, name).toHaveLength(0);
      // Each copy is recorded until it is released, or is being deleted.
      expect(new Set([...(await listKept(tx)), ...(await listUnwanted(tx))]), name).toEqual(before);
      await tx`update private.kept_objects set expires_at = clock_timestamp()`;
      await purge(tx);
      expect(new Set(await listUnwanted(tx)), name).toEqual(before);
    });
});

test("copies expire with the deletion, or after ten unused minutes", async () => {
  await rollBack(sql, async (tx) => {
    const original = await paths(tx);
    const copies = await copyBytes(tx);
    const orphans = await copyBytes(tx);
    await tx`update private.kept_objects set copied_at = copied_at - interval '1 minute' where path = any (${orphans})`;
    await remove(tx);
    await purge(tx);
    expect(await listKept(tx)).toEqual([...copies, ...orphans].sort());
    await tx`update private.kept_objects set expires_at = clock_timestamp()`;
    await purge(tx);
    expect(await listKept(tx)).toEqual(copies);
    expect(await listUnwanted(tx)).toEqual([...original, ...orphans].sort());
    await tx`update private.deletions set expires_at = clock_timestamp()`;
    await purge(tx);
    expect(await listKept(tx)).toEqual([]);
    expect(await listUnwanted(tx)).toEqual([...original, ...orphans, ...copies].sort());
  });
  // With the team, too.
  await rollBack(sql, async (tx) => {
    const copies = await copyBytes(tx);
    await remove(tx);
    await tx`delete from public.teams where id = ${world.team}`;
    expect(await listKept(tx)).toEqual([]);
    expect(await listUnwanted(tx)).toEqual(expect.arrayContaining(copies));
  });
});

test("the hourly scan of storage leaves copies alone, however old their bytes", async () => {
  await rollBack(sql, async (tx) => {
    const copies = await copyBytes(tx);
    await tx`insert into storage.buckets (id, name) values ('files', 'files') on conflict do nothing`;
    for (const name of copies)
      await tx`insert into storage.objects (bucket_id, name, created_at) values ('files', ${name}, now() - interval '2 days')`;
    const look = () => byService(tx, () => tx`select private.disown_unregistered_objects()`);
    await look();
    expect(await listUnwanted(tx)).toEqual([]);
    await remove(tx);
    await tx`delete from private.unwanted_objects`;
    await look();
    expect(await listUnwanted(tx)).toEqual([]);
    await restore(tx);
    await look();
    expect(await listUnwanted(tx)).toEqual([]);
  });
});

test("the hourly scan leaves an archive alone that waits to be imported, however long", async () => {
  await rollBack(sql, async (tx) => {
    const archive = randomUUID();
    const part = `teams/${archive}/00000000-0000-7000-8000-000000000000`;
    const imported = { ...teamImportRow(world.team), archive };
    await tx`insert into public.team_imports ${tx(imported)} on conflict (team_id) do update set archive = excluded.archive`;
    await tx`insert into storage.buckets (id, name) values ('files', 'files') on conflict do nothing`;
    await tx`insert into storage.objects (bucket_id, name, created_at) values ('files', ${part}, now() - interval '2 days')`;
    const look = () => byService(tx, () => tx`select private.disown_unregistered_objects()`);
    await look();
    expect(await listUnwanted(tx)).toEqual([]);
    await tx`update public.team_imports set report = '{}' where team_id = ${world.team}`;
    await look();
    expect(await listUnwanted(tx)).toEqual([part]);
  });
});

test("a copy cannot be registered as another file", async () => {
  await rollBack(sql, async (tx) => {
    const [copy = ""] = await copyBytes(tx);
    await remove(tx);
    const other = { ...fileRow(world, randomUUID()), path: copy };
    await expect(
      tx.savepoint((point) => byService(point, () => point`insert into public.files ${point(other)}`)),
    ).rejects.toMatchObject({ code: "23505" });
  });
});

test("more than 200 MiB are not copied", async () => {
  await rollBack(sql, async (tx) => {
    await addVersions(tx);
    const [{ most } = { most: 0 }] = [{ most: 200 * 1024 * 1024 }];
    await tx`update public.file_versions set size = ${most - 1} where file_id = ${world.file} and number = 2`;
    // The first and the third have the same bytes.
    expect(await note(tx)).toHaveLength(2);
    await tx`update public.file_versions set size = ${most} where file_id = ${world.file} and number = 2`;
    expect(await note(tx)).toHaveLength(0);
  });
});

test("a restored file returns to every source that listed it and still exists", async () => {
  await rollBack(sql, async (tx) => {
    const others = [randomUUID(), randomUUID()] as const;
    for (const id of others) await tx`insert into public.files ${tx(fileRow(world, id))}`;
    const list = (source: string, fileIds: string[]) =>
      tx`update public.sources set config = ${tx.json({ fileIds })} where id = ${source}`;
    await list(world.source, [others[0], world.file, others[1]]);
    await list(world.otherSource, [world.file]);
    await copyBytes(tx);
    await remove(tx);
    expect(await tx`select config from public.sources where id = ${world.source}`).toEqual([
      { config: { fileIds: others } },
    ]);
    await tx`delete from public.sources where id = ${world.otherSource}`;
    await restore(tx);
    expect(await tx`select config from public.sources where id = ${world.source}`).toEqual([
      { config: { fileIds: [others[0], world.file, others[1]] } },
    ]);
    expect(await tx`select id from public.documents where external_id = ${world.file}`).toEqual([
      { id: world.document },
    ]);
  });
});

test("nothing is restored for a deleted source, or an unlinked knowledge base", async () => {
  await rollBack(sql, async (tx) => {
    await copyBytes(tx);
    await remove(tx);
    await tx`delete from public.sources where id = ${world.source}`;
    await restore(tx);
    expect(await paths(tx)).toHaveLength(1);
    expect(await tx`select 1 from public.documents where external_id = ${world.file}`).toHaveLength(0);
  });
  await rollBack(sql, async (tx) => {
    await copyBytes(tx);
    await remove(tx);
    await tx`delete from public.knowledge_sources where source_id = ${world.source}`;
    await restore(tx);
    expect(await tx`select 1 from public.documents where id = ${world.document}`).toHaveLength(1);
    for (const table of ["document_indexes", "chunks", "chunk_words", "chunk_embeddings", "document_tables"])
      expect(
        await tx`select 1 from ${tx(`public.${table}`)} where knowledge_id = ${world.knowledge}`,
        table,
      ).toHaveLength(0);
  });
});

test("a worker's results from meanwhile are replaced by the restored ones", async () => {
  await rollBack(sql, async (tx) => {
    await copyBytes(tx);
    await remove(tx);
    const late = randomUUID();
    await tx`insert into public.documents (id, team_id, source_id, external_id, type, title)
             values (${late}, ${world.team}, ${world.source}, ${world.file}, 'file', 'Late')`;
    await tx`insert into public.chunks ${tx({ ...chunkRow(world, randomUUID(), 0), document_id: late })}`;
    await restore(tx);
    expect(await tx`select id from public.documents where external_id = ${world.file}`).toEqual([
      { id: world.document },
    ]);
    expect(
      await tx`select 1 from public.tasks where key = ${`index:knowledge:${world.knowledge}`} and status = 'queued'`,
    ).toHaveLength(1);
  });
});
