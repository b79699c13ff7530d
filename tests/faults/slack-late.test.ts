// Slack delivers again, minutes later, what was not acknowledged: meanwhile a follow-up, an edit or a deletion of it may have arrived.
import { describe, expect, it } from "vitest";
import { sweepEvents } from "../../edge-functions/slack/queue.ts";
import {
  bot,
  inChannel,
  messagesIn,
  one,
  settle,
  stand,
  texts,
  waitUntil,
} from "../support/connected-slack.ts";
import { member, workspace } from "../support/slack-stand.ts";

const questions = async () => {
  const rows = await stand.sql<{ content: string }[]>`
    select content from public.messages where role = 'user' order by id`;
  return rows.map(({ content }) => content);
};
const change = (message: Record<string, unknown>, before: string, place: object) =>
  stand.send(
    one,
    stand.slack.envelope(workspace, {
      type: "message",
      subtype: "message_changed",
      hidden: true,
      ts: stand.slack.conversations.ts(),
      message: { type: "message", ...message },
      previous_message: { type: "message", user: member, text: before, ts: message.ts },
      ...place,
    }),
  );
const channel = inChannel();
const direct = { channel: "D1", channel_type: "im" };
const bury = (ts: string) =>
  change(
    { subtype: "tombstone", user: "USLACKBOT", text: "This message was deleted.", ts, thread_ts: ts },
    "Why?",
    direct,
  );

describe("a follow-up that arrives before its thread's first mention", () => {
  it("is answered after it, once", async () => {
    const { conversations } = stand.slack;
    const [before, mention] = [conversations.ts(), conversations.ts()];
    const late = () => stand.say(one, `${bot()} why?`, inChannel({ ts: mention, thread_ts: before }));
    // People wrote to each other before they asked.
    await stand.say(one, "Do you know?", inChannel({ ts: conversations.ts(), thread_ts: before }));
    const earlier = (Number(mention) - 1).toFixed(6);
    await stand.say(one, "I do not.", inChannel({ ts: earlier, thread_ts: before }));
    const taken = await stand.say(one, "No, wait.", inChannel({ thread_ts: before }));
    await stand.say(one, `<@U0OTHER> look`, inChannel({ thread_ts: before }));
    await settle();
    const event = { type: "message", subtype: "message_deleted", hidden: true, ...channel };
    await stand.send(
      one,
      stand.slack.envelope(workspace, {
        ...event,
        deleted_ts: taken,
        previous_message: { user: member, text: "No, wait.", ts: taken, thread_ts: before },
      }),
    );
    await settle();
    expect(await questions()).toEqual([]);
    await late();
    await settle();
    expect(await questions()).toEqual(["why?", "Do you know?"]);
    await late();
    await settle();
    expect(texts(before)).toHaveLength(2);
  });

  it("is answered as it was edited", async () => {
    const { conversations } = stand.slack;
    const mention = conversations.ts();
    const next = await stand.say(one, "And at nihgt?", inChannel({ thread_ts: mention }));
    await settle();
    await change(
      { user: member, text: "And at night?", ts: next, thread_ts: mention },
      "And at nihgt?",
      channel,
    );
    await stand.say(one, `${bot()} why?`, inChannel({ ts: mention }));
    await settle();
    expect(await questions()).toEqual(["why?", "And at night?"]);
  });

  it("is forgotten when no mention comes", async () => {
    const { sql } = stand;
    const thread = stand.slack.conversations.ts();
    await stand.say(one, "Lunch?", inChannel({ thread_ts: thread }));
    await settle();
    const readTexts = () => sql`select 1 from private.slack_events where payload is not null`;
    await sweepEvents();
    expect(await readTexts()).toHaveLength(1);
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update private.slack_events set updated_at = now() - interval '11 minutes'`;
    });
    await sweepEvents();
    expect(await readTexts()).toHaveLength(0);
    await stand.say(
      one,
      `${bot()} why?`,
      inChannel({ ts: (Number(thread) - 1).toFixed(6), thread_ts: thread }),
    );
    await settle();
    expect(await questions()).toEqual(["why?"]);
  });
});

describe("an edit that arrives before its message", () => {
  it("is asked in its place, once, and its author is told nothing", async () => {
    const { slack } = stand;
    const ts = slack.conversations.ts();
    const edited = { user: member, text: "Where?", ts };
    await change(edited, "Who?", direct);
    await settle();
    await change(edited, "Who?", direct);
    await stand.say(one, "Who?", { ts });
    await settle();
    expect(await questions()).toEqual(["Where?"]);
    expect(texts(ts)).toHaveLength(1);
    const inOther = slack.conversations.ts();
    await change({ user: member, text: `${bot()} how?`, ts: inOther }, "how?", channel);
    await change({ user: member, text: "Lunch at noon?", ts: slack.conversations.ts() }, "Lunch?", channel);
    const old = `${Math.floor(Date.now() / 1000) - 3_600}.000001`;
    await change({ user: member, text: "What was that?", ts: old }, "What?", direct);
    await settle();
    expect(await questions()).toEqual(["Where?", "how?"]);
  });
});

describe("edits that arrive in another order than they were made", () => {
  const editAt = (second: number, text: string, more: object) =>
    change(
      { user: member, text, edited: { user: member, ts: `${1_700_000_000 + second}.000000` }, ...more },
      "Who?",
      direct,
    );

  it("are asked as the last one by Slack's time", async () => {
    const { slack } = stand;
    // The first answer keeps the thread's next question waiting.
    stand.openai.next({ how: "stall", after: 2 });
    const thread = await stand.say(one, "Why?");
    await waitUntil(() => messagesIn(thread).length === 1);
    const ts = await stand.say(one, "Who?", { thread_ts: thread });
    await editAt(20, "Where to?", { ts, thread_ts: thread });
    await editAt(10, "Where?", { ts, thread_ts: thread });
    await bury(thread);
    await settle();
    expect(await questions()).toEqual(["Why?", "Where to?"]);
    const unseen = slack.conversations.ts();
    await editAt(9, "How to?", { ts: unseen });
    await editAt(8, "How?", { ts: unseen });
    await stand.say(one, "Hw?", { ts: unseen });
    await settle();
    expect(await questions()).toEqual(["Why?", "Where to?", "How to?"]);
    expect(stand.slack.callsOf("chat.postEphemeral")).toEqual([]);
  });
});

describe("a question whose thread stays when it is deleted", () => {
  it("is not answered further, or at all", async () => {
    stand.openai.next({ how: "stall", after: 2 });
    const ts = await stand.say(one, "Why?");
    await waitUntil(() => messagesIn(ts).length === 1);
    await bury(ts);
    await settle();
    expect(texts(ts)).toEqual(["The sky"]);
    expect(stand.slack.callsOf("chat.postEphemeral")).toEqual([]);
    const late = stand.slack.conversations.ts();
    await bury(late);
    await stand.say(one, "Never mind?", { ts: late });
    await settle();
    expect(await questions()).toEqual(["Why?"]);
  });
});
