// Which replies form gaps, whether rated through PostgREST or /v1, and what remains of a gap without its questions.
import { randomUUID } from "node:crypto";
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
  sql = database.connect("postgres", { max: 2 });
});
afterAll(() => database.stop());
beforeEach(async () => {
  world = await makeWorld(sql);
  await sql`delete from public.gap_questions where team_id = ${world.team}`;
});

const as = <Result>(actor: Actor, work: (tx: TransactionSql) => Promise<Result>) =>
  asCaller(sql, claimsOf(actor, world), work);

/** A reply in a person's chat, to their question. */
async function reply(values: object = { unanswered: true }, chat: keyof World["chats"] = "viewer") {
  const place = { team_id: world.team, chat_id: world.chats[chat] };
  await sql`insert into public.messages ${sql({ ...place, content: "How long?" })}`;
  const [row] = await sql<{ id: string }[]>`
    insert into public.messages ${sql({
      ...place,
      role: "assistant",
      content: "Nothing found.",
      ...values,
    })} returning id`;
  return row?.id ?? "";
}
const causeOf = async (message: string) => {
  const [row] = await sql`select cause from public.gap_questions where message_id = ${message}`;
  return row?.cause ?? null;
};
const createGap = async (messages: string[]) => {
  const gap = randomUUID();
  await sql`insert into public.gaps (id, team_id, agent_id, reason) values (${gap}, ${world.team}, ${world.agent}, 'missing')`;
  await sql`update public.gap_questions set gap_id = ${gap} where message_id = any (${messages}::uuid[])`;
  await sql`select private.recount_gaps(array[${gap}]::uuid[])`;
  return gap;
};
const read = async (gap: string) => {
  const [row] = await sql`select questions, people, open_questions, state from public.gaps where id = ${gap}`;
  return row;
};

describe("a reply is recorded", () => {
  test.each<[string, object, string | null]>([
    ["that found nothing", { unanswered: true }, "unanswered"],
    ["whose claims nothing supports", { support: sqlJson({ state: "notFound" }) }, "unanswered"],
    ["that answers in part", { support: sqlJson({ state: "partly" }) }, "partly"],
    ["whose documents disagree", { support: sqlJson({ state: "disagree" }) }, "disagree"],
    ["with a thumb down", { rating: "down" }, "down"],
    ["that answers", { support: sqlJson({ state: "answered" }) }, null],
    ["with a thumb up, though it found nothing", { unanswered: true, rating: "up" }, null],
    ["that was asked again in other words", { unanswered: true, superseded: true }, null],
    ["that failed", { unanswered: true, status: "failed" }, null],
    ["of 91 days ago", { unanswered: true, created_at: new Date(Date.now() - 91 * 86_400_000) }, null],
  ])("%s", async (_what, values, cause) => {
    expect(await causeOf(await reply(values))).toBe(cause);
  });

  test("when it ends, not while it streams", async () => {
    const id = await reply({ status: "streaming" });
    await sql`update public.messages set content = 'More' where id = ${id}`;
    expect(await causeOf(id)).toBeNull();
    await sql`update public.messages set status = 'complete', unanswered = true where id = ${id}`;
    expect(await causeOf(id)).toBe("unanswered");
  });

  test("by its person's thumb down, and no longer after another rating, through PostgREST too", async () => {
    const id = await reply({}, "visitor");
    const rate = (rating: string | null) =>
      as("visitor", (tx) => tx`update public.messages set rating = ${rating} where id = ${id}`);
    await rate("down");
    expect(await causeOf(id)).toBe("down");
    await rate("up");
    expect(await causeOf(id)).toBeNull();
    await rate("down");
    await rate(null);
    expect(await causeOf(id)).toBeNull();
  });
});

test("only a reply of the agent is rated: no question, and no answer of a member", async () => {
  const answered = await reply({ author_name: "Ada" }, "visitor");
  const rate = (id: string) =>
    refusal(
      as("visitor", (tx) => tx`update public.messages set rating = 'up', comment = 'x' where id = ${id}`),
    );
  const [question] = await as(
    "visitor",
    (tx) =>
      tx`insert into public.messages (chat_id, content) values (${world.chats.visitor}, 'Why?') returning id`,
  );
  expect([await rate(question?.id), await rate(answered)]).toEqual(["23514", "23514"]);
});

