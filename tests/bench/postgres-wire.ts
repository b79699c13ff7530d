// The cost of the wire: row-secured requests per second through the embedded Postgres, and the same statements in the same PGlite without a
// wire. Run: node --import tsx tests/bench/postgres-wire.ts
import { PGlite } from "@electric-sql/pglite";
import type { Sql } from "postgres";
import { startTestPostgres } from "../support/postgres.ts";

const teams = 50;
const rowsPerTeam = 200;
const secondsEach = 3;

const schema = `
  create table public.things (team int not null, id int not null, name text not null, primary key (team, id));
  insert into public.things
    select team, id, 'thing ' || id from generate_series(1, ${teams}) team, generate_series(1, ${rowsPerTeam}) id;
  alter table public.things enable row level security;
  create policy "members read" on public.things for select to authenticated
    using (team = (select (current_setting('request.jwt.claims', true)::jsonb ->> 'team')::int));
  grant select on public.things to authenticated;
  analyze public.things;
`;
const become = `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`;
const read = "select id, name from public.things order by id limit 20";
const claims = (team: number) => JSON.stringify({ role: "authenticated", team });
const anyTeam = () => 1 + Math.floor(Math.random() * teams);

/** As edge-functions/_shared/database/db.ts does: a transaction with role and claims, and one query. */
async function throughTheWire(sql: Sql): Promise<void> {
  const team = anyTeam();
  const rows = await sql.begin(async (tx) => {
    const become = tx`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims(team)}, true)`;
    const [, found] = await Promise.all([become, tx.unsafe(read, [], { prepare: true })]);
    return found;
  });
  if (rows.length !== 20) throw new Error(`expected 20 rows, got ${rows.length}`);
}

async function inProcess(pglite: PGlite): Promise<void> {
  const rows = await pglite.transaction(async (tx) => {
    await tx.query(become, [claims(anyTeam())]);
    return (await tx.query(read)).rows;
  });
  if (rows.length !== 20) throw new Error(`expected 20 rows, got ${rows.length}`);
}

/** Milliseconds of processor time per request, in its threads and ours: both sides of the wire are in this process. */
async function processorTime(requests: number, request: () => Promise<void>): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    const before = process.cpuUsage();
    for (let done = 0; done < requests; done += 1) await request();
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / 1000 / requests);
  }
  // The median: a round that shares its core with other work costs more.
  return rounds.sort((one, other) => one - other)[7] ?? 0;
}

/** Requests per second with this many concurrent callers, each starting its next request when its last one ends. */
async function rate(callers: number, request: () => Promise<void>): Promise<number> {
  let done = 0;
  const until = performance.now() + secondsEach * 1000;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < until) {
        await request();
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - startedAt) / 1000);
}

const database = await startTestPostgres({ bare: true });
await database.connect("postgres", { max: 1 }).unsafe(schema);
const pglite = await PGlite.create();
await pglite.exec("create role authenticated");
await pglite.exec(schema);

const measured: [string, number][] = [];
for (const callers of [1, 10, 20]) {
  const sql = database.connect("authenticator", { max: callers });
  await rate(callers, () => throughTheWire(sql));
  measured.push([`wire, ${callers} at once`, await rate(callers, () => throughTheWire(sql))]);
  // Measured next to each other: other load on the machine affects both.
  await rate(1, () => inProcess(pglite));
  const floor = await rate(1, () => inProcess(pglite));
  measured.push(["in process", floor]);
  const [, wire] = measured.at(-2) ?? ["", 0];
  console.log(
    `${String(callers).padStart(3)} clients: ${wire.toFixed(0)} requests/s through the wire, ` +
      `${floor.toFixed(0)} in process, ratio ${(wire / floor).toFixed(2)}`,
  );
}
const one = database.connect("authenticator", { max: 1 });
const other = database.connect("authenticator", { max: 1 });
const costs: [string, () => Promise<void>][] = [
  ["a row-secured list, in process", () => inProcess(pglite)],
  ["a row-secured list, one client", () => throughTheWire(one)],
  [
    "two row-secured lists, by two clients in turn",
    async () => {
      await throughTheWire(one);
      await throughTheWire(other);
    },
  ],
  ["a prepared select 1", async () => void (await one`select 1`)],
];
for (const [what, request] of costs) {
  await processorTime(50, request);
  const ms = await processorTime(100, request);
  console.log(`${what}: ${ms.toFixed(3)} ms of processor time, with the client's`);
}
await pglite.close();
await database.stop();
