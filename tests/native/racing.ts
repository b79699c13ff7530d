// Owns races: two transactions on two connections that overlap in every order, or many at once, two dozen times, and the proof that such a
// test can fail. Does not know what must hold afterwards.
import postgres, { type Sql, type TransactionSql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Claims } from "../support/actors.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { seededRandom } from "../support/seed.ts";

/** Of tests that wait for a coincidence. */
export const rounds = 60;
/** Without its lock each of the races fails in one of its first three. */
const raceRounds = 24;
/** A deadlock costs the loser this long. Postgres's own second would make every such test slow. */
const DEADLOCK_TIMEOUT = "10ms";
const ATTEMPTS = 4;

/** One of two racers: a transaction as this caller. */
export interface Side {
  claims: Omit<Claims, "role"> & { role: Claims["role"] | "none" };
  work(tx: TransactionSql): Promise<unknown>;
}

/** A side's result: its work's return value, or Postgres's error code. */
export type Outcome = { value: unknown } | { refused: string };

export interface Race<Round> {
  /** The number of rounds; 24 by default. */
  rounds?: number;
  /** Creates the rows of all rounds, each round's its own. */
  prepare(sql: Sql, count: number): Promise<Round[]>;
  /** Creates what must not exist in earlier rounds. */
  begin?(sql: Sql, round: Round): Promise<unknown>;
  sides(round: Round): [Side, Side];
  /** Fails when the result is inconsistent. */
  check(sql: Sql, round: Round, outcomes: [Outcome, Outcome], order: Order): Promise<void>;
  /** Removes the lock; the check must then fail. */
  unlock?(sql: Sql): Promise<unknown>;
}

/** The order of a round: one side holds its work until the other is done or waits for it, or both start at once. */
const orders = ["first holds", "second holds", "at once"] as const;
type Order = (typeof orders)[number];
/** Rounds in which one side holds are deterministic, so two of each are enough; concurrent starts are random. */
const IN_TURNS = 6;
/** Prepared at once: a race without its lock fails in one of its first rounds. */
const TOGETHER = 6;
const orderOf = (number: number): Order =>
  (number < IN_TURNS ? orders[number % orders.length] : undefined) ?? "at once";

export interface Track {
  sql: Sql;
  database: TestPostgres;
  run(sides: [Side, Side], order: Order): Promise<[Outcome, Outcome]>;
}

/** The file's database with two connections for racers; started before its tests. */
export function openTrack(): () => Track {
  let track: Track | undefined;
  let database: TestPostgres | undefined;
  beforeAll(async () => {
    database = await startTestPostgres();
    track = await layTrack(database);
  });
  afterAll(async () => {
    await database?.stop();
  });
  return () => {
    if (!track) throw new Error("The track is there once the tests run");
    return track;
  };
}

const random = seededRandom("The order of races");

