// What the versions of agents take of a team's storage, and which are stored although it is full (sql/64_agent_versions.sql).
import type { Sql } from "postgres";
import { expect, test } from "vitest";
import { type SmallTeam, service, user } from "../native/teams.ts";
import { asCaller, refusal } from "./acting.ts";
import { limitStorage, startTeams } from "./storage-team.ts";

/** Saves an hour that an author has beyond the limit. */
const savesAnHour = 60;

let sql: Sql;
let team: SmallTeam;

startTeams((connection, newTeam) => {
  sql = connection;
  team = newTeam;
});

const limitTo = (bytes: number | null) => limitStorage(sql, bytes);
const owner = () => user(team.owners[0]);

async function readUsed(): Promise<number> {
  const [row] = await sql<{ used: number }[]>`select private.storage_used(${team.id})::int as used`;
  return row?.used ?? 0;
}

async function addAgents(many: number, instructions = ""): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    insert into public.agents (team_id, name, instructions)
    select ${team.id}, 'Agent ' || n, ${instructions} from generate_series(1, ${many}::int) n returning id`;
  return rows.map(({ id }) => id);
}

const rename = (agent: string, name: string, claims = owner()) =>
  asCaller(sql, claims, (tx) => tx`update public.agents set name = ${name} where id = ${agent}`);

const saveDraft = (agent: string, name: string) =>
  asCaller(
    sql,
    service,
    (tx) => tx`
      select private.add_agent_version(
        a.id, private.agent_settings(a.id) || jsonb_build_object('name', ${name}::text), ${team.owners[0]}, false)
        from public.agents a where a.id = ${agent}`,
  );

/** The names in an agent's versions, oldest first. */
async function namesOf(agent: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select settings ->> 'name' as name from public.agent_versions where agent_id = ${agent} order by number`;
  return rows.map(({ name }) => name);
}

test("versions count by their settings, and one change of many agents is refused whole", async () => {
  // More than two hours' saves, since an hour may end meanwhile.
  await addAgents(2 * savesAnHour + 1, "x".repeat(20_000));
  const all = await readUsed();
  const [{ bytes } = {}] = await sql`
    select sum(1024 + octet_length(settings::text))::int as bytes from public.agent_versions where team_id = ${team.id}`;
  expect(all).toBe(bytes);
  expect(all).toBeGreaterThan(savesAnHour * 21_000);
  await limitTo(all);
  const renameAll = (name: string) =>
    asCaller(
      sql,
      owner(),
      (tx) => tx`update public.agents set name = name || ${name} where team_id = ${team.id}`,
    );
  expect(await refusal(renameAll("!"))).toBe("PT402");
  expect(await readUsed()).toBe(all);
  await limitTo(null);
  await renameAll("?");
  expect(await readUsed()).toBeGreaterThan(2 * all);
  await asCaller(sql, owner(), (tx) => tx`delete from public.agents where team_id = ${team.id}`);
  expect(await readUsed()).toBe(0);
});

test("a full team changes and unpublishes its agents, and creates none", async () => {
  const [agent = ""] = await addAgents(1);
  await rename(agent, "Before");
  await asCaller(
    sql,
    owner(),
    (tx) => tx`update public.agents set visibility = 'public' where id = ${agent}`,
  );
  await limitTo(await readUsed());
  const change = asCaller(
    sql,
    owner(),
    (tx) =>
      tx`update public.agents set visibility = 'private', instructions = 'Be careful.' where id = ${agent}`,
  );
  expect(await refusal(change)).toBeUndefined();
  expect(await sql`select visibility, instructions from public.agents where id = ${agent}`).toEqual([
    { visibility: "private", instructions: "Be careful." },
  ]);
  const create = asCaller(
    sql,
    owner(),
    (tx) => tx`insert into public.agents (team_id, name) values (${team.id}, 'New')`,
  );
  expect(await refusal(create)).toBe("PT402");
});

test("a full team's saves replace each other, never what was stored while there was room", async () => {
  const [agent = ""] = await addAgents(1);
  await rename(agent, "Before");
  await limitTo(await readUsed());
  for (const n of [1, 2, 3, 4]) await rename(agent, `Full ${n}`);
  expect(await namesOf(agent)).toEqual(["Agent 1", "Before", "Full 3", "Full 4"]);
  for (const n of [5, 6, 7]) await saveDraft(agent, `Draft ${n}`);
  expect(await namesOf(agent)).toEqual(["Agent 1", "Before", "Full 4", "Draft 6", "Draft 7"]);
  const [{ bytes } = {}] = await sql`
    select sum(1024 + octet_length(settings::text))::int as bytes from public.agent_versions where agent_id = ${agent}`;
  expect(await readUsed()).toBe(bytes);

  await limitTo(2 * (await readUsed()));
  await rename(agent, "Room");
  await limitTo(await readUsed());
  for (const n of [8, 9, 10]) await rename(agent, `Full ${n}`);
  expect(await namesOf(agent)).toEqual([
    ...["Agent 1", "Before", "Full 4", "Draft 6", "Draft 7", "Room"],
    ...["Full 9", "Full 10"],
  ]);
});

test("one author saves beyond the limit 60 times an hour, and does not keep the others from it", async () => {
  const [one = "", other = ""] = await addAgents(2);
  await limitTo(await readUsed());
  /** In this hour and in the next, which may begin meanwhile. */
  const noteSaves = (times: number) => sql`
    insert into private.rate_limits (key, window_start, hits)
    select ${`beyond:${team.owners[0]}`}, date_trunc('hour', now()) + make_interval(hours => h), ${times} from generate_series(0, 1) h
    on conflict (key, window_start) do update set hits = excluded.hits`;
  await noteSaves(savesAnHour - 1);
  expect(await refusal(rename(one, "The last"))).toBeUndefined();
  await noteSaves(savesAnHour);
  expect(await refusal(rename(one, "One more"))).toBe("PT402");
  expect((await namesOf(one)).at(-1)).toBe("The last");
  expect(await refusal(rename(other, "Theirs", user(team.owners[1])))).toBeUndefined();
});

test("an author saves 5,000 versions in a day, drafts included, and others go on", async () => {
  const [agent = ""] = await addAgents(1);
  // Tomorrow's count, too: today may end meanwhile.
  await sql`
    insert into private.rate_limits (key, window_start, hits)
    select ${`versions:${team.owners[0]}`}, date_trunc('day', now(), 'UTC') + make_interval(days => later), 5000
      from unnest(array[0, 1]) later`;
  expect(await refusal(rename(agent, "One too many"))).toBe("PT429");
  expect(await refusal(saveDraft(agent, "One too many"))).toBe("PT429");
  expect(await namesOf(agent)).toEqual(["Agent 1"]);
  expect(await refusal(rename(agent, "Another's", user(team.owners[1])))).toBeUndefined();
  expect(await namesOf(agent)).toEqual(["Agent 1", "Another's"]);
  const create = asCaller(
    sql,
    owner(),
    (tx) => tx`insert into public.agents (team_id, name) values (${team.id}, 'New')`,
  );
  expect(await refusal(create)).toBeUndefined();
});
