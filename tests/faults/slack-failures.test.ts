// Questions in Slack without an answer: the person there reads why, and Parley says which reply did not reach Slack.

import { describe, expect, it } from "vitest";
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
import { eventually } from "../support/eventually.ts";
import { workspace } from "../support/slack-stand.ts";

const readReplies = () =>
  stand.sql`select content, status, undelivered from public.messages where role = 'assistant' order by id`;
const whole = { content: "The sky is blue.", status: "complete" };

describe("a question", () => {
  it("that the model fails to answer gets the reason, as far as it concerns strangers", async () => {
    stand.slack.users.set("U0FRENCH", { locale: "fr-FR" });
    stand.openai.next({ how: "status", status: 400 });
    const ts = await stand.say(one, "Why?");
    await settle();
    expect(texts(ts)).toEqual(["This agent cannot answer at the moment. Try again later."]);
    expect(messagesIn(ts)[0]?.blocks).toEqual([]);
    const choices = [{ index: 0, delta: { content: "The sky, except" }, finish_reason: "length" }];
    stand.openai.next({ how: "events", events: [{ choices }] });
    const cut = await stand.say(one, "Pourquoi ?", { user: "U0FRENCH" });
    await settle();
    expect(texts(cut)[0]).toMatch(/^The sky, except\n\n_La réponse a été interrompue ici\. .*trop longue/);
  });

  it("whose every attempt fails gets one apology; where only Slack failed, the reply", async () => {
    const { sql, slack, openai } = stand;
    await sql`alter table public.messages add constraint broken check (content <> 'Broken?') not valid`;
    slack.next("chat.startStream", { how: "lose the answer" });
    const ts = await stand.say(one, "Broken?");
    await settle();
    await sql`alter table public.messages drop constraint broken`;
    expect(texts(ts)).toEqual(["I could not answer that just now. Ask me again in a moment."]);
    expect(openai.requests).toHaveLength(0);

    const down = Array.from({ length: 6 }, () => ({ how: "server error" }) as const);
    slack.next("chat.startStream", ...down);
    slack.next("chat.postMessage", ...down);
    const late = await stand.say(one, "Why?");
    await settle();
    expect(texts(late)).toEqual(["The sky is blue."]);
    expect(await sql`select status, attempts from private.slack_events order by id`).toEqual([
      { status: "failed", attempts: 6 },
      { status: "failed", attempts: 6 },
    ]);
  });
});

it("a question from someone whom Slack does not describe is refused in words, and asked once Slack does", async () => {
  const { slack, openai } = stand;
  slack.next("users.info", { how: "error", code: "missing_scope" });
  slack.users.set("U0UNREAD", {});
  const ts = await stand.say(one, "Why?", { user: "U0UNREAD" });
  await settle();
  expect(texts(ts)).toEqual([expect.stringMatching(/^Slack does not tell me who you are/)]);
  expect(openai.requests).toHaveLength(0);
  const next = await stand.say(one, "Why?", { user: "U0UNREAD" });
  await settle();
  expect(texts(next)).toEqual(["The sky is blue."]);
});

it("a question that finds the database busy is kept, and answered once the database is back", async () => {
  const { sql } = stand;
  await sql.unsafe(`
    create sequence public.refused;
    create function public.be_busy() returns trigger security definer language plpgsql as $$
    begin perform nextval('public.refused'); raise exception 'busy' using errcode = '57014'; end $$;
    create trigger busy before insert on public.messages
      for each row when (new.content = 'Busy?') execute function public.be_busy()`);
  try {
    const ts = await stand.say(one, "Busy?");
    await eventually(async () => {
      await sql`update private.slack_events set run_after = now() where status = 'queued'`;
      await stand.tick(one);
      const [row] = await sql`select last_value::int as times from public.refused`;
      expect(row?.times > 8 || texts(ts).length > 0).toBe(true);
    });
    expect(texts(ts)).toEqual([]);
    await sql`drop trigger busy on public.messages`;
    await settle();
    expect(texts(ts)).toEqual(["The sky is blue."]);
  } finally {
    await sql.unsafe("drop function public.be_busy cascade; drop sequence public.refused");
  }
});

it.each([
  ["letters", "a".repeat(20_001)],
  // As Slack writes them.
  ["signs", "&amp;".repeat(40_000)],
])("a question of too many %s is refused whole, and not cut", async (_what, text) => {
  const ts = await stand.say(one, text);
  await settle();
  expect(texts(ts)).toEqual([expect.stringMatching(/too long/)]);
  expect(await readReplies()).toEqual([]);
});

