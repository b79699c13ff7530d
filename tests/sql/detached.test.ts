// A large deletion is over at once for every reader, and its rows go in slices: nobody waits for it, and nothing is left.
import type { Sql, TransactionSql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Actor, actors, claimsOf } from "../support/actors.ts";
import { type ManyRows, makeManyRows } from "../support/many-rows.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { actAs, refusal, rollBack } from "./acting.ts";
import { countRows, mentions } from "./all-rows.ts";
import { makeWorld, type World } from "./world.ts";

const many = 1200;
const perSlice = 100;
/** The most that a slice deletes: each of its messages or passages has two rows beside it here, and 100 documents have an index each. */
const perTransaction = 3 * perSlice;

let database: TestPostgres;
let sql: Sql;
let world: World;
let large: ManyRows;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  world = await makeWorld(sql);
  // Else slices remove these too.
  await sql`delete from private.deletions`;
  await sql`delete from private.import_rows`;
  large = await makeManyRows(sql, { team: world.team, person: world.people.viewer, many });
});
afterAll(() => database.stop());

const by = <T>(tx: TransactionSql, actor: Actor, work: () => Promise<T>) =>
  actAs(tx, claimsOf(actor, world), work);

async function removeSlice(tx: TransactionSql): Promise<boolean> {
  const [row] = await actAs(
    tx,
    { role: "service_role" },
    () => tx<{ more: boolean }[]>`select private.remove_detached(${perSlice}) as more`,
  );
  return row?.more ?? false;
}

async function removeAll(tx: TransactionSql): Promise<number[]> {
  const removed: number[] = [];
  for (let before = await countRows(tx); await removeSlice(tx); ) {
    const after = await countRows(tx);
    removed.push(before - after);
    before = after;
  }
  return removed;
}

const kinds = { agents: "agent", knowledges: "knowledge", sources: "source" } as const;
type Kind = keyof typeof kinds;
const idOf = (kind: Kind) => large[kinds[kind]];
const tablesOf: Record<Kind, [table: string, column: string][]> = {
  agents: [
    ["agents", "id"],
    ["chats", "agent_id"],
  ],
  knowledges: [
    ["knowledges", "id"],
    ...["document_indexes", "chunks", "chunk_words", "chunk_embeddings", "document_tables", "table_rows"].map(
      (name): [string, string] => [name, "knowledge_id"],
    ),
  ],
  sources: [
    ["sources", "id"],
    ["documents", "source_id"],
    ["chunks", "source_id"],
  ],
};

/** What still names a deleted thing: a saved state of an agent says which knowledge bases it had. */
const stays: Record<Kind, string[]> = { agents: [], knowledges: ["public.agent_versions"], sources: [] };

/** What an actor sees of a thing, by table, with what has no column of it: messages, and the words of a source's passages. */
async function lookFor(tx: TransactionSql, actor: Actor, kind: Kind): Promise<string[]> {
  return await by(tx, actor, async () => {
    const found: string[] = [];
    const look = async (name: string, query: ReturnType<TransactionSql>) => {
      // An actor may lack the right to any column.
      const rows = await tx.savepoint((point) => point<{ there: boolean }[]>`${query}`).catch(() => []);
      if (rows.length > 0) found.push(name);
    };
    for (const [table, column] of tablesOf[kind])
      await look(
        table,
        tx`select 1 from ${tx(`public.${table}`)} where ${tx(column)} = ${idOf(kind)} limit 1`,
      );
    if (kind === "agents") {
      await look("messages", tx`select 1 from public.messages where content = 'A zebra has stripes' limit 1`);
      await look("gap_questions", tx`select 1 from public.gap_questions where agent_id = ${large.agent}`);
      await look("handovers", tx`select 1 from public.handovers where message = 'A zebra has stripes'`);
    }
    if (kind === "sources")
      for (const table of tablesOf.knowledges.map(([name]) => name).filter((name) => name !== "knowledges"))
        await look(
          table,
          tx`select 1 from ${tx(`public.${table}`)} where knowledge_id = ${large.knowledge} limit 1`,
        );
    return found;
  });
}

const remove = (tx: TransactionSql, kind: Kind) =>
  tx`delete from ${tx(`public.${kind}`)} where team_id = ${world.team} and id = ${idOf(kind)} returning id`;

