// A Slack workspace that two teams connected: whose agent gets a question, and with it the chat.
import type { Sql } from "postgres";
import { beforeEach, expect, it } from "vitest";
import { confirmArrival, openArrival } from "../../edge-functions/slack/install-confirmation.ts";
import { removeTeam } from "../../edge-functions/v1/teams/removing.ts";
import {
  app,
  bot,
  inChannel,
  messagesIn,
  one,
  settle,
  stand,
  texts,
  waitUntil,
} from "../support/connected-slack.ts";
import { makeTeam, type SearchableTeam } from "../support/searchable.ts";
import { addAgent, member, ownerClaims, workspace } from "../support/slack-stand.ts";

let later: SearchableTeam;
beforeEach(async () => {
  later ??= await makeTeam(stand.sql);
});

type Values = { agentName: string; name?: string; channels?: string[]; audience?: string };

/** Connects another agent of a team as the team's owner does. @returns the app's id */
async function connect(team: SearchableTeam, { agentName, name = "App", ...more }: Values): Promise<string> {
  const { channels = [], audience = "members" } = more;
  const agentId = await addAgent(stand.sql, team, agentName);
  const [row] = await stand.sql`insert into public.apps (team_id, name, agent_id, audience, channels)
    values (${team.id}, ${name}, ${agentId}, ${audience}, ${channels}) returning id`;
  const consent = await stand.consent(row?.id, { claims: ownerClaims(team) });
  const proof = { ticket: (await stand.back(one, consent)).searchParams.get("ticket") ?? "" };
  await openArrival(ownerClaims(team), proof);
  return await confirmArrival(ownerClaims(team), proof);
}

/** Asks in a channel, or in a direct message when none is given. @returns the thread */
async function ask(text: string, channel?: string, thread?: string): Promise<string> {
  const more = channel === undefined ? {} : inChannel({ channel, type: "app_mention" });
  const place = thread === undefined ? more : { ...more, thread_ts: thread };
  const ts = await stand.say(one, channel === undefined ? text : `${bot()} ${text}`, place);
  await settle();
  return thread ?? ts;
}

/** The app whose team has the chat of a thread; undefined where nobody was asked. */
async function answererOf(sql: Sql, thread: string): Promise<string | undefined> {
  const [row] = await sql`
    select t.app_id from private.slack_threads t join public.chats c on c.id = t.chat_id and c.team_id = t.team_id
     where t.thread_ts = ${thread}`;
  return row?.app_id;
}
const answerer = (thread: string) => answererOf(stand.sql, thread);

it("a later team's app takes over no channel and no direct message", async () => {
  const taker = await connect(later, { agentName: "Taker", channels: ["C0000001"], audience: "everyone" });
  expect(await answerer(await ask("Why?", "C0000001"))).toBe(app);
  expect(await answerer(await ask("Why?"))).toBe(app);
  // It can be named, and gets what is said to it only then.
  expect(await answerer(await ask("ask Taker: why?", "C0000001"))).toBe(taker);
});

it("a later team's app answers where no earlier team has one", async () => {
  const taker = await connect(later, { agentName: "Rest" });
  await stand.sql`update public.apps set channels = '{C0000001}' where id = ${app}`;
  expect(await answerer(await ask("Why?", "C0000001"))).toBe(app);
  expect(await answerer(await ask("Why?", "C0000002"))).toBe(taker);
  // Whoever the earlier team does not admit is not passed on to another team.
  await stand.sql`update public.apps set channels = '{}' where id = ${app}`;
  await stand.sql`update public.apps set audience = 'everyone' where id = ${taker}`;
  stand.slack.users.set("U0GUEST", { is_restricted: true });
  const guest = await stand.say(one, `${bot()} why?`, inChannel({ type: "app_mention", user: "U0GUEST" }));
  await settle();
  expect(texts(guest)).toEqual(["I answer members of this workspace only."]);
});

it("of a team's apps, the one that lists the channel answers before those that list none", async () => {
  const listing = await connect(stand.team, { agentName: "Listing", channels: ["C0000001"] });
  expect(await answerer(await ask("Why?", "C0000001"))).toBe(listing);
  expect(await answerer(await ask("Why?", "C0000002"))).toBe(app);
});

it("of two apps of one name, the earlier team's answers", async () => {
  const twin = await connect(stand.team, { agentName: "Handbook", channels: ["C0000001"] });
  await connect(later, { agentName: "HANDBOOK", name: "Handbook", channels: ["C0000001"] });
  expect(await answerer(await ask("ask Handbook: why?", "C0000001"))).toBe(twin);
});

