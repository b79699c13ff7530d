// Slack as people use it: production's function with a Slack that replays, reorders, limits and loses.
import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { describe, expect, it } from "vitest";
import { revokeUnusedTokensAfter } from "../../edge-functions/slack/installations.ts";
import { removeTeam } from "../../edge-functions/v1/teams/removing.ts";
import { app, bot, inChannel, messagesIn, one, settle, stand, texts } from "../support/connected-slack.ts";
import { eventually } from "../support/eventually.ts";
import { makeKnowledge } from "../support/searchable.ts";
import { addAgent, member, ownerClaims, workspace } from "../support/slack-stand.ts";

describe("an install", () => {
  it("works once, for the person who started it, and stores no token in the clear", async () => {
    const { sql } = stand;
    const [row] = await sql`select status, workspace_id, workspace_name from public.apps where id = ${app}`;
    expect(row).toEqual({ status: "connected", workspace_id: workspace, workspace_name: "Acme" });
    const [kept] = await sql`select encode(tokens, 'escape') as tokens from private.slack_installations`;
    expect(kept?.tokens).not.toMatch(/xox/);

    const other = await stand.addApp({ agentId: await addAgent(sql, stand.team, "Other"), name: "Other" });
    const search = await stand.consent(other);
    expect((await stand.back(one, search)).pathname).toMatch(new RegExp(`/apps/${other}/confirm$`));
    expect((await stand.back(one, search)).href).toMatch(/\/dashboard\?slack=expired$/);
  });

  it("ends with the workspace's uninstall events, in either order, and a late one does not undo the next install", async () => {
    const { sql, slack } = stand;
    const removed = { type: "app_uninstalled" };
    const revoked = { type: "tokens_revoked", tokens: { oauth: [], bot: [slack.tokens.botOf(workspace)] } };
    const status = async () => (await sql`select status from public.apps where id = ${app}`)[0]?.status;
    const later = { event_time: Math.floor(Date.now() / 1000) + 60 };
    for (const order of [
      [removed, revoked],
      [revoked, removed],
    ]) {
      for (const event of order) await stand.send(one, slack.envelope(workspace, event, later));
      await settle();
      expect(await status()).toBe("disconnected");
      expect(await sql`select 1 from private.slack_installations`).toHaveLength(0);
      await stand.install(one, app);
    }
    await stand.send(one, slack.envelope(workspace, removed, { event_time: 1_700_000_000 }));
    await settle();
    expect(await status()).toBe("connected");
  });

  it("deletes the token with the workspace's last app, and keeps it when only the agent is deleted", async () => {
    const { sql, slack } = stand;
    const countTokens = async () => (await sql`select 1 from private.slack_installations`).length;
    const agentId = await addAgent(sql, stand.team, "Other");
    await stand.install(one, await stand.addApp({ agentId, name: "Other" }));
    await revokeUnusedTokensAfter([workspace], () => sql`delete from public.apps where id = ${app}`);
    expect([await countTokens(), slack.callsOf("auth.revoke").length]).toEqual([1, 0]);
    const countTokensAfter = async (remove: (tx: TransactionSql) => Promise<unknown>) => {
      let left: number | undefined;
      const undone = sql.begin(async (tx) => {
        await remove(tx);
        left = (await tx`select 1 from private.slack_installations`).length;
        throw new Error("taken back");
      });
      await expect(undone).rejects.toThrow("taken back");
      expect(await countTokens()).toBe(1);
      return left;
    };
    expect(await countTokensAfter((tx) => tx`delete from public.teams where id = ${stand.team.id}`)).toBe(0);
    // Somebody has to reply to those who keep asking.
    expect(await countTokensAfter((tx) => tx`delete from public.agents where id = ${agentId}`)).toBe(1);
    await revokeUnusedTokensAfter(
      [workspace],
      () => sql`delete from public.apps where agent_id = ${agentId}`,
    );
    expect([await countTokens(), slack.callsOf("auth.revoke").length]).toEqual([0, 1]);
  });

  it("leaves the workspace with the team of its last app", async () => {
    const { sql, slack } = stand;
    const [team] = await sql<{ id: string }[]>`
      insert into public.teams (name, codename) values ('Doomed', 'doomed-of-slack') returning id`;
    const { sub } = ownerClaims(stand.team);
    await sql`insert into public.team_users (team_id, user_id, role_id, status, email)
              select ${team?.id ?? ""}, user_id, role_id, status, email from public.team_users
               where team_id = ${stand.team.id} and user_id = ${sub}`;
    const [agent] = await sql<{ id: string }[]>`
      insert into public.agents (team_id, name) values (${team?.id ?? ""}, 'Doomed') returning id`;
    const [doomed] = await sql<{ id: string }[]>`
      insert into public.apps (team_id, name, agent_id) values (${team?.id ?? ""}, 'Doomed', ${agent?.id ?? ""}) returning id`;
    await stand.install(one, doomed?.id ?? "");
    const claims = ownerClaims(stand.team);
    await revokeUnusedTokensAfter([workspace], () => sql`delete from public.apps where id = ${app}`);
    expect(slack.callsOf("auth.revoke")).toHaveLength(0);
    await expect(removeTeam({ role: "authenticated", sub: randomUUID() }, team?.id ?? "")).rejects.toThrow();
    expect(slack.callsOf("auth.revoke")).toHaveLength(0);
    await removeTeam(claims, "doomed-of-slack");
    expect(slack.callsOf("auth.revoke")).toHaveLength(1);
    expect(await sql`select 1 from private.slack_installations`).toHaveLength(0);
  });
});