describe.each(Object.keys(kinds) as Kind[])("%s with very many rows", (kind) => {
  test("are gone for everybody at once, and their rows in slices", async () => {
    await rollBack(sql, async (tx) => {
      expect((await lookFor(tx, "owner", kind)).length).toBeGreaterThan(1);
      const before = await countRows(tx);
      expect(await by(tx, "owner", () => remove(tx, kind))).toHaveLength(1);
      // One statement: what hangs on it is still there.
      expect(before - (await countRows(tx))).toBeLessThan(10);
      for (const actor of actors) expect(await lookFor(tx, actor, kind), actor).toEqual([]);

      const slices = await removeAll(tx);
      expect(slices.length).toBeGreaterThan(many / perSlice);
      expect(Math.max(...slices)).toBeLessThanOrEqual(perTransaction);
      expect(await mentions(tx, idOf(kind))).toEqual(stays[kind]);
    });
  });

  test("are not removed while the deletion can be undone, and are restored as they were", async () => {
    await rollBack(sql, async (tx) => {
      const rows = () =>
        tx.unsafe<{ n: string }[]>(
          [
            "chats",
            "messages",
            "handovers",
            "table_rows",
            "chunks",
            "chunk_words",
            "chunk_embeddings",
            "document_indexes",
            "agent_knowledges",
            "knowledge_sources",
          ]
            .map(
              (name) =>
                `select '${name}' || count(*) || coalesce(max(md5(t::text)), '') as n from public.${name} t`,
            )
            .join(" union all "),
        );
      const before = [...(await rows())];
      await by(tx, "owner", async () => {
        await tx`select private.keep_deleted(${kind}, ${world.team}, ${idOf(kind)})`;
        await remove(tx, kind);
      });
      if (kind === "sources") return;
      const [kept] = await tx<{ n: number }[]>`select count(*)::int as n from private.deleted_rows`;
      expect(kept?.n).toBeLessThan(20);
      expect(await removeSlice(tx)).toBe(false);
      await by(tx, "owner", () => tx`select private.restore_deleted(${kind}, ${world.team}, ${idOf(kind)})`);
      expect([...(await rows())]).toEqual(before);
      expect((await lookFor(tx, "owner", kind)).length).toBeGreaterThan(1);
      expect(await removeSlice(tx)).toBe(false);

      await by(tx, "owner", async () => {
        await tx`select private.keep_deleted(${kind}, ${world.team}, ${idOf(kind)})`;
        await remove(tx, kind);
      });
      await tx`update private.deletions set expires_at = clock_timestamp()`;
      await actAs(tx, { role: "service_role" }, () => tx`select private.purge_deletions(1000)`);
      expect((await removeAll(tx)).length).toBeGreaterThan(many / perSlice);
      expect(await mentions(tx, idOf(kind))).toEqual(stays[kind]);
    });
  });
});

test("every table below a root leaves out what hangs on detached ones", async () => {
  const rows = await sql<{ name: string }[]>`
    with recursive below (relation) as (
      select c.conrelid from pg_constraint c where c.confrelid = 'private.roots'::regclass and c.confdeltype = 'c'
      union
      select c.conrelid from below b join pg_constraint c on c.confrelid = b.relation and c.confdeltype = 'c')
    select b.relation::regclass::text as name from below b
     where has_any_column_privilege('authenticated', b.relation, 'select')
       and not exists (select from pg_policy p where p.polrelid = b.relation and not p.polpermissive and p.polcmd = 'r'
                         and p.polname <> 'estimates are refused')
     order by 1`;
  // Files hang on their team, of which nobody is a member any more. A task goes with its source, and its attempts with it; who reads the
  // passages of a reply reads the reply.
  expect(rows.map(({ name }) => name)).toEqual([
    "file_versions",
    "files",
    "reply_passages",
    "task_attempts",
    "tasks",
  ]);
});

test("insights and searches leave out what a deleted agent was asked", async () => {
  await rollBack(sql, async (tx) => {
    const figures = () =>
      by(tx, "owner", async () => {
        const [row] = await tx`
          select chats::int, messages::int from public.chat_insights(${world.team}, null, current_date - 1, current_date + 1, 'range')`;
        const found = await tx`select 1 from private.find_chats(${world.team}, 'zebra', 10)`;
        const said = await tx`select 1 from private.find_chats_by_message(${world.team}, 'stripes')`;
        const [support] = await tx`
          select coalesce(sum(replies), 0)::int as n from private.count_support(${world.team}, null, current_date - 1, current_date + 1)`;
        return { ...row, found: found.length, said: said.length, support: support?.n };
      });
    const [own] =
      await tx`select count(*)::int as n from public.chats where team_id = ${world.team} and agent_id <> ${large.agent}`;
    const [asked] = await tx`
      select count(*) filter (where m.role = 'user')::int as n, count(m.support)::int as support
        from public.messages m join public.chats c on c.id = m.chat_id where m.team_id = ${world.team} and c.agent_id <> ${large.agent}`;
    await tx`update public.messages set support = '{"state": "answered"}'
              where role = 'assistant' and chat_id in (select id from public.chats where agent_id = ${large.agent})`;
    expect(await figures()).toMatchObject({
      found: 10,
      said: many,
      support: (asked?.support ?? 0) + many / 2,
    });
    await by(tx, "owner", () => remove(tx, "agents"));
    expect(await figures()).toEqual({
      chats: own?.n,
      messages: asked?.n,
      found: 0,
      said: 0,
      support: asked?.support,
    });
  });
});