describe("a gap", () => {
  test("counts people, and open questions while there are any", async () => {
    const messages = [await reply(), await reply(), await reply({ unanswered: true }, "visitor")];
    const gap = await createGap(messages);
    expect(await read(gap)).toEqual({ questions: 3, people: 2, open_questions: 3, state: "open" });
    const answer = async (ids: string[]) => {
      await sql`update public.gap_questions set answered_at = now() where message_id = any (${ids}::uuid[])`;
      await sql`select private.recount_gaps(array[${gap}]::uuid[])`;
    };
    await answer(messages.slice(0, 2));
    expect(await read(gap)).toEqual({ questions: 1, people: 1, open_questions: 1, state: "open" });
    await answer(messages);
    expect(await read(gap)).toEqual({ questions: 3, people: 2, open_questions: 0, state: "answered" });
  });

  test("gets another leader when the first question is deleted, and is deleted with the last", async () => {
    const [first, second] = [await reply(), await reply({ unanswered: true }, "visitor")];
    const gap = await createGap([first, second]);
    const leader = async () => {
      const [row] =
        await sql`select message_id from public.gap_questions where gap_id = ${gap} and is_leader`;
      return row?.message_id;
    };
    expect(await leader()).toBe(first);
    await sql`delete from public.chats where id = ${world.chats.viewer}`;
    expect(await leader()).toBe(second);
    expect(await read(gap)).toMatchObject({ questions: 1, people: 1 });
    await sql`delete from public.messages where id = ${second}`;
    expect(await read(gap)).toBeUndefined();
  });
});

test("questions are compared with an agent's gaps without reading each vector again for every gap", async () => {
  const [made] = await sql`select pg_get_functiondef('private.nearest_gaps'::regproc) as definition`;
  // Planned as a part of the statement, so that its plan is shown.
  const shown = String(made?.definition)
    .replace("private.nearest_gaps", "pg_temp.nearest_gaps")
    .replace(/^ SET search_path .*$/m, "");
  const plan = await sql.begin(async (tx) => {
    await tx.unsafe(shown);
    return await tx`
      explain (verbose, costs off)
      select * from pg_temp.nearest_gaps(${world.agent}, ${world.vector}, array['hash'], array['[1,0,0]'])`;
  });
  const lines = plan.map((row) => String(row["QUERY PLAN"]));
  // In the list of questions alone.
  expect(lines.filter((line) => /\)::(?:extensions\.)?halfvec/.test(line))).toHaveLength(1);
});

describe("a gap reveals nothing that its reader may not see", () => {
  test("a question's embedding is unreadable for clients", async () => {
    const seen = as("owner", (tx) => tx`select embedding from public.gap_questions`);
    expect(await refusal(seen)).toBe("42501");
    const hash = as("owner", (tx) => tx`select words_hash from public.gap_questions`);
    expect(await refusal(hash)).toBe("42501");
  });

  test("a chat's person sees no gap of it, without the right to read everyone's", async () => {
    const gap = await createGap([await reply()]);
    expect(await as("viewer", (tx) => tx`select id from public.gaps where id = ${gap}`)).toEqual([]);
    expect(await as("viewer", (tx) => tx`select message_id from public.gap_questions`)).toEqual([]);
    expect(await as("editor", (tx) => tx`select id from public.gaps where id = ${gap}`)).toHaveLength(1);
  });

  test.each(["take_gap_questions(1)", "recount_gaps('{}')", "ask_gap_again(null, null, null, null)"])(
    "private.%s is service only",
    async (call) => {
      expect(await refusal(as("owner", (tx) => tx.unsafe(`select private.${call}`)))).toBe("42501");
    },
  );

  test("a question matches gaps of its own agent only", async () => {
    const mine = await reply();
    await createGap([mine]);
    await sql`update public.gap_questions set words_hash = 'same' where message_id = ${mine}`;
    const near = (agent: string) =>
      sql`select gap_id is not null as found from private.nearest_gaps(${agent}, null, array['same'], array[null]::text[])`;
    expect(await near(world.agent)).toEqual([{ found: true }]);
    expect(await near(world.publicAgent)).toEqual([{ found: false }]);
  });
});

function sqlJson(value: { state: string }) {
  return { ...value, claims: [], disagreement: [] };
}