it("a team keeps its turn while it has an app in the workspace, and loses it with the last", async () => {
  const taker = await connect(later, { agentName: "Waiting" });
  const second = await connect(stand.team, { agentName: "Second" });
  await stand.sql`delete from public.apps where id = ${app}`;
  expect(await answerer(await ask("Why?", "C0000001"))).toBe(second);
  await stand.sql`update public.apps set status = 'disconnected' where id = ${second}`;
  expect(await answerer(await ask("Why?", "C0000001"))).toBe(taker);
  await stand.install(one, second);
  expect(await answerer(await ask("Why?", "C0000001"))).toBe(second);
  await stand.sql`delete from public.apps where id = ${second}`;
  await connect(stand.team, { agentName: "Third" });
  expect(await answerer(await ask("Why?", "C0000001"))).toBe(taker);
});

it("a thread stays with the app that began it, whoever connects afterwards", async () => {
  await stand.sql`update public.apps set channels = '{C0000009}' where id = ${app}`;
  const taker = await connect(later, { agentName: "Began" });
  const thread = await ask("Why?", "C0000001");
  expect(await answerer(thread)).toBe(taker);
  await stand.sql`update public.apps set channels = '{}' where id = ${app}`;
  await ask("And then?", "C0000001", thread);
  expect(await answerer(thread)).toBe(taker);
  expect(texts(thread)).toHaveLength(2);
});

it("a person who opens the conversation sees the questions of the agent that would answer, if they may ask it", async () => {
  await connect(later, { agentName: "Prompting", channels: ["C0000001"], audience: "everyone" });
  await stand.sql`update public.agents set suggested_prompts = '{Other?}' where name = 'Prompting'`;
  await stand.sql`update public.agents set suggested_prompts = '{Ours?}' where id = ${stand.team.agentId}`;
  stand.slack.users.set("U0GUEST", { is_restricted: true });
  for (const [user, channel] of [
    [member, "D1"],
    ["U0GUEST", "D2"],
  ]) {
    const opened = { type: "app_home_opened", tab: "messages", channel, user };
    await stand.send(one, stand.slack.envelope(workspace, opened));
  }
  await settle();
  const { prompts } = stand.slack.conversations;
  expect(prompts.flatMap((shown) => shown.prompts.map(({ message }) => message))).toEqual(["Ours?"]);
});

/** Asks a team's agent, twice, deletes the team while the first answer is written, and lets the queue go on. @returns the thread */
async function askAndDelete(meanwhile: () => Promise<unknown>): Promise<string> {
  const doomed = await makeTeam(stand.sql);
  await connect(doomed, { agentName: "Doomed" });
  await meanwhile();
  stand.openai.next({ how: "stall", after: 2 });
  const thread = await stand.say(one, "ask Doomed: why?");
  await waitUntil(() => messagesIn(thread).length === 1);
  await stand.say(one, "And at night?", { thread_ts: thread });
  await removeTeam(ownerClaims(doomed), doomed.id);
  return thread;
}
const questions = async () =>
  (await stand.sql`select content from public.messages where role = 'user'`).map(({ content }) => content);

it("a deleted team's answer ends, and what was said in its threads reaches no other team", async () => {
  const thread = await askAndDelete(async () => {});
  await settle();
  expect(texts(thread)).toEqual([expect.stringMatching(/no agent here any more/)]);
  expect(await questions()).toEqual([]);
});

it("what was said to a deleted team does not wait for the team that connects the workspace next", async () => {
  const { sql } = stand;
  await askAndDelete(() => sql`delete from public.apps where id = ${app}`);
  await waitUntil(() => stand.slack.callsOf("auth.revoke").length === 1);
  // The worker notices, and puts its question off for a day.
  await expect.poll(() => sql`select 1 from private.slack_events where status = 'running'`).toEqual([]);
  expect(await sql`select 1 from private.slack_events where payload is not null`).toEqual([]);
  await connect(later, { agentName: "Next" });
  await settle();
  expect(await questions()).toEqual([]);
});

