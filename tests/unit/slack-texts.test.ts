// Slack's events parsed, Markdown converted to mrkdwn, long replies split.

import { describe, expect, test } from "vitest";
import type { Support } from "../../edge-functions/answering/support.ts";
import { searchBlocks, sourceBlocks, supportBlocks, textBlocks } from "../../edge-functions/slack/blocks.ts";
import { plainText, workOf } from "../../edge-functions/slack/envelope.ts";
import { requireSlack } from "../../edge-functions/slack/install.ts";
import { linkTo, toMrkdwn, withoutMentions } from "../../edge-functions/slack/mrkdwn.ts";
import { cutOf, partsOf } from "../../edge-functions/slack/splitting.ts";
import { wordsFor } from "../../edge-functions/slack/words.ts";
import fc from "../support/property-cases.ts";
import { say, sayIn } from "../support/words.ts";

describe("Markdown as mrkdwn", () => {
  test.each([
    ["**bold** and *slanted* and ~~gone~~", "*bold* and _slanted_ and ~gone~"],
    ["# A **heading**", "*A heading*"],
    ["[a|b](https://x.example/?a=1&b=2)", "<https://x.example/?a=1&amp;b=2|a¦b>"],
    ["[run](javascript:alert(1))", "run"],
    ["![a picture](https://x.example/p.png)", "a picture"],
    ["`a < b`", "`a &lt; b`"],
    ["```js\nif (a < b) {}\n```", "```\nif (a &lt; b) {}\n```"],
    ["- one\n- two\n  1. deep", "• one\n• two\n    1. deep"],
    ["- [x] done\n- [ ] open", "• ☑ done\n• ☐ open"],
    ["> quoted\n> twice", "> quoted\n> twice"],
    ["| a | bb |\n|---|---|\n| 1 | 2 |", "```\na  bb\n-  --\n1  2\n```"],
    [
      "Call <!channel> and <@U1>, 1 < 2 & 3 > 2",
      "Call &lt;!channel&gt; and &lt;@U1&gt;, 1 &lt; 2 &amp; 3 &gt; 2",
    ],
    ["See [1] and [2][3].", "See [1] and [2][3]."],
  ])("%s", (markdown, mrkdwn) => {
    expect(toMrkdwn(markdown)).toBe(mrkdwn);
  });

  test("never mentions anybody, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom("<", "!", "@", "#", "channel", ">", "|", "&", "U1", "[a](", ")", "`", "\n", "*"),
        ),
        (parts) => {
          const text = parts.join("");
          expect(toMrkdwn(text)).not.toMatch(/<[!@#]/);
          expect(withoutMentions(text)).not.toMatch(/<[!@#]/);
          const half = Math.floor(text.length / 2);
          const [head, rest] = [text.slice(0, half), text.slice(half)];
          expect(withoutMentions(head) + withoutMentions(rest, head)).not.toMatch(/<[!@#]/);
        },
      ),
    );
  });

  test("a link's label and URL cannot break out of it", () => {
    expect(linkTo("https://x.example/a|b>c", "<b>|\nTitle")).toBe(
      "<https://x.example/a%7Cb&gt;c|&lt;b&gt;¦ Title>",
    );
    expect(linkTo(null, "Title")).toBe("Title");
  });
});

describe("a long text", () => {
  test("is split after paragraphs, lines or words, without loss", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("word ", "longerword", "\n", "\n\n", "😀"), { maxLength: 300 }),
        (pieces) => {
          const text = pieces.join("");
          const parts = partsOf(text, 60);
          for (const part of parts) {
            expect(part.length).toBeLessThanOrEqual(60);
            expect(part).not.toMatch(/[\uD800-\uDBFF]$|^[\uDC00-\uDFFF]/);
          }
          expect(parts.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
        },
      ),
    );
    expect(cutOf("a b", 0, 2)).toBe(2);
  });

  test("fits a limit of what it becomes, also as a wide table or behind an endless fence", () => {
    const sizeOf = (part: string) => toMrkdwn(part).length;
    const table = `| a | b |\n|---|---|\n| ${"wide ".repeat(200)} | 1 |\n${"| x | y |\n".repeat(300)}`;
    const fence = `\`\`\`${"x".repeat(5_000)}\nif (a < b && c > d)\n${"a < b\n".repeat(900)}`;
    for (const text of [table, fence, "&".repeat(9_000)]) {
      const parts = partsOf(text, 2_000, sizeOf);
      expect(Math.max(...parts.map(sizeOf))).toBeLessThanOrEqual(2_000);
      expect(parts.join("").replace(/\s|`/g, "")).toBe(text.replace(/\s|`/g, ""));
    }
  });

  test("closes a code block at a split, and reopens it", () => {
    const code = Array.from({ length: 12 }, (_, i) => `line ${i}`).join("\n");
    const parts = partsOf(`Look:\n\n\`\`\`js\n${code}\n\`\`\`\nDone.`, 60);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(part.match(/^```/gm)?.length ?? 0).toSatisfy((n: number) => n % 2 === 0);
    expect(parts[1]).toMatch(/^```js\n/);
  });

  test("fits Slack's blocks", () => {
    const long = "A sentence of some length, over and over. ".repeat(400);
    for (const { text } of textBlocks(long) as { text: { text: string } }[])
      expect(text.text.length).toBeLessThan(3000);
    const code = textBlocks(`\`\`\`\n${"a line of code\n".repeat(400)}\`\`\``) as {
      text: { text: string };
    }[];
    expect(code.length).toBeGreaterThan(1);
    for (const { text } of code) expect(text.text).toMatch(/^```\n[^`]+\n```$/);
    const citation = {
      index: 1,
      sourceId: "s",
      documentId: "d",
      chunkId: "c",
      title: "T".repeat(400),
      url: null,
      quote: "",
    };
    const many = Array.from({ length: 60 }, (_, i) => ({ ...citation, index: i + 1 }));
    const [block] = sourceBlocks(many, () => "https://parley.example/d", wordsFor("en-US"));
    const elements = block?.elements as { text: string }[];
    expect(elements.length).toBeLessThanOrEqual(10);
    for (const { text } of elements) expect(text.length).toBeLessThan(3000);
    expect(elements[0]?.text).toMatch(/^\*Sources\* {2}<https:\/\/parley\.example\/d\|\[1\] T/);
  });
});

describe("an event", () => {
  const envelope = (event: object) => ({
    type: "event_callback",
    event_id: "Ev1",
    team_id: "T1",
    authorizations: [{ team_id: "T1", user_id: "UBOT", is_bot: true }],
    event,
  });
  const message = { type: "message", channel: "C1", user: "U1", text: "<@UBOT> hi", ts: "1.000001" };

  test("in another workspace's channel belongs to the workspace with the app", () => {
    expect(workOf({ ...envelope(message), team_id: "T2" })).toMatchObject({
      workspaceId: "T1",
      kind: "message",
    });
  });

  test.each([
    ["nothing", null],
    ["no event", { type: "event_callback", event_id: "Ev1", team_id: "T1" }],
    ["no workspace", { ...envelope(message), team_id: null, authorizations: [] }],
    ["an app_rate_limited", { type: "app_rate_limited", team_id: "T1", minute_rate_limited: 1 }],
    ["a reaction", envelope({ type: "reaction_added", user: "U1" })],
    ["a user's token, revoked", envelope({ type: "tokens_revoked", tokens: { oauth: ["U1"] } })],
    ["the Home tab, opened", envelope({ type: "app_home_opened", tab: "home", channel: "D1" })],
    ["a message without a person", envelope({ ...message, user: undefined })],
    ["a channel joined", envelope({ ...message, subtype: "channel_join" })],
    ["words to others", envelope({ ...message, text: "hello" })],
  ])("that is %s is ignored", (_what, body) => {
    expect(workOf(body)).toBeUndefined();
  });

  test.each(["stop", "Stop.", "arrête", "ARRETEZ!"])("in a thread, %s stops the reply", (text) => {
    expect(workOf(envelope({ ...message, text: `<@UBOT> ${text}`, thread_ts: "1.0" }))).toMatchObject({
      kind: "stop",
      threadTs: "1.0",
    });
  });

  test("is read as plain text", () => {
    expect(
      plainText(
        "<@U1> see <https://x.example|the page>, <https://y.example> in <#C1|general> &amp; &lt;b&gt; <!here>",
      ),
    ).toBe("@someone see the page (https://x.example), https://y.example in general & <b> @here");
  });
});

test("an installation without a Slack app says so, and names the missing settings", () => {
  const needed = {
    DATABASE_URL: "postgres://x",
    SUPABASE_URL: "http://127.0.0.1:9",
    WEB_URL: "http://127.0.0.1:9",
  };
  const keys = { SUPABASE_ANON_KEY: "a", SUPABASE_SERVICE_ROLE_KEY: "s", SECRETS_KEY: "x".repeat(32) };
  Object.assign(process.env, needed, keys, {
    SLACK_CLIENT_ID: "1.2",
    SLACK_CLIENT_SECRET: "",
    SLACK_SIGNING_SECRET: "",
  });
  expect(requireSlack).toThrow(/SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_SIGNING_SECRET/);
});

test("a follow-up's rewritten query is shown under the reply as plain text, truncated if long", () => {
  expect(searchBlocks(null, wordsFor("en-US"))).toEqual([]);
  const renderSearch = (question: string, locale: string) =>
    JSON.stringify(searchBlocks(question, wordsFor(locale)));
  expect(renderSearch("<!channel> How much?", "en-US")).toContain(
    '"plain_text","text":"Searched for: <!channel> How much?"',
  );
  expect(renderSearch("Combien ?", "fr-FR")).toContain("Recherche effectuée : Combien ?");
  expect(renderSearch("x".repeat(2_000), "en-US").length).toBeLessThan(300);
});

test("a reply that the documents support in part, or not at all, says so", () => {
  const renderSupport = (state: Support["state"], locale = "en-US") =>
    supportBlocks({ state, disagreement: [] }, [], wordsFor(locale)).flatMap(({ elements }) => elements);
  expect(renderSupport("partly")).toEqual([{ type: "plain_text", text: say("slack:partly") }]);
  expect(renderSupport("notFound", "fr-FR")).toEqual([
    { type: "plain_text", text: sayIn("fr")("slack:notFound") },
  ]);
  expect(renderSupport("disagree")).toHaveLength(1);
  for (const state of ["answered", "unchecked"] as const) expect(renderSupport(state)).toEqual([]);
  expect(supportBlocks(null, [], wordsFor("en-US"))).toEqual([]);
});

test("two documents that disagree are both quoted with their titles and dates, as plain text", () => {
  const disagreement = [
    { citation: 1, quote: "Everyone gets ~~24~~ **25** days.", date: "2024-05-01" },
    { citation: 2, quote: "Everyone gets <!channel> 27 days.", date: null },
  ];
  const support = { state: "disagree" as const, disagreement };
  const citations = [
    { index: 1, title: "old.md" },
    { index: 2, title: "new.md" },
  ];
  const elements = supportBlocks(support, citations, wordsFor("fr-FR")).flatMap(({ elements }) => elements);
  const inFrench = sayIn("fr");
  const old = inFrench("slack:dated", { title: "old.md", date: "2024-05-01" });
  expect(elements).toEqual(
    [
      inFrench("slack:disagree"),
      inFrench("slack:quoted", { quote: "Everyone gets ~24~ 25 days.", from: old }),
      inFrench("slack:quoted", { quote: "Everyone gets <!channel> 27 days.", from: "new.md" }),
    ].map((text) => ({ type: "plain_text", text })),
  );
});
