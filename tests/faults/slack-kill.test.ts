// Who is answered in Slack and by which agent; expiring tokens; and the function killed: one reply per message, whatever happens.
import { describe, expect, it } from "vitest";
import {
  app,
  bot,
  inChannel,
  messagesIn,
  one,
  replaceFunction,
  settle,
  stand,
  texts,
  waitUntil,
} from "../support/connected-slack.ts";
import { addAgent, member, workspace } from "../support/slack-stand.ts";

it("a question whose install is replaced while it is read is answered, and the new install stays", async () => {
  const { slack, sql } = stand;
  slack.users.set("U0SLOW", { locale: "en-US" });
  slack.next("users.info", { how: "wait" });
  const ts = await stand.say(one, "Why?", { user: "U0SLOW" });
  await waitUntil(() => slack.callsOf("users.info").length === 1);
  slack.tokens.revoke(workspace);
  await stand.install(one, app);
  slack.release();
  await settle();
  expect(texts(ts)).toEqual(["The sky is blue."]);
  expect(await sql`select status from public.apps`).toEqual([{ status: "connected" }]);
});

it("a question that is edited is asked as edited while it waits, and later its author is told", async () => {
  const { slack, sql } = stand;
  const direct = { channel: "D1", channel_type: "im" };
  const edit = (
    ts: string,
    before: string,
    after: string,
    threadTs?: string,
    user = member,
    place = direct,
  ) => {
    const message = { type: "message", user, ts, thread_ts: threadTs };
    return stand.send(
      one,
      slack.envelope(workspace, {
        type: "message",
        subtype: "message_changed",
        hidden: true,
        ...place,
        ts: slack.conversations.ts(),
        message: { ...message, text: after, edited: { user, ts } },
        previous_message: { ...message, text: before },
      }),
    );
  };
  stand.openai.next({ how: "stall", after: 2 });
  const ts = await stand.say(one, "Why?");
  await waitUntil(() => messagesIn(ts).length === 1);
  const next = await stand.say(one, "And at nihgt?", { thread_ts: ts });
  await edit(next, "And at nihgt?", "And at night?", ts);
  // A preview of a link changes no text.
  await edit(ts, "Why?", "Why?");
  expect(slack.callsOf("chat.postEphemeral")).toEqual([]);
  await edit(ts, "Why?", "How?");
  await waitUntil(() => slack.callsOf("chat.postEphemeral").length === 1);
  expect(slack.callsOf("chat.postEphemeral")[0]?.args).toMatchObject({
    channel: "D1",
    thread_ts: ts,
    user: member,
    text: expect.stringContaining("before you edited it"),
  });
  await stand.say(one, "stop", { thread_ts: ts });
  await settle();
  const asked = await sql`select content from public.messages where role = 'user' order by id`;
  expect(asked.map(({ content }) => content)).toEqual(["Why?", "And at night?"]);
  // Not a question to an agent.
  await edit(slack.conversations.ts(), "Lunch?", "Lunch at noon?", undefined, member, inChannel());
  await settle();
  expect(slack.callsOf("chat.postEphemeral")).toHaveLength(1);
  // Read by a worker at this moment, which has its earlier text.
  slack.users.set("U0EDITOR", { locale: "en-US" });
  slack.next("users.info", { how: "wait" });
  const begun = await stand.say(one, "Who?", { user: "U0EDITOR" });
  await waitUntil(() => slack.callsOf("users.info").at(-1)?.args.user === "U0EDITOR");
  await edit(begun, "Who?", "Where?", undefined, "U0EDITOR");
  await waitUntil(() => slack.callsOf("chat.postEphemeral").length === 2);
  slack.release();
  await settle();
});

