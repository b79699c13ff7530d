// What a team stores: counted whatever writes or deletes it, and limited as a transaction commits.
import { randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { beforeEach, expect, test } from "vitest";
import { makeSmallTeams, type SmallTeam, service, user } from "../native/teams.ts";
import { makeManyRows } from "../support/many-rows.ts";
import { asCaller, refusal } from "./acting.ts";
import { limitStorage, startTeams } from "./storage-team.ts";

const mib = 1024 * 1024;
/** The share of a document, or of a knowledge base, beside its text. */
const share = 1024;

let sql: Sql;
let team: SmallTeam;
let source: string;

startTeams((connection, newTeam) => {
  sql = connection;
  team = newTeam;
});

beforeEach(async () => {
  source = randomUUID();
  await sql`insert into public.sources (id, team_id, type, name) values (${source}, ${team.id}, 'file', 'Source')`;
  // counted-rows.test.ts tests what the source itself counts as.
  await sql`delete from private.storage_changes where team_id = ${team.id}`;
});

const limitTo = (bytes: number | null) => limitStorage(sql, bytes);
const owner = () => user(team.owners[0]);

/** What an owner sees. */
async function readUsed(): Promise<number> {
  const rows = await asCaller(sql, owner(), (tx) => tx`select used::int from private.storage_of(${team.id})`);
  return rows[0]?.used;
}

const pathOf = (id: string) => `teams/${team.id}/${id}`;
const fileOf = (id: string, size: number) => ({
  id,
  team_id: team.id,
  name: "file.txt",
  type: "document",
  content_type: "text/plain",
  size,
  path: pathOf(id),
  sha256: "0".repeat(64),
});
const addFile = (id: string, size: number) => sql`insert into public.files ${sql(fileOf(id, size))}`;
const replaceFile = (tx: Sql | TransactionSql, id: string, size: number, path = pathOf(randomUUID())) =>
  tx`select private.replace_file(${team.id}, ${id}, null, 'file.txt', 'document', 'text/plain', ${size}, ${path}, ${"0".repeat(64)})`;
const write = (content: string, externalId = randomUUID()) =>
  asCaller(
    sql,
    owner(),
    (tx) => tx`
      insert into public.documents (team_id, source_id, external_id, type, title, content)
      values (${team.id}, ${source}, ${externalId}, 'text', 'Title', ${content}) returning id`,
  );

test("files count with their versions, and shared bytes once", async () => {
  const id = randomUUID();
  await addFile(id, 3000);
  expect(await readUsed()).toBe(3000);
  await replaceFile(sql, id, 500);
  expect(await readUsed()).toBe(3500);
  await sql`select private.restore_file_version(${team.id}, ${id}, 1, null)`;
  expect(await readUsed(), "a restored version has the bytes of the first").toBe(3500);
  await sql`select private.sum_storage_of_teams(100)`;
  expect(await sql`select 1 from private.storage_changes where team_id = ${team.id}`).toHaveLength(0);
  expect(await readUsed(), "added up").toBe(3500);
  await asCaller(sql, owner(), (tx) => tx`delete from public.files where id = ${id}`);
  expect(await readUsed()).toBe(0);
});

test("a file's oldest version counts until it goes", async () => {
  const id = randomUUID();
  await addFile(id, 100);
  for (let version = 2; version <= 22; version++) await replaceFile(sql, id, 1);
  expect(await readUsed()).toBe(20);
});

test("documents count by their texts, as they grow, shrink and go", async () => {
  const [row] = await write("é".repeat(500));
  expect(await readUsed()).toBe(share + 1000);
  const change = (content: string | null) =>
    asCaller(
      sql,
      owner(),
      (tx) => tx`update public.documents set content = ${content} where id = ${row?.id}`,
    );
  await change("x");
  expect(await readUsed()).toBe(share + 1);
  await asCaller(sql, owner(), (tx) => tx`update public.documents set title = 'Other' where id = ${row?.id}`);
  await sql`update public.documents set content = null where id = ${row?.id}`;
  expect(await readUsed()).toBe(share);
  await asCaller(sql, owner(), (tx) => tx`delete from public.sources where id = ${source}`);
  expect(await readUsed()).toBe(0);
});

test("passages count by their text and their vectors, once for each knowledge base", async () => {
  const [row] = await write("x".repeat(5000));
  const [space] = await sql`
    insert into public.vectors (name, model, dimensions) values ('Space', ${randomUUID()}, 1024) returning id`;
  const knowledges = await sql`
    insert into public.knowledges (team_id, name, vector_id)
    select ${team.id}, 'Knowledge base ' || n, ${space?.id} from generate_series(1, 2) n returning id`;
  await sql`insert into public.document_indexes (team_id, knowledge_id, document_id)
            select ${team.id}, k.id, ${row?.id} from unnest(${knowledges.map(({ id }) => id)}::uuid[]) k (id)`;
  expect(await readUsed()).toBe(3 * share + 5000);
  const index = (chunks: number) =>
    asCaller(
      sql,
      service,
      (tx) => tx`update public.document_indexes set chunks_count = ${chunks} where document_id = ${row?.id}`,
    );
  await index(3);
  const passages = 5000 + 3 * (2 * 1024 + 128 + 512);
  expect(await readUsed()).toBe(3 * share + 5000 + 2 * passages);
  await index(0);
  expect(await readUsed()).toBe(3 * share + 5000);
  await index(3);
  await asCaller(sql, owner(), (tx) => tx`delete from public.knowledges where id = ${knowledges[0]?.id}`);
  expect(await readUsed()).toBe(2 * share + 5000 + passages);
  await asCaller(sql, owner(), (tx) => tx`delete from public.documents where id = ${row?.id}`);
  expect(await readUsed()).toBe(share);
});

test("cells of tables count as they are written, until they go, and again when they are restored", async () => {
  const rows = { team: team.id, person: team.owners[0] };
  const { knowledge } = await makeManyRows(sql, { ...rows, many: 20 });
  const before = await readUsed();
  const [table] = await sql<{ id: string; bytes: number }[]>`
    select id, bytes::int from public.document_tables where knowledge_id = ${knowledge}`;
  const perRow = (table?.bytes ?? 0) / 2;
  expect(perRow, "a row has a size of its own, its cells and its numbers").toBeGreaterThan(64 + 8);
  const add = (cell: string, count: number) => sql`
    insert into public.table_rows (team_id, knowledge_id, table_id, position, cells, numbers, start_offset, end_offset)
    select ${team.id}, ${knowledge}, ${table?.id ?? ""}, 10 + n, array[${cell}], '{1}', 0, 1 from generate_series(1, ${count}::int) n`;
  await add("zebra", 3);
  expect(await readUsed()).toBe(before + 3 * perRow);
  await sql`delete from public.table_rows where table_id = ${table?.id ?? ""} and position > 10`;
  await add("é".repeat(1000), 1);
  expect(await readUsed()).toBeGreaterThan(before + 3 * perRow + 2000);

  const whole = await readUsed();
  await asCaller(sql, owner(), async (tx) => {
    await tx`select private.keep_deleted('knowledges', ${team.id}, ${knowledge})`;
    await tx`delete from public.knowledges where id = ${knowledge}`;
  });
  expect(await readUsed()).toBeLessThan(before);
  await asCaller(
    sql,
    owner(),
    (tx) => tx`select private.restore_deleted('knowledges', ${team.id}, ${knowledge})`,
  );
  expect(await readUsed()).toBe(whole);

  const counted = await readUsed();
  const [tables] = await sql<{ bytes: number }[]>`
    select sum(bytes)::int as bytes from public.document_tables where knowledge_id = ${knowledge}`;
  await sql`delete from public.document_tables where knowledge_id = ${knowledge}`;
  expect(await readUsed()).toBe(counted - (tables?.bytes ?? 0));
});

test("cells of a new index may exceed the limit as little as its passages, and those that replace others may", async () => {
  const { knowledge, source: full } = await makeManyRows(sql, {
    team: team.id,
    person: team.owners[0],
    many: 20,
  });
  await sql`update public.document_indexes set chunks_count = 0 where knowledge_id = ${knowledge}`;
  const [table] = await sql`select id from public.document_tables where knowledge_id = ${knowledge}`;
  await limitTo((await readUsed()) + 20_000);
  const index = (chunks: number) =>
    asCaller(sql, service, async (tx) => {
      await tx`
        update public.document_indexes i set chunks_count = ${chunks} from public.documents d
         where d.id = i.document_id and d.source_id = ${full}`;
      await tx`
        insert into public.table_rows (team_id, knowledge_id, table_id, position, cells, numbers, start_offset, end_offset)
        select ${team.id}, ${knowledge}, ${table?.id}, ${chunks * 1000}::int + n, array[repeat('x', 1000)], '{1}', 0, 1
          from generate_series(1, 30) n`;
    });
  expect(await refusal(index(1))).toBe("PT402");
  await limitTo(null);
  await index(1);
  await limitTo(1);
  await index(2);
});

test("a deleted team leaves no count", async () => {
  await addFile(randomUUID(), 100);
  await write("text");
  await asCaller(sql, owner(), (tx) => tx`delete from public.teams where id = ${team.id}`);
  expect(await sql`select 1 from private.storage_changes where team_id = ${team.id}`).toHaveLength(0);
  expect(await sql`select 1 from private.team_storage where team_id = ${team.id}`).toHaveLength(0);
});

test("only readers of its files see what a team stores", async () => {
  const [other] = await makeSmallTeams(sql, 1);
  const rows = await asCaller(
    sql,
    user(other?.owners[0] ?? ""),
    (tx) => tx`select * from private.storage_of(${team.id})`,
  );
  expect(rows).toEqual([]);
});

test("what exceeds the limit is refused whole, with the numbers, and what fits is not", async () => {
  await limitTo(2 * mib);
  const id = randomUUID();
  await addFile(id, 1.5 * mib);
  const refused = {
    code: "PT402",
    hint: "storageReached",
    detail: `{"used" : ${1.5 * mib}, "limit" : ${2 * mib}, "added" : ${mib}}`,
    message: expect.stringContaining("stores 1 of the 2 MiB"),
  };
  await expect(addFile(randomUUID(), mib)).rejects.toMatchObject(refused);
  await expect(replaceFile(sql, id, mib)).rejects.toMatchObject({ code: "PT402" });
  await expect(write("x".repeat(0.625 * mib))).rejects.toMatchObject({ code: "PT402" });
  await expect(
    sql.begin(async (tx) => {
      await tx`insert into public.files ${tx(fileOf(randomUUID(), 0.3125 * mib))}`;
      await tx`insert into public.files ${tx(fileOf(randomUUID(), 0.3125 * mib))}`;
    }),
  ).rejects.toMatchObject({ code: "PT402" });
  expect(await readUsed()).toBe(1.5 * mib);
  expect(await sql`select version from public.files where team_id = ${team.id}`).toEqual([{ version: 1 }]);
  await addFile(randomUUID(), 0.5 * mib);
  expect(await readUsed()).toBe(2 * mib);
});

test("a text that grows beyond the limit keeps its old state", async () => {
  const [row] = await write("short");
  await limitTo(mib);
  const grow = asCaller(
    sql,
    owner(),
    (tx) => tx`update public.documents set content = ${"é".repeat(mib / 2)} where id = ${row?.id}`,
  );
  expect(await refusal(grow)).toBe("PT402");
  expect(await sql`select content from public.documents where id = ${row?.id}`).toEqual([
    { content: "short" },
  ]);
});

test("a team above a new limit keeps all, may delete, replace and rebuild, and adds nothing", async () => {
  const [kept, gone] = [randomUUID(), randomUUID()];
  await addFile(kept, 2 * mib);
  await addFile(gone, 2 * mib);
  const [row] = await write("x".repeat(5000));
  const [space] = await sql`
    insert into public.vectors (name, model, dimensions) values ('Space', ${randomUUID()}, 1024) returning id`;
  const [knowledge, another] = await sql`
    insert into public.knowledges (team_id, name, vector_id) select ${team.id}, 'Base ' || n, ${space?.id} from generate_series(1, 2) n
    returning id`;
  for (const base of [knowledge, another])
    await sql`insert into public.document_indexes (team_id, knowledge_id, document_id)
              values (${team.id}, ${base?.id}, ${row?.id})`;
  const index = (base: typeof knowledge, chunks: number) =>
    sql`update public.document_indexes set chunks_count = ${chunks} where knowledge_id = ${base?.id}`;
  await index(knowledge, 2);
  await limitTo(mib);
  await expect(addFile(randomUUID(), 1)).rejects.toMatchObject({ code: "PT402" });
  await expect(write("x")).rejects.toMatchObject({ code: "PT402" });
  await expect(index(another, 1), "a knowledge base more").rejects.toMatchObject({ code: "PT402" });
  await index(knowledge, 9);
  await sql`update public.documents set content = 'shorter' where id = ${row?.id}`;
  await sql`update public.documents set title = 'Other' where id = ${row?.id}`;
  await sql.begin(async (tx) => {
    await tx`delete from public.files where id = ${gone}`;
    await tx`insert into public.files ${tx(fileOf(randomUUID(), mib))}`;
  });
  expect(await sql`select 1 from public.files where team_id = ${team.id}`).toHaveLength(2);
});

test("undoing a deletion may not exceed the limit, and can be tried again", async () => {
  const undo = () =>
    asCaller(sql, owner(), (tx) => tx`select private.restore_deleted('sources', ${team.id}, ${source})`);
  await write("x".repeat(0.75 * mib));
  await limitTo(mib);
  await asCaller(sql, owner(), async (tx) => {
    await tx`select private.keep_deleted('sources', ${team.id}, ${source})`;
    await tx`delete from public.sources where id = ${source}`;
  });
  const id = randomUUID();
  await addFile(id, 0.75 * mib);
  expect(await refusal(undo())).toBe("PT402");
  await sql`delete from public.files where id = ${id}`;
  expect(await refusal(undo())).toBeUndefined();
  expect(await readUsed()).toBe(share + 0.75 * mib);
});

const sign = async () => {
  const rows = await asCaller(sql, owner(), (tx) => tx`select private.sign_upload(${team.id}) as id`);
  return String(rows[0]?.id);
};
/** The first form is hosted Supabase's, the second the local storage's. */
const metadataForms = [
  (size: number) => ({ eTag: "x", size }),
  (size: number) => JSON.stringify({ eTag: "x", size }),
];
const arrive = (id: string, size: number, metadata = metadataForms[0]) =>
  sql`insert into storage.objects (bucket_id, name, metadata) values ('files', ${pathOf(id)}, ${sql.json(metadata?.(size) ?? {})})`;

test.each(metadataForms)(
  "what arrives at a signed URL counts until it is registered or gone: %#",
  async (metadata) => {
    await sql`insert into storage.buckets (id, name) values ('files', 'files') on conflict do nothing`;
    const [registered, left] = [await sign(), await sign()];
    expect(await readUsed()).toBe(0);
    await arrive(registered, 700, metadata);
    await arrive(left, 300, metadata);
    expect(await readUsed()).toBe(1000);
    await addFile(registered, 700);
    expect(await readUsed()).toBe(1000);
    await sql`delete from storage.objects where name = ${pathOf(left)}`;
    expect(await readUsed()).toBe(700);
    const paths = [registered, left].map(pathOf);
    expect(await sql`select 1 from private.signed_uploads where path = any (${paths})`).toHaveLength(0);
  },
);

test("what arrives at a signed URL and does not fit is unwanted at once", async () => {
  await sql`insert into storage.buckets (id, name) values ('files', 'files') on conflict do nothing`;
  await limitTo(mib);
  const [first, second] = [await sign(), await sign()];
  await arrive(first, 0.75 * mib);
  await arrive(second, 0.75 * mib);
  expect(await readUsed()).toBe(0.75 * mib);
  const isRefused = async (id: string) =>
    (await asCaller(sql, owner(), (tx) => tx`select private.is_refused_upload(${pathOf(id)}) as it`))[0]?.it;
  expect([await isRefused(first), await isRefused(second)]).toEqual([false, true]);
  const unwanted = await sql`
    select path from private.unwanted_objects where path = any (${[first, second].map(pathOf)})`;
  expect(unwanted).toEqual([{ path: pathOf(second) }]);
  await addFile(first, 0.75 * mib);
  expect(await readUsed()).toBe(0.75 * mib);
});

test("what arrives at a signed URL of somebody who may no longer add files counts nowhere and is unwanted at once", async () => {
  await sql`insert into storage.buckets (id, name) values ('files', 'files') on conflict do nothing`;
  const [person, role] = [randomUUID(), randomUUID()];
  await sql`insert into auth.users (id, aud, role, email) values (${person}, 'authenticated', 'authenticated', ${`${person}@parley.test`})`;
  await sql`insert into public.roles (id, team_id, name, codename, permissions)
            values (${role}, ${team.id}, 'Uploads', 'uploads', '{team.read,files.write}')`;
  const join = () => sql`
    insert into public.team_users (team_id, user_id, email, role_id, status)
    values (${team.id}, ${person}, ${`${person}@parley.test`}, ${role}, 'accepted')`;
  const permit = (permissions: string) =>
    sql`update public.roles set permissions = ${permissions}::text[] where id = ${role}`;
  const ban = (at: Date | null) => sql`update public.users set banned_at = ${at} where id = ${person}`;
  const ends: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    ["left", () => sql`delete from public.team_users where user_id = ${person}`, join],
    ["demoted", () => permit("{team.read}"), () => permit("{team.read,files.write}")],
    ["banned", () => ban(new Date()), () => ban(null)],
  ];
  await join();
  const key = randomUUID();
  await sql`insert into public.api_keys (id, team_id, name, role_id, prefix, secret_hash, created_by)
            values (${key}, ${team.id}, 'Key', ${role}, ${key.slice(0, 8)}, ${Buffer.alloc(32)}, ${person})`;
  const byKey = { role: "authenticated", api_key_id: key, team_id: team.id } as const;
  for (const claims of [user(person), byKey]) {
    const signAs = async () => {
      const rows = await asCaller(sql, claims, (tx) => tx`select private.sign_upload(${team.id}) as id`);
      return String(rows[0]?.id);
    };
    for (const [how, end, undo] of ends) {
      const [before, after] = [await signAs(), await signAs()];
      await arrive(before, 100);
      const used = await readUsed();
      await end();
      await arrive(after, 100);
      expect(await readUsed(), how).toBe(used);
      const unwanted = await sql`
        select path from private.unwanted_objects where path = any (${[before, after].map(pathOf)})`;
      expect(unwanted, how).toEqual([{ path: pathOf(after) }]);
      await undo();
    }
  }
  expect(await readUsed()).toBe(600);
});

test("only those who add files sign uploads, and records of unused URLs go", async () => {
  const [other] = await makeSmallTeams(sql, 1);
  const strange = asCaller(
    sql,
    user(other?.owners[0] ?? ""),
    (tx) => tx`select private.sign_upload(${team.id})`,
  );
  expect(await refusal(strange)).toBe("42501");
  const [old, fresh] = [await sign(), await sign()];
  await sql`update private.signed_uploads set created_at = now() - interval '4 hours' where path = ${pathOf(old)}`;
  await asCaller(sql, service, (tx) => tx`select private.sweep_signed_uploads()`);
  const left = await sql`select path from private.signed_uploads where team_id = ${team.id}`;
  expect(left).toEqual([{ path: pathOf(fresh) }]);
});
