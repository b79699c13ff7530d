// The queue: claims are leases with fences, one task per key runs at a time, nothing is lost when a worker dies.
import type { Sql } from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sentenceOf } from "../../edge-functions/_shared/text/sentences.ts";
import { type Actor, claimsOf } from "../support/actors.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { asCaller, refusal } from "./acting.ts";
import { makeWorld, type World } from "./world.ts";

let database: TestPostgres;
let sql: Sql;
let world: World;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 4 });
});

afterAll(() => database.stop());

beforeEach(async () => {
  await sql`delete from public.tasks`;
  world = await makeWorld(sql);
  await sql`delete from public.tasks`;
});

const service = { role: "service_role" } as const;

interface Task {
  id: string;
  status: string;
  fence: string;
  attempts: number;
  lease_owner: string | null;
}

async function enqueue(key: string, team = world.team): Promise<string> {
  const [row] = await asCaller(
    sql,
    service,
    (tx) => tx`select private.enqueue_task(${team}, 'index', ${key}) as id`,
  );
  return row?.id;
}

async function claim(worker = "worker", lease = 60): Promise<Task | undefined> {
  const rows = await asCaller(
    sql,
    service,
    (tx) => tx<Task[]>`select * from private.claim_task(${worker}, ${lease})`,
  );
  return rows[0];
}

/** A claim that must exist. */
async function requireClaim(worker?: string): Promise<Task> {
  const task = await claim(worker);
  if (!task) throw new Error("There was nothing to claim");
  return task;
}

async function keep({ id, fence }: Task, progress?: { done: number; total: number }): Promise<string | null> {
  const [row] = await asCaller(
    sql,
    service,
    (tx) =>
      tx`select private.keep_task(${id}, ${fence}, 60, ${progress?.done ?? null}, ${progress?.total ?? null}) as status`,
  );
  return row?.status;
}

async function end({ id, fence }: Task, status: string, delay = 0): Promise<boolean> {
  const [row] = await asCaller(
    sql,
    service,
    (tx) => tx`select private.end_claim(${id}, ${fence}, ${status}, 'code', '{}', null, ${delay}) as ended`,
  );
  return row?.ended;
}

const read = async (id: string) => (await sql`select * from public.tasks where id = ${id}`)[0];
const expireLease = (id: string) =>
  sql`update public.tasks set lease_until = now() - interval '1 second' where id = ${id}`;

describe("enqueueing", () => {
  test("returns the task already waiting for the same key", async () => {
    expect(await enqueue("a")).toBe(await enqueue("a"));
    expect(await enqueue("a")).not.toBe(await enqueue("b"));
  });

  test("creates another one while the first runs, which then waits for it", async () => {
    const first = await enqueue("a");
    const running = await requireClaim();
    expect(running.id).toBe(first);
    const second = await enqueue("a");
    expect(second).not.toBe(first);
    expect(await claim()).toBeUndefined();
    await end(running, "succeeded");
    expect((await requireClaim()).id).toBe(second);
  });
});