describe("the asker and the channel", () => {
  it("decide who is answered, and by which agent", async () => {
    const { slack, sql, team } = stand;
    slack.users.set("U0GUEST", { is_restricted: true, locale: "fr-FR" });
    slack.users.set("U0STRANGER", { is_stranger: true, team_id: "T0OTHER" });
    slack.users.set("U0BOT", { is_bot: true });
    const ask = async (user: string, more = {}) => {
      const ts = await stand.say(one, `${bot()} why?`, { user, ...more });
      await settle();
      return texts(ts);
    };
    const answer = ["The sky is blue."];
    expect(await ask("U0GUEST")).toEqual(["Je ne réponds qu’aux membres de cet espace de travail."]);
    expect(await ask("U0STRANGER", inChannel())).toEqual(["I answer members of this workspace only."]);
    expect(await ask("U0BOT")).toEqual([]);
    // Of another workspace, which does not show its people: users.info refuses.
    expect(await ask("U0HIDDEN", inChannel())).toEqual(["I answer members of this workspace only."]);
    await sql`update public.apps set audience = 'guests'`;
    expect(await ask("U0GUEST")).toEqual(answer);
    expect(await ask("U0STRANGER", inChannel())).toEqual(["I answer members of this workspace only."]);
    await sql`update public.apps set audience = 'everyone', channels = '{C02}'`;
    expect(await ask("U0STRANGER", inChannel({ channel: "C02" }))).toEqual(answer);
    expect((await ask(member, inChannel()))[0]).toMatch(/don't answer in this channel/);

    const cook = await addAgent(sql, team, "Cook");
    await stand.install(one, await stand.addApp({ agentId: cook, name: "Kitchen", channels: ["C07"] }));
    const agentOf = async (text: string, more: object) => {
      const ts = await stand.say(one, text, { ...more });
      await settle();
      const [row] =
        await sql`select c.agent_id from private.slack_threads t join public.chats c on c.id = t.chat_id
        where t.thread_ts = ${ts}`;
      return row?.agent_id;
    };
    expect(await agentOf(`${bot()} why?`, inChannel({ channel: "C07" }))).toBe(cook);
    expect(await agentOf("why?", {})).toBe(team.agentId);
    expect(await agentOf("ask Cook: why?", {})).toBe(cook);

    await sql`delete from public.apps where agent_id = ${team.agentId}`;
    await sql`delete from public.agents where id = ${cook}`;
    expect((await ask(member))[0]).toMatch(/no agent here any more/);
  });

  it("decide the suggested questions, and the limits", async () => {
    const { slack, sql, team } = stand;
    await sql`update public.agents set suggested_prompts = '{Why?,How?}', greeting = 'Hello!' where id = ${team.agentId}`;
    const opened = { type: "app_home_opened", tab: "messages", channel: "D1", user: member };
    const started = {
      type: "assistant_thread_started",
      assistant_thread: { user_id: member, channel_id: "D1", thread_ts: "1.1", context: {} },
    };
    const looked = { type: "app_context_changed", context: { entities: [] } };
    for (const event of [opened, started, looked]) await stand.send(one, slack.envelope(workspace, event));
    const hello = await stand.say(one, bot(), inChannel());
    await settle();
    expect(texts(hello)).toEqual(["Hello!"]);
    expect(slack.conversations.prompts.map(({ threadTs }) => threadTs).sort()).toEqual(["1.1", undefined]);
    expect(slack.conversations.prompts[0]?.prompts.map(({ message }) => message)).toEqual(["Why?", "How?"]);
    await sql`insert into private.rate_limits (key, window_start, hits)
      select ${`slack:person:${workspace}:${member}`},
             to_timestamp(floor(extract(epoch from now()) / 60) * 60) + make_interval(mins => n), 1000
        from generate_series(0, 3) n
      on conflict (key, window_start) do update set hits = excluded.hits`;
    const tooMany = await stand.say(one, "why?");
    await settle();
    expect(texts(tooMany)[0]).toMatch(/more than I can answer/);
  });
});

describe("an expiring token", () => {
  it("is renewed once by many concurrent users", async () => {
    const { slack } = stand;
    slack.tokens.expire();
    await stand.sql`update private.slack_installations set expires_at = now() - interval '1 minute'`;
    const before = slack.callsOf("oauth.v2.access").length;
    const threads = await Promise.all([1, 2, 3].map((n) => stand.say(one, `Why ${n}?`)));
    await settle();
    for (const ts of threads) expect(texts(ts)).toEqual(["The sky is blue."]);
    expect(slack.callsOf("oauth.v2.access").length - before).toBe(1);
    expect(slack.tokens.reused).toBe(0);
  });
});

describe("a killed function", () => {
  /** Kills the function at a moment, and starts another. */
  async function killWhen(reached: () => boolean): Promise<void> {
    await waitUntil(reached);
    await replaceFunction("SIGKILL");
    await stand.passTime();
    await settle();
  }
  const posts = (ts: string) =>
    stand.slack.calls.filter(
      ({ method, args }) => /chat\.(postMessage|startStream)/.test(method) && args.thread_ts === ts,
    );

  it("leaves one complete reply when the model was streaming", async () => {
    stand.openai.next({ how: "stall", after: 2 });
    const ts = await stand.say(one, "Why?");
    await killWhen(() => messagesIn(ts).length === 1);
    expect(texts(ts)).toEqual(["The sky is blue."]);
    expect(posts(ts)).toHaveLength(1);
    expect(await stand.sql`select role, status from public.messages order by id`).toEqual([
      { role: "user", status: "complete" },
      { role: "assistant", status: "complete" },
    ]);
  });

  it("leaves one reply when the model had not started", async () => {
    stand.openai.next({ how: "silence" });
    const ts = await stand.say(one, "Why?");
    await killWhen(() => stand.openai.requests.some(({ path }) => path.endsWith("/chat/completions")));
    expect(texts(ts)).toEqual(["The sky is blue."]);
    expect(await stand.sql`select 1 from public.messages`).toHaveLength(2);
  });

  it("leaves one reply between the post and Slack's response", async () => {
    stand.slack.next("chat.startStream", { how: "hold" });
    const ts = await stand.say(one, "Why?");
    await killWhen(() => messagesIn(ts).length === 1);
    expect(texts(ts)).toEqual(["The sky is blue."]);
    expect(posts(ts)).toHaveLength(1);
  });

  it("leaves one reply at the very end, and continues with what waited behind it", async () => {
    stand.slack.next("chat.stopStream", { how: "hold" });
    const ts = await stand.say(one, "Why?");
    await stand.say(one, "And then?", { thread_ts: ts });
    await killWhen(() => stand.slack.callsOf("chat.stopStream").length === 1);
    expect(texts(ts)).toEqual(["The sky is blue.", "The sky is blue."]);
    expect(messagesIn(ts)[0]?.blocks.length).toBeGreaterThan(0);
    expect(await stand.sql`select 1 from public.messages`).toHaveLength(4);
  });

  it("releases its work on SIGTERM for the next one", async () => {
    stand.openai.next({ how: "stall", after: 2 });
    const ts = await stand.say(one, "Why?");
    await waitUntil(() => messagesIn(ts).length === 1);
    await replaceFunction("SIGTERM");
    await settle();
    expect(texts(ts)).toEqual(["The sky is blue."]);
    expect(await stand.sql`select 1 from public.messages`).toHaveLength(2);
  });

  it.each([
    [6, ["I could not answer that just now. Ask me again in a moment."]],
    // The worker died at those words, too.
    [7, []],
  ])("gives up a message at which %i workers died", async (attempts, told) => {
    stand.openai.next({ how: "silence" });
    const ts = await stand.say(one, "Why?");
    await waitUntil(() => stand.openai.requests.length > 0);
    await replaceFunction("SIGKILL");
    await stand.sql`update private.slack_events set attempts = ${attempts}`;
    await stand.passTime();
    await settle();
    expect(texts(ts)).toEqual(told);
    expect(await stand.sql`select status from private.slack_events`).toEqual([{ status: "failed" }]);
  });

  it("counts no attempt of a worker that was told to end", async () => {
    stand.openai.next({ how: "silence" });
    await stand.say(one, "Why?");
    await waitUntil(() => stand.openai.requests.length > 0);
    await replaceFunction("SIGTERM");
    expect(await stand.sql`select status, attempts from private.slack_events`).toEqual([
      { status: "queued", attempts: 0 },
    ]);
    await settle();
  });
});
