// Races about the queue: concurrent claims, stops, ends and deletions.
import { randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { describe, expect, it } from "vitest";
import { deleteTeam } from "#edge-functions/v1/teams/queries.ts";
import {
  isRefused,
  openTrack,
  type Race,
  rowsOf,
  type Side,
  takeOut,
  testCrowd,
  testRace,
} from "./racing.ts";
import { makeSmallTeams, type SmallTeam, service, user } from "./teams.ts";

const track = openTrack();

interface Content {
  team: SmallTeam;
  source: string;
  knowledge: string;
  document: string;
}

/** For each team a source with a document, in a knowledge base. */
async function prepare(sql: Sql, count: number): Promise<Content[]> {
  const teams = await makeSmallTeams(sql, count);
  const contents = teams.map((team) => ({
    team,
    source: randomUUID(),
    knowledge: randomUUID(),
    document: randomUUID(),
  }));
  const rows = sql.json(contents.map(({ team, ...rest }) => ({ team: team.id, ...rest })));
  const each = sql`jsonb_to_recordset(${rows}) as c (team uuid, source uuid, knowledge uuid, document uuid)`;
  await sql`insert into public.sources (id, team_id, type, name) select source, team, 'file', 'Source' from ${each}`;
  await sql`insert into public.knowledges (id, team_id, name) select knowledge, team, 'Knowledge' from ${each}`;
  await sql`insert into public.knowledge_sources (team_id, knowledge_id, source_id)
            select team, knowledge, source from ${each}`;
  await sql`insert into public.documents (id, team_id, source_id, external_id, type, title)
            select document, team, source, document, 'file', 'Document' from ${each}`;
  return contents;
}

const enqueue = (sql: Sql, { team, source }: Content) =>
  sql`select private.enqueue_task(${team.id}, 'index', ${`index:source:${source}`}, ${source})`;

const claim = (): Side => ({
  claims: service,
  work: (tx) => tx`select id, fence from private.claim_task('worker', 60)`,
});

const stop = ({ team, source }: Content): Side => ({
  claims: user(team.owners[0]),
  work: (tx) => tx`select 1 from public.stop_indexing(${source}) as stopped where stopped is not null`,
});

const readTasks = (sql: Sql, { source }: Content) =>
  sql<{ status: string; fence: string; attempts: number; lease_owner: string | null }[]>`
    select status, fence, attempts, lease_owner from public.tasks where source_id = ${source}`;

describe("ten workers at once", () => {
  const begin = async (sql: Sql, tasks: number) => {
    await sql`delete from public.teams`;
    const [team] = await makeSmallTeams(sql, 1);
    await sql`insert into public.tasks (team_id, type, key)
              select ${team?.id ?? null}, 'index', ${`race:${randomUUID()}:`} || n from generate_series(1, ${tasks}::int) n`;
  };
  const work = async (sql: Sql, _round: unknown, member: number) =>
    (await sql`select id from private.claim_task(${`worker ${member}`}, 60)`)[0]?.id;
  const unlock = (sql: Sql) => takeOut(sql, "private.claim_task(text,int)", "for update skip locked");

  testCrowd("one of them claims the only task", {
    size: 10,
    begin: (sql) => begin(sql, 1),
    work,
    check: async (sql, _round, claimed) => {
      expect(claimed.filter((id) => id !== undefined).length).toBe(1);
      expect((await sql`select attempts, fence::int from public.tasks`)[0]).toEqual({
        attempts: 1,
        fence: 1,
      });
    },
    unlock,
  });

  testCrowd("they claim no task twice", {
    size: 10,
    begin: (sql) => begin(sql, 8),
    work,
    check: async (sql, _round, claimed) => {
      const ids = claimed.filter((id) => id !== undefined);
      expect(new Set(ids).size).toBe(ids.length);
      const running = await sql`select id from public.tasks where status = 'running'`;
      expect(running.map(({ id }) => id).sort()).toEqual(ids.sort());
    },
    unlock,
  });
});

describe("a task", () => {
  testRace("that two request at once is queued once", track, {
    prepare,
    sides: (round) => {
      const ask = (owner: string): Side => ({
        claims: user(owner),
        work: async (tx) => (await tx`select public.index_source(${round.source}) as id`)[0]?.id,
      });
      return [ask(round.team.owners[0]), ask(round.team.owners[1])];
    },
    check: async (sql, round, [one, other]) => {
      expect(one).toEqual(other);
      expect(isRefused(one)).toBe(false);
      expect((await readTasks(sql, round)).length).toBe(1);
    },
  });

  const queued: Pick<Race<Content>, "prepare" | "begin"> = {
    prepare,
    begin: async (sql, round) => {
      await sql`delete from public.tasks`;
      await enqueue(sql, round);
    },
  };

  testRace("whose worker is silent is taken over by one", track, {
    ...queued,
    begin: async (sql, round) => {
      await queued.begin?.(sql, round);
      await sql`select private.claim_task('silent', 60)`;
      await sql`update public.tasks set lease_until = now() - interval '1 second'`;
    },
    sides: () => [claim(), claim()],
    check: async (sql, round, outcomes) => {
      expect(outcomes.map(rowsOf).sort()).toEqual([0, 1]);
      const attempts = await sql`select number, status from public.task_attempts order by number`;
      expect(attempts).toEqual([
        { number: 1, status: "lost" },
        { number: 2, status: "running" },
      ]);
      expect(await readTasks(sql, round)).toMatchObject([{ status: "running", attempts: 2, fence: "2" }]);
    },
    unlock: (sql) => takeOut(sql, "private.claim_task(text,int)", "for update skip locked"),
  });

  testRace("that is stopped and claimed ends, or its worker is told", track, {
    ...queued,
    sides: (round) => [stop(round), claim()],
    check: async (sql, round, [stopped, claimed]) => {
      expect(rowsOf(stopped)).toBe(1);
      const status = rowsOf(claimed) === 1 ? "stopping" : "stopped";
      expect(await readTasks(sql, round)).toMatchObject([{ status }]);
    },
  });

  const running = {
    prepare,
    begin: async (sql: Sql, round: Content) => {
      await queued.begin?.(sql, round);
      await sql`select private.claim_task('worker', 60)`;
    },
  };
  const end = (round: Content, status: string): Side => ({
    claims: service,
    work: (tx) => tx`select 1 from public.tasks t
      where t.source_id = ${round.source} and private.end_claim(t.id, 1, ${status}, 'code')`,
  });

  testRace("that is stopped and ended has ended", track, {
    ...running,
    sides: (round) => [stop(round), end(round, "succeeded")],
    check: async (sql, round, [, ended]) => {
      expect(rowsOf(ended)).toBe(1);
      expect(await readTasks(sql, round)).toMatchObject([{ status: "succeeded", lease_owner: null }]);
    },
  });

  testRace("that is stopped and postponed is stopped by its next worker", track, {
    ...running,
    sides: (round) => [stop(round), end(round, "waiting")],
    check: async (sql, round, [stopped, ended]) => {
      expect([rowsOf(stopped), rowsOf(ended)]).toEqual([1, 1]);
      const [task] = await readTasks(sql, round);
      // A waiting task ends at once; otherwise the next claim finds it stopping.
      expect(["stopped", "stopping"]).toContain(task?.status);
      expect(task?.lease_owner).toBeNull();
    },
    unlock: (sql) =>
      takeOut(
        sql,
        "private.end_claim(uuid,bigint,text,text,jsonb,text,double precision)",
        "case when t.status = 'stopping' and not ends then 'stopping' else new_status end",
        "new_status",
      ),
  });
});

describe("a deletion during indexing", () => {
  const kinds = { source: "sources", knowledge: "knowledges", document: "documents" } as const;

  const race = (kind: keyof typeof kinds): Race<Content> => ({
    prepare,
    sides: (round) => [
      {
        claims: user(round.team.owners[0]),
        work: (tx) => tx`delete from public.${tx(kinds[kind])} where id = ${round[kind]} returning 1`,
      },
      {
        claims: user(round.team.owners[1]),
        work: (tx) => tx`select ${tx(`index_${kind}`)}(${round[kind]})`,
      },
    ],
    check: async (sql, round, [deleted, asked]) => {
      expect(rowsOf(deleted)).toBe(1);
      if (isRefused(asked)) expect(["PT404", "23503"]).toContain(asked.refused);
      const left = await sql`
        select 1 from public.tasks where ${sql(`${kind}_id`)} = ${round[kind]}
        union all select 1 from public.${sql(kinds[kind])} where id = ${round[kind]}`;
      expect(left.length).toBe(0);
    },
  });

  testRace("removes a source completely", track, race("source"));
  testRace("removes a knowledge base completely", track, race("knowledge"));
  testRace("removes a document completely", track, race("document"));

  testRace("removes a knowledge base and its source completely, both at once", track, {
    prepare,
    sides: (round) => {
      const remove = (table: string, id: string, owner: string): Side => ({
        claims: user(owner),
        work: (tx) => tx`delete from public.${tx(table)} where id = ${id} returning 1`,
      });
      return [
        remove("sources", round.source, round.team.owners[0]),
        remove("knowledges", round.knowledge, round.team.owners[1]),
      ];
    },
    check: async (sql, round, outcomes) => {
      expect(outcomes.map(rowsOf)).toEqual([1, 1]);
      const left = await sql`select 1 from public.tasks where knowledge_id = ${round.knowledge}
        union all select 1 from public.knowledge_sources where knowledge_id = ${round.knowledge}`;
      expect(left.length).toBe(0);
    },
  });

  const undoably = (kind: "source" | "knowledge") => async (tx: TransactionSql, round: Content) => {
    await tx`select private.keep_deleted(${kinds[kind]}, ${round.team.id}, ${round[kind]})`;
    return await tx`delete from public.${tx(kinds[kind])} where id = ${round[kind]} returning 1`;
  };
  it.each([
    ["teams", (tx: TransactionSql, { team }: Content) => deleteTeam(tx, team.id)],
    ["sources", undoably("source")],
    ["knowledges", undoably("knowledge")],
  ] as const)(
    "of one of the %s waits for a worker before it locks what the worker writes",
    async (kind, remove) => {
      const { sql } = track();
      await sql`delete from public.tasks`;
      const [round] = await prepare(sql, 1);
      if (!round) throw new Error("Nothing was prepared");
      const { team, source, knowledge, document } = round;
      await enqueue(sql, round);
      const [task] = await sql<
        { id: string; fence: string }[]
      >`select * from private.claim_task('worker', 60)`;
      const written = { documents: document, sources: source, knowledges: knowledge, teams: team.id };
      let removal: Promise<unknown> = Promise.resolve();
      await sql.begin(async (worker) => {
        await worker`select private.keep_task(${task?.id ?? ""}, ${task?.fence ?? 0}, 60)`;
        removal = sql.begin(async (tx) => {
          await tx`select set_config('role', 'authenticated', true),
                        set_config('request.jwt.claims', ${JSON.stringify(user(team.owners[0]))}, true)`;
          return await remove(tx, round);
        });
        await expect.poll(() => readWaiting(sql)).toBe(1);
        // Refused where the deletion holds the row already: each would wait for the other.
        for (const [table, id] of Object.entries(written))
          await worker`select 1 from public.${worker(table)} where id = ${id} for key share nowait`;
      });
      await removal;
      expect(await sql`select 1 from public.${sql(kind)} where id = ${written[kind]}`).toEqual([]);
    },
  );
});

async function readWaiting(sql: Sql): Promise<number> {
  const [row] = await sql<{ waiting: number }[]>`
    select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return row?.waiting ?? 0;
}
