// A row stays in its team: its references are within the team, and no client moves it to another.
import type { Sql, TransactionSql } from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
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
  world = await makeWorld(sql);
});

const as = <Result>(actor: Actor, work: (tx: TransactionSql) => Promise<Result>) =>
  asCaller(sql, claimsOf(actor, world), work);

describe("rows stay in their team", () => {
  test("no client changes a team_id", async () => {
    const tables = await sql<{ name: string }[]>`
      select c.relname as name from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'team_id'`;
    expect(tables.length).toBeGreaterThan(14);
    for (const { name } of tables) {
      const move = as("owner", (tx) => tx.unsafe(`update public.${name} set team_id = '${world.otherTeam}'`));
      expect([name, await refusal(move)]).toEqual([name, "42501"]);
    }
  });

  /** Rows of the outsider's team that refer to rows of the team; the outsider owns the former and may write there. */
  const bridges: [string, (tx: TransactionSql) => Promise<unknown>][] = [
    [
      "a document of another team's source",
      (tx) => tx`insert into public.documents (team_id, source_id, external_id, type, title, content)
                 values (${world.otherTeam}, ${world.source}, 'x', 'text', 'x', 'x')`,
    ],
    [
      "an agent's knowledge of another team",
      async (tx) => {
        const [agent] =
          await tx`insert into public.agents (team_id, name) values (${world.otherTeam}, 'x') returning id`;
        await tx`insert into public.agent_knowledges (team_id, agent_id, knowledge_id)
                 values (${world.otherTeam}, ${agent?.id}, ${world.knowledge})`;
      },
    ],
    [
      "a knowledge's source of another team",
      async (tx) => {
        const [knowledge] =
          await tx`insert into public.knowledges (team_id, name) values (${world.otherTeam}, 'x') returning id`;
        await tx`insert into public.knowledge_sources (team_id, knowledge_id, source_id)
                 values (${world.otherTeam}, ${knowledge?.id}, ${world.source})`;
      },
    ],
    [
      "a source that lists another team's file",
      (tx) => tx`insert into public.sources (team_id, type, name, config)
                 values (${world.otherTeam}, 'file', 'x', ${tx.json({ fileIds: [world.file] })})`,
    ],
  ];

  test.each(bridges)("%s is rejected", async (_what, work) => {
    expect(await refusal(as("outsider", work))).toBe("23503");
  });

  test("nobody links a row they may not read", async () => {
    const give = (list: string) =>
      sql`update public.roles set permissions = ${list}::text[] where id = ${world.customRole}`;
    await give("{agents.read,agents.write}");
    const link = as(
      "custom role",
      (tx) => tx`insert into public.agent_knowledges (team_id, agent_id, knowledge_id)
                 values (${world.team}, ${world.publicAgent}, ${world.knowledge})`,
    );
    expect(await refusal(link)).toBe("42501");
    await give("{knowledges.read,knowledges.write}");
    const feed = as(
      "custom role",
      (tx) => tx`insert into public.knowledge_sources (team_id, knowledge_id, source_id)
                 values (${world.team}, ${world.knowledge}, ${world.otherSource})`,
    );
    expect(await refusal(feed)).toBe("42501");
  });

  test("a chat belongs to its caller and to its agent's team, whatever the row says", async () => {
    const [chat] = await as(
      "viewer",
      (tx) => tx`insert into public.chats (agent_id) values (${world.agent}) returning *`,
    );
    expect(chat).toMatchObject({
      team_id: world.team,
      user_id: world.people.viewer,
      visitor_id: null,
      api_key_id: null,
    });
    const [said] = await as(
      "viewer",
      (tx) => tx`insert into public.messages (chat_id, content) values (${chat?.id}, 'Hi') returning *`,
    );
    expect(said).toMatchObject({ team_id: world.team, user_id: world.people.viewer, role: "user" });
  });
});