async function layTrack(database: TestPostgres): Promise<Track> {
  const options = { max: 1, connection: { deadlock_timeout: DEADLOCK_TIMEOUT } };
  const sql = database.connect("postgres", { max: 4 });
  const lanes = [database.connect("postgres", options), database.connect("postgres", options)] as const;
  const pids = await Promise.all(
    lanes.map(async (lane) => (await lane<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid ?? 0),
  );
  const waits = async (lane: 0 | 1) => {
    const [row] = await sql`select cardinality(pg_blocking_pids(${pids[lane] ?? 0})) > 0 as waits`;
    return row?.waits === true;
  };
  /** Resolves when a lane has done its work, or waits for a lock. */
  const doneOrWaiting = async (lane: 0 | 1, work: Promise<unknown>) => {
    let isDone = false;
    void work.then(() => {
      isDone = true;
    });
    while (!isDone && !(await waits(lane)));
  };
  /** Yields for a random number of turns. */
  const dawdle = async () => {
    for (let turns = Math.floor(random() * 6); turns > 0; turns--) await new Promise(setImmediate);
  };
  return {
    sql,
    database,
    run: async (sides, order) => {
      const begun = [signal(), signal()] as const;
      const worked = [signal(), signal()] as const;
      const holder = order === "first holds" ? 0 : 1;
      const outcomes = ([0, 1] as const).map((lane) => {
        const other = lane === 0 ? 1 : 0;
        const gates = {
          start: async () => {
            begun[lane].resolve();
            await (order === "at once" || lane === holder ? begun[other].promise : worked[other].promise);
            if (order === "at once") await dawdle();
          },
          end: async () => {
            worked[lane].resolve();
            if (order !== "at once" && lane === holder) await doneOrWaiting(other, worked[other].promise);
          },
        };
        return attempt(lanes[lane], sides[lane], gates).finally(() => worked[lane].resolve());
      });
      // Two lanes, two outcomes: map() does not keep the length.
      return (await Promise.all(outcomes)) as [Outcome, Outcome];
    },
  };
}

interface Gates {
  start(): Promise<void>;
  end(): Promise<void>;
}

/** Retries after a deadlock, as the edge functions do, but without delaying anybody. */
async function attempt(lane: Sql, { claims, work }: Side, gates: Gates): Promise<Outcome> {
  for (let number = 1; ; number++) {
    try {
      return await lane.begin(async (tx) => {
        await tx`select set_config('role', ${claims.role}, true),
                        set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
                        set_config('request.jwt.claim.sub', ${claims.sub ?? ""}, true)`;
        if (number === 1) await gates.start();
        const value = await work(tx);
        if (number === 1) await gates.end();
        return { value };
      });
    } catch (error) {
      if (!(error instanceof postgres.PostgresError)) throw error;
      if (error.code !== "40P01" || number === ATTEMPTS) return { refused: error.code };
    }
  }
}

function signal() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Tests a race on the track; if it can be unlocked, also that the test then fails. */
export function testRace<Round>(name: string, track: () => Track, race: Race<Round>): void {
  test(name, async () => {
    await runRounds(track(), race);
  });
  const { unlock } = race;
  if (!unlock) return;
  test(`${name}: fails without the lock`, async () => {
    const database = await startTestPostgres();
    try {
      const unlocked = await layTrack(database);
      await unlock(unlocked.sql);
      await expect(runRounds(unlocked, race)).rejects.toThrow(/^Round \d+/);
    } finally {
      await database.stop();
    }
  });
}

/** Many who do the same at once, each on a connection of their own. */
export interface Crowd<Round> {
  size: number;
  begin(sql: Sql, number: number): Promise<Round>;
  work(sql: Sql, round: Round, member: number): Promise<unknown>;
  check(sql: Sql, round: Round, results: unknown[]): Promise<void>;
  unlock(sql: Sql): Promise<unknown>;
}

export function testCrowd<Round>(name: string, crowd: Crowd<Round>): void {
  test(name, () => runCrowd(crowd));
  test(`${name}: fails without the lock`, async () => {
    await expect(runCrowd(crowd, crowd.unlock)).rejects.toThrow(/^Round \d+/);
  });
}

async function runCrowd<Round>(crowd: Crowd<Round>, unlock?: (sql: Sql) => Promise<unknown>): Promise<void> {
  const database = await startTestPostgres();
  try {
    const sql = database.connect("postgres", { max: 1 });
    await unlock?.(sql);
    const members = Array.from({ length: crowd.size }, () => database.connect("postgres", { max: 1 }));
    for (let number = 0; number < raceRounds; number++) {
      const round = await crowd.begin(sql, number);
      const results = await Promise.all(members.map((member, i) => crowd.work(member, round, i)));
      await checkRound(`Round ${number}`, results, () => crowd.check(sql, round, results));
    }
  } finally {
    await database.stop();
  }
}

async function runRounds<Round>(track: Track, race: Race<Round>): Promise<void> {
  const times = race.rounds ?? raceRounds;
  let prepared: Round[] = [];
  for (let number = 0; number < times; number++) {
    const place = number % TOGETHER;
    if (place === 0) prepared = await race.prepare(track.sql, Math.min(TOGETHER, times - number));
    const [round] = prepared.slice(place, place + 1);
    if (!round) throw new Error(`Round ${number} was not prepared`);
    const order = orderOf(number);
    await race.begin?.(track.sql, round);
    const outcomes = await track.run(race.sides(round), order);
    await checkRound(`Round ${number}, ${order}`, outcomes, () =>
      race.check(track.sql, round, outcomes, order),
    );
  }
}

async function checkRound(round: string, came: unknown, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new Error(`${round}, came out as ${JSON.stringify(came)}: ${problem}`, { cause: error });
  }
}

/** Removes a text from a function, such as its `for update`. */
export async function takeOut(sql: Sql, name: string, text: string, instead = ""): Promise<void> {
  const [row] = await sql<{ source: string }[]>`select pg_get_functiondef(${name}::regprocedure) as source`;
  const changed = row?.source.replaceAll(text, instead);
  if (!changed || changed === row?.source) throw new Error(`${name} does not say ${text}`);
  await sql.unsafe(changed);
}

export const isRefused = (outcome: Outcome): outcome is { refused: string } => "refused" in outcome;

/** The number of rows that a side's statement changed or returned; none when it was refused. */
export function rowsOf(outcome: Outcome): number {
  if (isRefused(outcome)) return 0;
  if (!Array.isArray(outcome.value)) throw new Error("A side returns the rows of its statement");
  return outcome.value.length;
}