describe("a claim", () => {
  test("that was released is not held again by a late heartbeat", async () => {
    await enqueue("a");
    const task = await requireClaim();
    expect(await keep(task)).toBe("running");
    await end(task, "running");
    expect(await keep(task)).toBeNull();
    expect(await read(task.id)).toMatchObject({ status: "running", lease_until: null });
    expect((await requireClaim()).id).toBe(task.id);
  });

  test("belongs to one worker, however many try", async () => {
    await enqueue("a");
    await enqueue("b");
    const claims = await Promise.all(["1", "2", "3", "4"].map((worker) => claim(worker)));
    const ids = claims.flatMap((task) => (task ? [task.id] : []));
    expect(ids.length).toBe(2);
    expect(new Set(ids).size).toBe(2);
  });

  test("is extended with its fence, and shows progress", async () => {
    await enqueue("a");
    const task = await requireClaim();
    expect(await keep(task, { done: 2, total: 5 })).toBe("running");
    expect(await read(task.id)).toMatchObject({ done: 2, total: 5, status: "running" });
    expect(await keep({ ...task, fence: String(Number(task.fence) - 1) })).toBeNull();
  });

  test("is lost when the lease expires: the next worker resumes, the last one can write nothing", async () => {
    await enqueue("a");
    const dead = await requireClaim("dead");
    expect(await claim("next")).toBeUndefined();
    await expireLease(dead.id);
    const next = await requireClaim("next");
    expect(next).toMatchObject({ id: dead.id, attempts: 2, lease_owner: "next" });
    expect(Number(next.fence)).toBe(Number(dead.fence) + 1);
    expect(await keep(dead)).toBeNull();
    expect(await end(dead, "succeeded")).toBe(false);
    expect(await read(dead.id)).toMatchObject({ status: "running", lease_owner: "next" });
  });

  test("fails after the last attempt, with the reason", async () => {
    const id = await enqueue("a");
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect((await requireClaim()).attempts).toBe(attempt);
      await expireLease(id);
    }
    expect(await claim()).toBeUndefined();
    const task = await read(id);
    expect(task).toMatchObject({ status: "failed", message_code: "workerDied", lease_owner: null });
    expect([task?.error, task?.finished_at]).toEqual([sentenceOf("workerDied"), expect.any(Date)]);
  });

  test("released between slices resumes in the same attempt", async () => {
    await enqueue("a");
    const first = await requireClaim();
    await end(first, "running");
    const again = await requireClaim();
    expect(again).toMatchObject({ id: first.id, attempts: 1, status: "running" });
  });

  test("released blocks others of its key", async () => {
    await enqueue("a");
    const first = await requireClaim();
    await end(first, "running");
    await enqueue("a");
    expect((await requireClaim()).id).toBe(first.id);
  });

  test("that waits is not claimed before its time", async () => {
    const id = await enqueue("a");
    await end(await requireClaim(), "waiting", 600);
    expect(await claim()).toBeUndefined();
    await sql`update public.tasks set run_after = now() where id = ${id}`;
    expect((await requireClaim()).id).toBe(id);
  });

  test.each(["succeeded", "failed", "stopped"])("that ended as %s stays ended", async (status) => {
    await enqueue("a");
    const task = await requireClaim();
    expect(await end(task, status)).toBe(true);
    expect(await end(task, "running")).toBe(false);
    expect(await claim()).toBeUndefined();
    expect((await read(task.id))?.finished_at).not.toBeNull();
  });

  test("goes to the team with the fewest running tasks", async () => {
    for (const key of ["a", "b", "c"]) await enqueue(key);
    const other = await enqueue("d", world.otherTeam);
    await requireClaim();
    expect((await requireClaim()).id).toBe(other);
  });
});