test("a search for documents finds one that is older than those of a deleted source", async () => {
  await rollBack(sql, async (tx) => {
    const add = (source: string, number: number) => tx`
      insert into public.documents (team_id, source_id, external_id, type, title, content)
      select ${world.team}, ${source}, 'quagga ' || n, 'note', 'A quagga', 'Extinct' from generate_series(1, ${number}) n returning id`;
    const other = await makeManyRows(tx, { team: world.team, person: world.people.viewer, many: 20 });
    const [older] = await add(other.source, 1);
    await add(large.source, 10);
    await by(tx, "owner", () => remove(tx, "sources"));
    const found = await by(
      tx,
      "owner",
      () => tx`select document_id as id from private.find_documents(${world.team}, 'quagga', 5)`,
    );
    expect([...found]).toEqual([older]);
  });
});

test("a search finds what is left beside a deleted source, and counts are right", async () => {
  await rollBack(sql, async (tx) => {
    const other = await makeManyRows(tx, { team: world.team, person: world.people.viewer, many: 20 });
    await tx`delete from public.document_tables where knowledge_id = ${other.knowledge}`;
    await tx`update public.chunks set knowledge_id = ${large.knowledge}, position = position + 100 where source_id = ${other.source}`;
    await tx`update public.chunk_words set knowledge_id = ${large.knowledge} where knowledge_id = ${other.knowledge}`;
    await tx`update public.document_indexes set knowledge_id = ${large.knowledge} where knowledge_id = ${other.knowledge}`;
    const findSources = () =>
      by(
        tx,
        "owner",
        () => tx<{ sourceId: string }[]>`
        select distinct source_id as "sourceId" from public.search_chunks(array[${large.knowledge}::uuid], 'zebra', '[]', 200, 'text')`,
      );
    await by(tx, "owner", () => remove(tx, "sources"));
    expect([...(await findSources())]).toEqual([{ sourceId: other.source }]);
    const counts = () =>
      tx`select documents_count, chunks_count from public.knowledges where id = ${large.knowledge}`;
    expect([...(await counts())]).toEqual([{ documents_count: 1, chunks_count: 20 }]);
    await removeAll(tx);
    expect([...(await findSources())]).toEqual([{ sourceId: other.source }]);
    expect([...(await counts())]).toEqual([{ documents_count: 1, chunks_count: 20 }]);
  });
});

test("a deleted team has no rows left, and its address is free at once", async () => {
  await rollBack(sql, async (tx) => {
    const [team] = await tx<
      { codename: string }[]
    >`select codename from public.teams where id = ${world.team}`;
    await by(tx, "owner", () => tx`delete from public.teams where id = ${world.team}`);
    for (const actor of actors)
      for (const kind of Object.keys(kinds) as Kind[])
        expect(await lookFor(tx, actor, kind), actor).toEqual([]);
    await tx`insert into public.teams (name, codename) values ('Next', ${team?.codename ?? ""})`;
    const slices = await removeAll(tx);
    expect(Math.max(...slices)).toBeLessThanOrEqual(perTransaction);
    // Bytes in storage that are still to be deleted are found by these, and whose a thread was, so that no other team answers in it.
    const left = await mentions(tx, world.team);
    expect(left).toEqual([
      "private.deleted_teams",
      "private.former_slack_threads",
      "private.import_archives",
      "private.unwanted_objects",
    ]);
  });
});

test("the files of a deleted team are out of reach at once and go in slices, with its stored objects and copies", async () => {
  await rollBack(sql, async (tx) => {
    await tx`
      insert into public.files (team_id, name, type, content_type, size, path, sha256)
      select ${world.team}, 'many.txt', 'document', 'text/plain', 5, 'teams/' || ${world.team}::text || '/' || gen_random_uuid(), repeat('a', 64)
        from generate_series(1, ${many}::int)`;
    await tx`
      insert into storage.objects (bucket_id, name)
      select 'files', 'teams/' || ${world.team}::text || '/' || gen_random_uuid() from generate_series(1, ${many}::int)`;
    await tx`insert into private.deletions (team_id, kind, row_id, expires_at) values (${world.team}, 'agents', ${world.agent}, 'infinity')`;
    await tx`
      insert into private.deleted_rows (deletion_id, table_name, content)
      select d.id, 'public.chats', '{}' from private.deletions d, generate_series(1, ${many}::int) where d.row_id = ${world.agent}`;
    const countOf = async (query: PromiseLike<readonly unknown[]>) => (await query).length;
    const files = () => tx`select 1 from public.files where team_id = ${world.team}`;
    const copies = () =>
      tx`select 1 from private.deleted_rows r join private.deletions d on d.id = r.deletion_id where d.team_id = ${world.team}`;
    const readUnwanted = () =>
      tx`select 1 from private.unwanted_objects where path like ${`teams/${world.team}/%`}`;
    const before = [await countOf(files()), await countOf(copies()), await countOf(readUnwanted())];

    await by(tx, "owner", () => tx`delete from public.teams where id = ${world.team}`);
    expect([await countOf(files()), await countOf(copies()), await countOf(readUnwanted())]).toEqual(before);
    const look = (point: TransactionSql) =>
      point<{ id: string }[]>`select id from public.files where team_id = ${world.team}`;
    // A visitor may not read files at all.
    for (const actor of actors)
      expect(await by(tx, actor, () => tx.savepoint(look).catch(() => [])), actor).toHaveLength(0);

    const slices = await removeAll(tx);
    expect(Math.max(...slices)).toBeLessThanOrEqual(perTransaction);
    expect(await countOf(files())).toBe(0);
    expect(await countOf(copies())).toBe(0);
    expect(await countOf(readUnwanted())).toBeGreaterThanOrEqual(2 * many);
    expect(await tx`select 1 from private.roots where id = ${world.team}`).toHaveLength(0);
  });
});

