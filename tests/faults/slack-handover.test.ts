// Handovers from a Slack thread: offered under a reply, requested once, and answered in the thread.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { deliverHandovers } from "../../edge-functions/handovers/deliveries.ts";
import type { DenoFunction } from "../support/deno-function.ts";
import { eventually } from "../support/eventually.ts";
import { type SlackStand, startSlackStand } from "../support/slack-stand.ts";
import { say } from "../support/words.ts";

let stand: SlackStand;
let one: DenoFunction;
const messagesIn = (thread: string) => stand.slack.conversations.inThread(thread);
const buttonOf = (blocks: unknown) =>
  /"action_id":"ask_person","value":"([^"]+)"/.exec(JSON.stringify(blocks))?.[1];

beforeAll(async () => {
  stand = await startSlackStand();
  one = await stand.spawn();
  stand.openai.reply = "The sky is blue.";
  await stand.install(one, await stand.addApp());
});
afterAll(() => stand.stop());

/** No mail server runs here. */
const withoutMails = () => stand.sql`delete from private.handover_deliveries where kind = 'teamMail'`;

async function answeredThread(text: string) {
  const ts = await stand.say(one, text);
  await stand.settle(one);
  const [reply] = messagesIn(ts);
  if (!reply) throw new Error("no reply");
  return { ts, reply };
}

it("a handover is offered under a reply, requested once however often it is pressed, and answered there by name", async () => {
  const { sql } = stand;
  const { ts, reply } = await answeredThread("Why is the sky blue?");
  const value = buttonOf(reply.blocks) ?? "";
  expect(JSON.stringify(reply.blocks)).toContain(say("slack:askPersonText"));
  // Not from a channel without the thread, and not with another button.
  await stand.press(one, { ...reply, channel: "C9" }, value, "ask_person");
  await stand.press(one, reply, value, "rate_reply");
  expect(await sql`select 1 from public.handovers`).toHaveLength(0);
  const presses = await Promise.all([1, 2, 3].map(() => stand.press(one, reply, value, "ask_person")));
  expect(presses.map(({ status }) => status)).toEqual([200, 200, 200]);
  await eventually(() => expect(messagesIn(ts)).toHaveLength(2));
  expect(messagesIn(ts)[1]?.text).toBe("Someone from the team will answer in this thread.");
  const [handover] = await sql`
    select h.id, h.email, h.consent_version, h.status, h.summary, c.channel
      from public.handovers h join public.chats c on c.id = h.chat_id`;
  expect(handover).toMatchObject({
    email: null,
    consent_version: "2026-11-slack",
    status: "open",
    channel: "slack",
    summary: expect.stringContaining("Why is the sky blue?"),
  });
  // A later reply no longer offers a handover that is open.
  await stand.say(one, "And at night?", { thread_ts: ts });
  await stand.settle(one);
  expect(buttonOf(messagesIn(ts).at(-1)?.blocks)).toBeUndefined();

  const answer = "Because of *Rayleigh* scattering. <!channel>";
  await withoutMails();
  await sql`select private.answer_handover(${handover?.id}, ${answer}, 'Ada *Lovelace*')`;
  await deliverHandovers();
  const text = messagesIn(ts).at(-1)?.text ?? "";
  expect(text).toMatch(/^\*Ada {2}Lovelace\*, from the team:\n/);
  expect(text).toContain("scattering");
  expect(text).not.toContain("<!channel>");
  const rows = await sql`select kind, status from private.handover_deliveries where kind = 'slack'`;
  expect(rows).toEqual([{ kind: "slack", status: "delivered" }]);
  // As closing queues it for a request without an answer.
  await sql`
    insert into private.handover_deliveries (team_id, handover_id, kind)
    select h.team_id, h.id, 'slack' from public.handovers h where h.id = ${handover?.id}`;
  await deliverHandovers();
  expect(messagesIn(ts).at(-1)?.text).toBe(say("slack:personClosed"));
});

it("a handover is not answered in a workspace that its app has left, though another app is connected there", async () => {
  const { sql, team } = stand;
  const { ts, reply } = await answeredThread("Why is coal black?");
  await stand.press(one, reply, buttonOf(reply.blocks) ?? "", "ask_person");
  await eventually(() => expect(messagesIn(ts)).toHaveLength(2));
  const [row] = await sql`select id from public.handovers where status = 'open'`;
  await withoutMails();
  const [agent] =
    await sql`insert into public.agents (team_id, name) values (${team.id}, 'Other') returning id`;
  await sql`
    insert into public.apps (team_id, name, type, agent_id, status, workspace_id, connected_at)
    select team_id, 'Other', type, ${agent?.id}, status, workspace_id, connected_at from public.apps`;
  await sql`update public.apps set status = 'disconnected' where name <> 'Other'`;
  await sql`select private.answer_handover(${row?.id}, 'Carbon.', 'Ada')`;
  await deliverHandovers();
  const outcomes = await sql`
    select status, error from private.handover_deliveries where handover_id = ${row?.id} and kind = 'slack'`;
  expect(outcomes).toEqual([{ status: "failed", error: "gone" }]);
  expect(messagesIn(ts)).toHaveLength(2);
  await sql`update public.apps set status = 'connected' where name <> 'Other'`;
  await sql`delete from public.agents where id = ${agent?.id}`;
});