describe("teams take turns", () => {
  const others = () => Promise.all([addTeam("two"), addTeam("three")]);

  async function addTeam(codename: string): Promise<string> {
    const [row] =
      await sql`insert into public.teams (name, codename) values (${codename}, ${`turns-${codename}-${Date.now()}`}) returning id`;
    return row?.id;
  }

  async function queueMany(count: number): Promise<void> {
    await sql`insert into public.tasks (team_id, type, key, run_after)
              select ${world.team}, 'index', 'many:' || n, now() - interval '1 hour' from generate_series(1, ${count}::int) n`;
  }

  /** One worker after the other claims a task and finishes it; returns the tasks' teams. */
  async function serveTurns(turns: number): Promise<string[]> {
    const teams: string[] = [];
    for (let turn = 0; turn < turns; turn++) {
      const task = await requireClaim();
      teams.push((await read(task.id))?.team_id);
      await end(task, "succeeded");
    }
    return teams;
  }

  test("a team with ten thousand tasks does not block others, and a claim reads few of them", async () => {
    // Postgres's statistics are from before the rush.
    await sql`analyze public.tasks`;
    await queueMany(10_000);
    const [two, three] = await others();
    await serveTurns(3);
    for (const key of ["a", "b"]) {
      await enqueue(`two:${key}`, two);
      await enqueue(`three:${key}`, three);
    }
    const turns = await serveTurns(6);
    for (const team of [world.team, two, three]) expect(turns.filter((one) => one === team)).toHaveLength(2);
    expect(new Set(turns.slice(0, 3)).size).toBe(3);
    // The rows that a claim reads: the connection's counters, which may lag by a second.
    const looked = await sql.begin(async (tx) => {
      const rows = async () => {
        const [counted] = await tx`
          select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::int as rows from pg_catalog.pg_stat_xact_user_tables
           where schemaname = 'public' and relname = 'tasks'`;
        return counted?.rows;
      };
      const before = await rows();
      // Not the whole claim: with statistics this old, Postgres may check a foreign key by a bad index.
      await tx`select * from private.claimable_tasks(clock_timestamp())`;
      return (await rows()) - before;
    });
    expect(looked).toBeGreaterThan(0);
    expect(looked).toBeLessThan(500);
  });

  test("ten concurrent workers claim ten tasks, some of every team, and no task twice", async () => {
    await queueMany(50);
    const [two, three] = await others();
    for (let i = 0; i < 4; i++) {
      await enqueue(`two:${i}`, two);
      await enqueue(`three:${i}`, three);
    }
    const tasks = await Promise.all(Array.from({ length: 10 }, (_, i) => requireClaim(`worker ${i}`)));
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(10);
    const rows =
      await sql`select team_id, count(*)::int as n from public.tasks where status = 'running' group by 1`;
    expect(rows).toHaveLength(3);
  });
});

describe("stopping", () => {
  const stop = async (actor: Actor = "editor") => {
    const [row] = await asCaller(
      sql,
      claimsOf(actor, world),
      (tx) => tx`select public.stop_indexing(${world.source}) as task`,
    );
    return row?.task;
  };
  const ask = (actor: Actor, name: "index_source" | "index_knowledge") => {
    const of = { index_source: world.source, index_knowledge: world.knowledge };
    return asCaller(sql, claimsOf(actor, world), async (tx) => {
      const [row] = await tx.unsafe(`select public.${name}('${of[name]}') as task`);
      return row?.task;
    });
  };

  test("ends a waiting task at once", async () => {
    const id = await ask("editor", "index_source");
    expect(await stop()).toBe(id);
    expect(await read(id)).toMatchObject({ status: "stopped" });
    expect(await claim()).toBeUndefined();
  });

  test("signals a running task, which ends", async () => {
    await ask("editor", "index_source");
    const task = await requireClaim();
    await stop();
    expect(await keep(task)).toBe("stopping");
    expect(await end(task, "stopped")).toBe(true);
  });

  test.each(["running", "waiting"])(
    "is not lost to a worker that reports %s at the same moment",
    async (status) => {
      await ask("editor", "index_source");
      const task = await requireClaim();
      await stop();
      expect(await end(task, status, 600)).toBe(true);
      expect(await requireClaim()).toMatchObject({ id: task.id, status: "stopping" });
    },
  );

  test("reaches the knowledge bases that have the source, and nothing else", async () => {
    const knowledge = await ask("editor", "index_knowledge");
    const other = await asCaller(
      sql,
      claimsOf("editor", world),
      async (tx) => (await tx`select public.index_knowledge(${world.otherKnowledge}) as task`)[0]?.task,
    );
    await stop();
    expect(await read(knowledge)).toMatchObject({ status: "stopped" });
    expect(await read(other)).toMatchObject({ status: "queued" });
  });

  test("without a task does nothing", async () => {
    expect(await stop()).toBeNull();
  });
});

test("the queue is service only", async () => {
  for (const call of [
    "private.claim_task('me', 60)",
    `private.keep_task('${world.task}', 0, 60)`,
    `private.end_claim('${world.task}', 0, 'failed', 'x')`,
    `private.enqueue_task('${world.team}', 'index', 'x')`,
  ])
    expect(await refusal(asCaller(sql, claimsOf("owner", world), (tx) => tx.unsafe(`select ${call}`)))).toBe(
      "42501",
    );
});