describe("the endpoint", () => {
  it("accepts only Slack's recent signed requests", async () => {
    const { slack } = stand;
    const body = JSON.stringify({ type: "url_verification", token: "t", challenge: "say-this" });
    expect(await (await stand.send(one, body)).json()).toEqual({ challenge: "say-this" });
    const minutes = (n: number) => Date.now() + n * 60_000;
    const refusals = [
      {},
      slack.sign(body, Date.now(), "another secret"),
      slack.sign(`${body} `),
      slack.sign(body, minutes(-6)),
      slack.sign(body, minutes(6)),
      { ...slack.sign(body), "X-Slack-Signature": "v0=" },
    ];
    for (const headers of refusals) expect((await stand.send(one, body, headers)).status).toBe(401);
    expect((await stand.send(one, "not json")).status).toBe(400);
    expect((await stand.send(one, "[]")).status).toBe(200);
    expect((await fetch(`${one.url}/slack/events`)).status).toBe(405);
    expect((await fetch(`${one.url}/slack/tick`, { method: "POST" })).status).toBe(401);
  });
});

describe("a message", () => {
  it("is answered once, however often and in whatever form Slack delivers it", async () => {
    const { slack } = stand;
    const ts = slack.conversations.ts();
    const text = `${bot()} why is the sky blue?`;
    const event = inChannel({ user: member, text, ts });
    const mention = slack.envelope(workspace, { ...event, type: "app_mention" });
    const twin = slack.envelope(workspace, { ...event, type: "message" });
    const retried = {
      ...slack.sign(mention),
      "X-Slack-Retry-Num": "1",
      "X-Slack-Retry-Reason": "http_timeout",
    };
    const noise = [
      { ...event, type: "message", subtype: "message_changed", ts: slack.conversations.ts() },
      { ...event, type: "message", subtype: "message_deleted", ts: slack.conversations.ts() },
      { ...event, type: "message", bot_id: "B1", ts: slack.conversations.ts() },
      { ...event, type: "message", user: slack.tokens.botOf(workspace), ts: slack.conversations.ts() },
      { ...event, type: "message", text: "Nobody asked the bot", ts: slack.conversations.ts() },
    ].map((other) => slack.envelope(workspace, other));
    await Promise.all([
      stand.send(one, mention, retried),
      stand.send(one, twin),
      stand.send(one, mention),
      ...noise.map((body) => stand.send(one, body)),
    ]);
    await settle();
    await stand.send(one, mention);
    await settle();
    expect(texts(ts)).toEqual(["The sky is blue."]);
    expect(slack.conversations.messages).toHaveLength(1);
    const [reply] = messagesIn(ts);
    expect(reply).toMatchObject({ streaming: false, recipient: member, channel: "C1" });
    expect(slack.conversations.sessions.map(({ status }) => status)).toEqual(["processing", "active"]);
    expect(slack.conversations.sessions[0]?.title).toBe("why is the sky blue?");
    // What is stored: a chat of the team, and no message in the queue.
    const [chat] = await stand.sql`select c.channel, c.title, count(*)::int as messages from public.chats c
      join public.messages m on m.chat_id = c.id group by c.id`;
    expect(chat).toEqual({ channel: "slack", title: "why is the sky blue?", messages: 2 });
    expect(await stand.sql`select 1 from private.slack_events where payload is not null`).toHaveLength(0);
  });

  it("continues in its thread, without a mention, with the history", async () => {
    const root = await stand.say(one, `${bot()} why is the sky blue?`, inChannel({ type: "app_mention" }));
    await settle();
    const thread = inChannel({ thread_ts: root });
    await stand.say(one, "And at night?", thread);
    await stand.say(one, "<@U0FRIEND> what do you think?", thread);
    await stand.say(one, "Not ours", inChannel({ thread_ts: "1.000001" }));
    await settle();
    expect(messagesIn(root)).toHaveLength(2);
    const last = stand.openai.requests.filter(({ path }) => path.endsWith("/chat/completions")).at(-1);
    expect(JSON.stringify(last?.body.messages)).toMatch(
      /why is the sky blue\?.*The sky is blue\..*And at night\?/,
    );
    expect(stand.slack.callsOf("conversations.history")).toHaveLength(0);
    expect(stand.slack.callsOf("conversations.replies")).toHaveLength(0);
  });

  it("gets its sources as links, and its rating is the web's", async () => {
    const { sql } = stand;
    const text = "Employees have twenty-five days of annual leave.";
    await makeKnowledge(sql, stand.team, [
      { title: "Leave <policy>", content: text, url: "https://docs.example/leave" },
    ]);
    await sql`update public.agents set retrieval_mode = 'text' where id = ${stand.team.agentId}`;
    stand.openai.reply = "You have **twenty-five days** of annual leave [1].";
    const ts = await stand.say(one, "How many days of annual leave do employees have?");
    await settle();
    await sql`delete from public.knowledges`;
    const [reply] = messagesIn(ts);
    if (!reply) throw new Error("no reply");
    const blocks = JSON.stringify(reply.blocks);
    expect(blocks).toContain("<https://docs.example/leave|[1] Leave &lt;policy&gt;>");
    const value = /"value":"(up:[^"]+)"/.exec(blocks)?.[1] ?? "";
    expect((await stand.press(one, reply, value)).status).toBe(200);
    const readRating = () => sql`select rating from public.messages where role = 'assistant'`;
    expect(await readRating()).toEqual([{ rating: "up" }]);
    await stand.press(one, reply, value.replace("up:", "down:"));
    expect(await readRating()).toEqual([{ rating: "down" }]);
    // From a channel without the thread, it rates nothing.
    await stand.press(one, { ...reply, channel: "C9" }, value);
    expect(await readRating()).toEqual([{ rating: "down" }]);
  });

  it("is answered by posting and editing without streams, and after a wait when rate limited", async () => {
    const { slack } = stand;
    slack.conversations.withoutStreams.add("D1");
    slack.conversations.isModern = false;
    slack.next("chat.postMessage", { how: "rate limit", seconds: 1 });
    stand.openai.reply = "# Sky\n\nIt is **blue** & <!channel> [see](https://sky.example).";
    // A reply links to what its reader asked about, and nowhere else.
    const ts = await stand.say(one, "Why? And what is https://sky.example?");
    await settle();
    expect(texts(ts)).toEqual(["*Sky*\n\nIt is *blue* &amp; &lt;!channel&gt; <https://sky.example|see>."]);
    expect(JSON.stringify(messagesIn(ts)[0]?.blocks)).toContain("rate_reply_up");
    expect(slack.callsOf("assistant.threads.setStatus").length).toBeGreaterThan(0);
  });

  it("is not answered twice when Slack's response is lost", async () => {
    const { slack } = stand;
    slack.next("chat.startStream", { how: "lose the answer" });
    const ts = await stand.say(one, "Why?");
    await settle();
    expect(texts(ts)).toEqual(["The sky is blue."]);
    slack.next("chat.stopStream", { how: "error", code: "message_not_in_streaming_state" });
    slack.next("chat.update", { how: "server error" }, { how: "rate limit", seconds: 0 });
    const other = await stand.say(one, "Why again?");
    await eventually(() => expect(slack.callsOf("chat.stopStream").length).toBeGreaterThan(1));
    for (const message of messagesIn(other)) message.streaming = false;
    await settle();
    expect(texts(other)).toEqual(["The sky is blue."]);
  });

  it("with a long answer gets it in parts", async () => {
    const { slack } = stand;
    stand.openai.reply = Array.from(
      { length: 700 },
      (_, i) => `Line ${i} of a long answer about the sky.`,
    ).join("\n");
    const streamed = await stand.say(one, "Tell me all");
    await settle();
    expect(texts(streamed).join("").replace(/\s+/g, " ")).toBe(stand.openai.reply.replace(/\s+/g, " "));
    expect(messagesIn(streamed).length).toBeGreaterThan(2);
    slack.next("chat.postMessage", { how: "error", code: "rate_limited" });
    slack.conversations.withoutStreams.add("D1");
    const edited = await stand.say(one, "Tell me all");
    await settle();
    expect(texts(edited).join("\n").replace(/\s+/g, " ")).toBe(stand.openai.reply.replace(/\s+/g, " "));
  });

  it("with a long answer gets it whole, with its sources, after its stream broke", async () => {
    const { slack } = stand;
    const lines = (count: number) =>
      Array.from({ length: count }, (_, i) => `Line ${i} of a long answer & é.`).join("\n");
    const textOf = (ts: string) => texts(ts).join("\n").replaceAll("&amp;", "&").replace(/\s+/g, " ").trim();
    stand.openai.reply = lines(260);
    // Slack ends a stream after some minutes, and a limit that is long is not waited for.
    for (const trouble of [
      { how: "error", code: "message_not_in_streaming_state" },
      { how: "rate limit", seconds: 60 },
    ] as const) {
      slack.next("chat.appendStream", trouble);
      const ts = await stand.say(one, "Tell me all");
      await settle();
      expect(textOf(ts)).toBe(stand.openai.reply.replace(/\s+/g, " "));
      expect(messagesIn(ts).map(({ streaming }) => streaming)).not.toContain(true);
      expect(JSON.stringify(messagesIn(ts).at(-1)?.blocks)).toContain("rate_reply");
      expect(await stand.sql`select distinct status from private.slack_events`).toEqual([{ status: "done" }]);
    }
  });

  it("keeps its answer when Slack takes none of the blocks under it", async () => {
    const { slack } = stand;
    slack.next("chat.stopStream", ...Array(3).fill({ how: "error", code: "msg_blocks_too_long" }));
    const ts = await stand.say(one, "Why?");
    await settle();
    expect(messagesIn(ts)).toMatchObject([{ text: "The sky is blue.", streaming: false, blocks: [] }]);
  });

  it("in a busy thread is not answered twice when Slack's response is lost", async () => {
    const { slack } = stand;
    slack.conversations.withoutStreams.add("C1");
    const root = await stand.say(one, `${bot()} why?`, inChannel({ type: "app_mention" }));
    await settle();
    slack.users.set("U0OTHER", { locale: "fr-FR" });
    slack.next("users.info", { how: "wait" });
    await stand.say(one, `${bot()} why again?`, inChannel({ user: "U0OTHER", thread_ts: root }));
    const isAsked = () => slack.callsOf("users.info").some(({ args }) => args.user === "U0OTHER");
    await eventually(() => expect(isAsked()).toBe(true));
    for (let i = 0; i < 20; i++) slack.conversations.addFrom("U0FRIEND", "C1", root);
    slack.next("chat.postMessage", { how: "lose the answer" });
    slack.next("conversations.replies", { how: "rate limit", seconds: 60 });
    slack.release();
    await settle();
    const replies = messagesIn(root).filter(({ user }) => user !== "U0FRIEND");
    expect(replies.map(({ text }) => text)).toEqual(["The sky is blue.", "The sky is blue."]);
  });

  it("with files says that they are not read, with the answer or in its place", async () => {
    stand.slack.users.set("U0FRENCH", { locale: "fr-FR" });
    const files = { subtype: "file_share", files: [{ id: "F1", name: "plan.pdf" }] };
    const asked = await stand.say(one, "Why?", files);
    const alone = await stand.say(one, "", { ...files, user: "U0FRENCH" });
    await settle();
    expect(texts(asked)).toEqual(["The sky is blue."]);
    expect(JSON.stringify(messagesIn(asked)[0]?.blocks)).toContain("I don't read files");
    expect(texts(alone)[0]).toMatch(/^Je ne lis pas les fichiers joints aux messages\. Posez-moi/);
  });

  it("stops on request", async () => {
    const { slack } = stand;
    stand.openai.next({ how: "stall", after: 2 });
    const ts = await stand.say(one, "Why?");
    await eventually(() => expect(messagesIn(ts)).toHaveLength(1));
    const stop = {
      type: "agent_session_stopped",
      channel: "D1",
      thread_ts: ts,
      user: member,
      streaming_message_ts: [],
    };
    await stand.send(one, slack.envelope(workspace, stop));
    await settle();
    expect(texts(ts)).toEqual(["The sky"]);
    expect(await stand.sql`select status from public.messages where role = 'assistant'`).toEqual([
      { status: "stopped" },
    ]);
    stand.openai.next({ how: "stall", after: 1 });
    await stand.say(one, "And now?", { thread_ts: ts });
    await eventually(() => expect(messagesIn(ts)).toHaveLength(2));
    await stand.say(one, "stop!", { thread_ts: ts });
    await settle();
    expect(texts(ts)).toEqual(["The sky", "The"]);
  });

  it("is not answered further, or at all, once its author deleted it", async () => {
    const { slack } = stand;
    const remove = (ts: string, threadTs?: string) => {
      const before = { user: member, text: "Why?", ts, thread_ts: threadTs };
      const event = {
        type: "message",
        subtype: "message_deleted",
        hidden: true,
        channel: "D1",
        channel_type: "im",
      };
      return stand.send(
        one,
        slack.envelope(workspace, { ...event, deleted_ts: ts, previous_message: before }),
      );
    };
    stand.openai.next({ how: "stall", after: 2 });
    const ts = await stand.say(one, "Why?");
    await eventually(() => expect(messagesIn(ts)).toHaveLength(1));
    const next = await stand.say(one, "And at night?", { thread_ts: ts });
    const last = await stand.say(one, "And in the evening?", { thread_ts: ts });
    await remove(next, ts);
    await remove(ts);
    await settle();
    expect(texts(ts)).toEqual(["The sky", "The sky is blue."]);
    const asked = await stand.sql`select content from public.messages where role = 'user' order by id`;
    expect(asked.map(({ content }) => content)).toEqual(["Why?", "And in the evening?"]);
    await remove(last, ts);
    await settle();
    expect(texts(ts)).toHaveLength(2);
    // Slack delivers again, after a minute, a message whose first delivery failed.
    const late = slack.conversations.ts();
    await remove(late);
    await remove(late);
    await stand.say(one, "Never mind?", { ts: late });
    await settle();
    expect(texts(late)).toEqual([]);
  });

  it("stops on request while as many answers as fit are written, and once", async () => {
    const { slack, sql } = stand;
    stand.openai.next(...Array.from({ length: 8 }, () => ({ how: "stall", after: 2 }) as const));
    const all: string[] = [];
    for (let i = 0; i < 8; i++) all.push(await stand.say(one, `Why ${i}?`));
    await eventually(() => expect(all.flatMap(messagesIn)).toHaveLength(8));
    const [first = "", ...others] = all;
    const event = { type: "agent_session_stopped", channel: "D1", thread_ts: first, user: member };
    const stop = slack.envelope(workspace, event);
    await stand.send(one, stop);
    const findStopped = () =>
      sql`select 1 from public.messages where role = 'assistant' and status = 'stopped'`;
    await eventually(async () => expect(await findStopped()).toHaveLength(1));
    stand.openai.next({ how: "stall", after: 1 });
    await stand.say(one, "And now?", { thread_ts: first });
    await eventually(() => expect(messagesIn(first)).toHaveLength(2));
    await stand.send(one, stop);
    expect(await sql`select 1 from public.messages where stop_requested and status = 'streaming'`).toEqual(
      [],
    );
    for (const ts of all) await stand.say(one, "stop", { thread_ts: ts });
    await settle();
    expect([first, ...others].map((ts) => texts(ts)[0])).toEqual(all.map(() => "The sky"));
  });
});