it("an answer is not posted again once ten workers died at it", async () => {
  const { sql } = stand;
  const { ts, reply } = await answeredThread("Why is milk white?");
  await stand.press(one, reply, buttonOf(reply.blocks) ?? "", "ask_person");
  await eventually(() => expect(messagesIn(ts)).toHaveLength(2));
  const [row] = await sql`select id from public.handovers where status = 'open'`;
  await withoutMails();
  await sql`select private.answer_handover(${row?.id}, 'Casein.', 'Ada')`;
  await sql`update private.handover_deliveries set attempts = 10, lease_until = now() - interval '1 second'
             where handover_id = ${row?.id}`;
  await deliverHandovers();
  expect(
    await sql`select status, error from private.handover_deliveries where handover_id = ${row?.id}`,
  ).toEqual([{ status: "failed", error: "workerDied" }]);
  expect(messagesIn(ts)).toHaveLength(2);
});

it("an answer whose response is lost is posted once, and a reply whose post is lost does not overwrite it", async () => {
  const { sql, slack } = stand;
  const { ts, reply } = await answeredThread("Why is blood red?");
  const early = slack.conversations.ts();
  await stand.press(one, reply, buttonOf(reply.blocks) ?? "", "ask_person");
  await eventually(() => expect(messagesIn(ts)).toHaveLength(2));
  const [row] = await sql`select id from public.handovers where status = 'open'`;
  await withoutMails();
  await sql`select private.answer_handover(${row?.id}, 'Haemoglobin.', 'Ada')`;
  slack.next("chat.postMessage", { how: "lose the answer" });
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  await deliverHandovers();
  logged.mockRestore();
  const read = () => sql`
    select status, attempts from private.handover_deliveries where handover_id = ${row?.id} and kind = 'slack'`;
  expect(await read()).toEqual([{ status: "queued", attempts: 1 }]);
  await sql`update private.handover_deliveries set run_after = now() where status = 'queued'`;
  await deliverHandovers();
  expect(await read()).toEqual([{ status: "delivered", attempts: 2 }]);

  const before = messagesIn(ts).map(({ text }) => text);
  expect(before.map((text) => text.includes("Haemoglobin."))).toEqual([false, false, true]);
  // A question from before the answer, whose reply is sent after it.
  slack.next("chat.startStream", { how: "hang up" });
  await stand.say(one, "And at night?", { thread_ts: ts, ts: early });
  await stand.settle(one);
  expect(messagesIn(ts).map(({ text }) => text)).toEqual([...before, "The sky is blue."]);
});

it("a handover is retried when Slack rejects the answer, and not offered where the team offers none", async () => {
  const { sql, slack } = stand;
  const { ts, reply } = await answeredThread("Why is grass green?");
  await stand.press(one, reply, buttonOf(reply.blocks) ?? "", "ask_person");
  await eventually(() => expect(messagesIn(ts)).toHaveLength(2));
  const [row] = await sql`select id from public.handovers where status = 'open'`;
  await withoutMails();
  await sql`select private.answer_handover(${row?.id}, 'Chlorophyll.', 'Ada')`;
  slack.next("chat.postMessage", { how: "error", code: "internal_error" });
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  await deliverHandovers();
  expect(logged.mock.calls.join()).toContain("a handover was not delivered");
  logged.mockRestore();
  const read = () => sql`
    select status, attempts, error from private.handover_deliveries where handover_id = ${row?.id} and kind = 'slack'`;
  expect(await read()).toEqual([{ status: "queued", attempts: 1, error: "slack" }]);
  await sql`update private.handover_deliveries set run_after = now() where status = 'queued'`;
  await deliverHandovers();
  expect(await read()).toEqual([{ status: "delivered", attempts: 2, error: null }]);
  expect(messagesIn(ts).at(-1)?.text).toContain("Chlorophyll.");

  await sql`insert into private.handover_settings (team_id, is_offered) values (${stand.team.id}, false)`;
  const quiet = await answeredThread("Why is snow white?");
  expect(buttonOf(quiet.reply.blocks)).toBeUndefined();
});

it("an answer waits while the agent is deleted, since that may be undone", async () => {
  const { sql } = stand;
  await answeredThread("Why is ice cold?");
  const [handover] = await sql`
    insert into public.handovers (team_id, chat_id, consent_version)
    select team_id, id, '1' from public.chats order by id desc limit 1 returning id`;
  await sql`select private.answer_handover(${handover?.id}, 'It froze.', 'Ada')`;
  await sql.begin(async (tx) => {
    // As of an agent with many chats, which stay where they are until the deletion is final.
    await tx`select set_config('parley.kept', id || ' in place', true) from public.agents`;
    await tx`delete from public.agents`;
  });
  await deliverHandovers();
  expect(
    await sql`select status, attempts from private.handover_deliveries where handover_id = ${handover?.id}`,
  ).toEqual([{ status: "queued", attempts: 1 }]);
});