test.each(["users", "api_keys"])("messages lose a person or key of %s in slices", async (kind) => {
  await rollBack(sql, async (tx) => {
    const id = kind === "users" ? world.people.viewer : world.apiKey;
    if (kind === "api_keys") {
      await tx`update public.messages set user_id = null, api_key_id = ${id} where content = 'A zebra has stripes'`;
      await tx`update public.chats set user_id = null, api_key_id = ${id} where agent_id = ${large.agent}`;
      await tx`delete from public.api_keys where id = ${id}`;
    } else await tx`delete from auth.users where id = ${id}`;
    expect(await mentions(tx, id)).toContain("public.messages");
    await removeAll(tx);
    const [left] = await tx<{ n: number }[]>`
      select count(*)::int as n from public.messages where content = 'A zebra has stripes' and user_id is null and api_key_id is null`;
    expect(left?.n).toBe(many);
    const own = kind === "users" ? "user_id" : "api_key_id";
    for (const table of ["chats", "messages"])
      expect(await tx`select 1 from ${tx(`public.${table}`)} where ${tx(own)} = ${id}`, table).toHaveLength(
        0,
      );
    expect(await tx`select 1 from private.roots where id = ${id}`).toHaveLength(0);
  });
});

test("nobody writes into a deleted agent's chat or a deleted source", async () => {
  await rollBack(sql, async (tx) => {
    const [chat] = await tx<
      { id: string }[]
    >`select id from public.chats where agent_id = ${large.agent} limit 1`;
    await by(tx, "owner", () => remove(tx, "agents"));
    await by(tx, "owner", () => remove(tx, "sources"));
    const refusalOf = async (actor: Actor, work: (point: TransactionSql) => Promise<unknown>) => {
      await tx`select set_config('role', 'authenticated', true),
                      set_config('request.jwt.claims', ${JSON.stringify(claimsOf(actor, world))}, true)`;
      const code = await refusal(tx.savepoint(work));
      await tx`select set_config('role', 'none', true)`;
      return code;
    };
    // The person whose chat it was.
    const write = (point: TransactionSql) =>
      point`insert into public.messages (chat_id, content) values (${chat?.id ?? ""}, 'Still there?')`;
    expect(await refusalOf("viewer", write)).toBe("42501");
    const begin = (point: TransactionSql) =>
      point`insert into public.chats (agent_id) values (${large.agent})`;
    expect(await refusalOf("viewer", begin)).toBe("42501");
    const add = (point: TransactionSql) => point`
      insert into public.documents (team_id, source_id, external_id, type, title, content)
      values (${world.team}, ${large.source}, 'late', 'note', 'Late', 'Late')`;
    expect(await refusalOf("owner", add)).toBe("23503");
  });
});

test("small things go at once, up to 1,000 rows in a transaction", async () => {
  await rollBack(sql, async (tx) => {
    const agents = await tx<{ id: string }[]>`
      insert into public.agents (team_id, name) select ${world.team}, 'Small' from generate_series(1, 3) returning id`;
    for (const { id } of agents)
      await tx`insert into public.chats (team_id, agent_id) select ${world.team}, ${id} from generate_series(1, 400)`;
    await tx`delete from public.agents where id = any (${agents.map(({ id }) => id)}::uuid[])`;
    expect(await tx`select 1 from private.roots where detached_at is not null`).toHaveLength(1);
    const [left] = await tx<{ n: number }[]>`
      select count(*)::int as n from public.chats where agent_id = any (${agents.map(({ id }) => id)}::uuid[])`;
    expect(left?.n).toBe(400);
  });
});