describe("a reply that Slack does not take", () => {
  it("amid its stream is kept whole, and says why it did not arrive", async () => {
    const { slack } = stand;
    slack.next("chat.stopStream", { how: "wait" });
    const ts = await stand.say(one, `${bot()} why?`, inChannel({ type: "app_mention" }));
    await waitUntil(() => slack.callsOf("chat.stopStream").length === 1);
    slack.conversations.archived.add("C1");
    slack.release();
    await settle();
    expect(messagesIn(ts)).toHaveLength(1);
    expect(await readReplies()).toEqual([{ ...whole, undelivered: "slackArchived" }]);
  });

  it.each([
    ["not_in_channel", "slackNotInChannel"],
    ["restricted_action_read_only_channel", "slackReadOnly"],
    ["thread_not_found", "slackThreadGone"],
  ])("with %s says so", async (code, reason) => {
    stand.slack.next("chat.startStream", { how: "error", code });
    await stand.say(one, `${bot()} why?`, inChannel({ type: "app_mention" }));
    await settle();
    expect(await readReplies()).toEqual([{ ...whole, undelivered: reason }]);
  });

  it.each([
    ["msg_too_long", "slackTooLong"],
    ["no_permission", "slackRefused"],
  ])("with %s is marked, and the person reads that there is one", async (code, reason) => {
    const { slack } = stand;
    slack.conversations.withoutStreams.add("D1");
    const refused = { how: "error", code } as const;
    slack.next("chat.postMessage", refused, refused);
    const ts = await stand.say(one, "Why?");
    await settle();
    expect(texts(ts)).toEqual([expect.stringMatching(/Slack does not accept it/)]);
    expect(await readReplies()).toEqual([{ ...whole, undelivered: reason }]);
  });

  it("while Slack is away is marked, tried again for a day, and loses the mark once it arrives", async () => {
    const { slack, openai, sql } = stand;
    slack.conversations.withoutStreams.add("D1");
    const goAway = () =>
      slack.next("chat.postMessage", ...Array.from({ length: 30 }, () => ({ how: "server error" }) as const));
    goAway();
    const ts = await stand.say(one, "Why?");
    const away = { ...whole, undelivered: "slackUnreachable" };
    await eventually(async () => {
      await sql`update private.slack_events set run_after = now() where status = 'queued'`;
      await stand.tick(one);
      expect(await readReplies()).toEqual([away]);
    });
    expect(messagesIn(ts)).toEqual([]);
    await settle();
    expect(texts(ts)).toEqual(["The sky is blue."]);
    expect(await readReplies()).toEqual([{ ...whole, undelivered: null }]);
    expect(openai.requests).toHaveLength(1);

    goAway();
    const late = await stand.say(one, "Why?");
    await sql`update private.slack_events set created_at = now() - interval '25 hours' where ts = ${late}`;
    await settle();
    expect(messagesIn(late)).toEqual([]);
    expect((await readReplies()).at(-1)).toEqual(away);
  });

  it("and has failed, while Slack is away, does not ask the model at each attempt", async () => {
    const { slack, openai } = stand;
    slack.conversations.withoutStreams.add("D1");
    slack.next("chat.postMessage", ...Array.from({ length: 30 }, () => ({ how: "server error" }) as const));
    openai.next({ how: "error in stream", after: 2 });
    const ts = await stand.say(one, "Why?");
    await settle();
    expect(texts(ts)).toHaveLength(1);
    expect(await readReplies()).toMatchObject([{ status: "failed", undelivered: null }]);
    expect(openai.requests).toHaveLength(1);
  });

  it("after its token was revoked waits a day for the workspace, and loses the mark once it arrives", async () => {
    const { slack, sql } = stand;
    slack.next("chat.stopStream", { how: "wait" });
    const ts = await stand.say(one, "Why?");
    await waitUntil(() => slack.callsOf("chat.stopStream").length === 1);
    // Another question of the same thread waits behind it.
    await stand.say(one, "And at night?", { thread_ts: ts });
    slack.tokens.revoke(workspace);
    slack.release();
    const marked = { undelivered: "slackDisconnected" };
    await eventually(async () => expect(await readReplies()).toMatchObject([marked]));
    await stand.install(one, app);
    await settle();
    expect(texts(ts)).toEqual(["The sky is blue.", "The sky is blue."]);
    expect(await readReplies()).toEqual([whole, whole].map((reply) => ({ ...reply, undelivered: null })));

    // Too late, nobody waits for it any more.
    slack.next("chat.startStream", { how: "error", code: "token_revoked" });
    const late = await stand.say(one, "Why?");
    await eventually(async () => expect((await readReplies()).at(-1)).toMatchObject(marked));
    await sql`update private.slack_events set created_at = now() - interval '25 hours' where ts = ${late}`;
    await settle();
    expect((await readReplies()).at(-1)).toEqual({ ...whole, ...marked });
    expect(messagesIn(late)).toEqual([]);
  });

  it("that failed with its workspace is written again once the workspace is back", async () => {
    const { slack, openai } = stand;
    openai.next({ how: "error in stream", after: 2 });
    slack.next("chat.startStream", { how: "error", code: "token_revoked" });
    const ts = await stand.say(one, "Why?");
    const failed = { status: "failed", undelivered: "slackDisconnected" };
    await eventually(async () => expect(await readReplies()).toMatchObject([failed]));
    await stand.install(one, app);
    await settle();
    expect(texts(ts)).toEqual(["The sky is blue."]);
    expect(await readReplies()).toEqual([{ ...whole, undelivered: null }]);
  });
});