/** Asks the later team's app in a direct message, and has a follow-up wait while something happens. @returns the thread */
async function askWhile(meanwhile: (taker: string) => Promise<unknown>): Promise<string> {
  const { sql } = stand;
  const taker = await connect(later, { agentName: "Taker" });
  const thread = await ask("ask Taker: why?");
  // The first message of a thread holds the next one up.
  await sql`update private.slack_events set status = 'running', lease_until = now() + interval '1 hour' where ts = ${thread}`;
  await stand.say(one, "And at night?", { thread_ts: thread });
  await meanwhile(taker);
  await sql`update private.slack_events set status = 'done' where ts = ${thread}`;
  await settle();
  return thread;
}
const questionsTo = async (teamId: string) =>
  (
    await stand.sql`select m.content from public.messages m join public.chats c on c.id = m.chat_id
                     where m.role = 'user' and c.team_id = ${teamId} order by m.id`
  ).map(({ content }) => content);

it("what waits in the thread of a deleted app or agent is told so, and reaches no other team", async () => {
  const { sql } = stand;
  const ways = [
    (taker: string) => sql`delete from public.apps where id = ${taker}`,
    (taker: string) =>
      sql`delete from public.agents where id in (select agent_id from public.apps where id = ${taker})`,
  ];
  for (const remove of ways) {
    expect(texts(await askWhile(remove)).at(-1)).toMatch(/no agent here any more/);
    expect(await questionsTo(stand.team.id)).toEqual([]);
  }
});

it("what is said later in the thread of a deleted app, agent, chat or team is its team's, unless another app is named", async () => {
  const { sql } = stand;
  const agentOf = (taker: string) => sql`select agent_id from public.apps where id = ${taker}`;
  const ways: [channel: string | undefined, (taker: string, team: SearchableTeam) => Promise<unknown>][] = [
    [undefined, (taker) => sql`delete from public.apps where id = ${taker}`],
    ["C0000001", (taker) => sql`delete from public.agents where id in (${agentOf(taker)})`],
    ["C0000001", (taker) => sql`delete from public.chats where agent_id in (${agentOf(taker)})`],
    [undefined, (_, team) => removeTeam(ownerClaims(team), team.id)],
  ];
  await sql`update public.agents set name = 'Named' where id = ${stand.team.agentId}`;
  for (const [channel, remove] of ways) {
    const team = await makeTeam(sql);
    const taker = await connect(team, { agentName: "Taker" });
    const thread = await ask("ask Taker: why?", channel);
    await remove(taker, team);
    const [left] = await sql`select 1 from public.apps where id = ${taker}`;
    await ask("And at night?", channel, thread);
    expect(await questionsTo(stand.team.id)).toEqual([]);
    if (left) expect(await answerer(thread)).toBe(taker);
    else expect(texts(thread).at(-1)).toMatch(/no agent here any more/);
    // People who talk to each other there are not interrupted.
    const said = texts(thread).length;
    if (channel && !left) {
      await stand.say(one, "Then I ask her.", { ...inChannel({ channel }), thread_ts: thread });
      await settle();
      expect(texts(thread)).toHaveLength(said);
    }
    await ask("ask Named: and you?", channel, thread);
    expect(await questionsTo(stand.team.id)).toEqual(["and you?"]);
    await sql`delete from public.chats where team_id = ${stand.team.id}`;
    await sql`delete from public.apps where id = ${taker}`;
  }
});

it("what waits in the thread of a deleted app is answered by another app of its team", async () => {
  let heir = "";
  const thread = await askWhile(async (taker) => {
    heir = await connect(later, { agentName: "Heir" });
    await stand.sql`delete from public.apps where id = ${taker}`;
  });
  expect(await questionsTo(stand.team.id)).toEqual([]);
  expect(await questionsTo(later.id)).toEqual(["why?", "And at night?"]);
  expect(await answerer(thread)).toBe(heir);
});

it("what waits for a team that is disconnected is not answered by the team that connects first again", async () => {
  await connect(later, { agentName: "Taker" });
  const thread = await ask("ask Taker: why?");
  // Slack's times are whole seconds: in the second of the install, the event would be an earlier install's.
  const left = stand.slack.envelope(
    workspace,
    { type: "app_uninstalled" },
    { event_time: Math.ceil(Date.now() / 1000) },
  );
  await stand.send(one, left);
  await settle();
  await stand.say(one, "And at night?", { thread_ts: thread });
  await stand.install(one, app);
  await settle();
  expect(await questionsTo(stand.team.id)).toEqual([]);
  expect(texts(thread).at(-1)).toMatch(/no agent here any more/);
});
