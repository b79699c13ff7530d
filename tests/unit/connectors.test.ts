// Converting services' answers to text: without a failure for any input, and without a loss in people's text.

import { describe, expect, it } from "vitest";
import { itemOf as chatItem } from "../../edge-functions/indexing/connectors/agent-chat/transform.ts";
import * as hubspot from "../../edge-functions/indexing/connectors/hubspot/transform.ts";
import { markdownOfAdf } from "../../edge-functions/indexing/connectors/jira/adf.ts";
import * as jira from "../../edge-functions/indexing/connectors/jira/transform.ts";
import { markdownOfHtml } from "../../edge-functions/indexing/connectors/markup.ts";
import { readNode } from "../../edge-functions/indexing/connectors/shopify/transform.ts";
import { markdownStructure } from "../../edge-functions/indexing/parsers/markdown-structure.ts";
import fc from "../support/property-cases.ts";

const text = (value: string, ...marks: object[]) => ({ type: "text", text: value, marks });
const paragraph = (...content: object[]) => ({ type: "paragraph", content });
const doc = (...content: object[]) => ({ type: "doc", version: 1, content });

const cell = (value: string, attrs = {}) => ({
  type: "tableCell",
  attrs,
  content: [paragraph(text(value))],
});
const header = (value: string) => ({ ...cell(value), type: "tableHeader" });

describe("Jira's documents", () => {
  it("keep headings, lists, tables, code, links, people and panels", () => {
    const markdown = markdownOfAdf(
      doc(
        { type: "heading", attrs: { level: 2 }, content: [text("Steps")] },
        {
          type: "orderedList",
          content: [
            {
              type: "listItem",
              content: [
                paragraph(
                  text("Open "),
                  text("the page", { type: "link", attrs: { href: "https://a.example" } }),
                ),
                { type: "bulletList", content: [{ type: "listItem", content: [paragraph(text("inner"))] }] },
              ],
            },
            {
              type: "listItem",
              content: [paragraph(text("Ask "), { type: "mention", attrs: { text: "@Ada" } })],
            },
          ],
        },
        {
          type: "table",
          content: [
            { type: "tableRow", content: [header("Key"), header("Value|s")] },
            { type: "tableRow", content: [cell("a"), cell("1")] },
            { type: "tableRow", content: [{ ...cell("both"), attrs: { colspan: 2 } }] },
          ],
        },
        { type: "codeBlock", attrs: { language: "js" }, content: [text("a ``` b")] },
        { type: "panel", content: [paragraph(text("one"), { type: "hardBreak" }, text("two"))] },
        {
          type: "taskList",
          content: [{ type: "taskItem", attrs: { state: "DONE" }, content: [text("done")] }],
        },
        { type: "blockCard", attrs: { url: "https://b.example" } },
        { type: "mediaSingle", content: [{ type: "media", attrs: { id: "x" } }] },
        paragraph({ type: "date", attrs: { timestamp: "1767225600000" } }, text(" "), {
          type: "status",
          attrs: { text: "OPEN" },
        }),
      ),
    );
    expect(markdown).toBe(
      [
        "## Steps",
        "1. Open the page (https://a.example)\n  - inner\n2. Ask @Ada",
        "| Key | Value\\|s |\n| --- | --- |\n| a | 1 |\n| both |  |",
        "````\na ``` b\n````",
        "one\ntwo",
        "- [x] done",
        "https://b.example",
        "2026-01-01 OPEN",
      ].join("\n\n"),
    );
    expect(markdownStructure(markdown).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["heading", "list", "table", "code"]),
    );
  });

  it("keep the columns of a table beside merged cells, and name none after a row of values", () => {
    const table = (...rows: object[][]) =>
      markdownOfAdf(doc({ type: "table", content: rows.map((content) => ({ type: "tableRow", content })) }));
    const europe = cell("Europe", { rowspan: 2 });
    const cities = [
      [europe, cell("Berlin"), cell("12")],
      [cell("Paris"), cell("34")],
    ];
    const body = "| Europe | Berlin | 12 |\n| Europe | Paris | 34 |";
    const rule = "| --- | --- | --- |";
    expect(table([header("Area"), header("City"), header("Days")], ...cities)).toBe(
      `| Area | City | Days |\n${rule}\n${body}`,
    );
    expect(table(...cities)).toBe(`|  |  |  |\n${rule}\n${body}`);
    expect(table([cell("City"), cell("Days")], [cell("Paris"), cell("34")])).toBe(
      "| City | Days |\n| --- | --- |\n| Paris | 34 |",
    );
    // A header column is no header row.
    expect(table([header("Berlin"), cell("12")], [header("Paris"), cell("34")])).toBe(
      "|  |  |\n| --- | --- |\n| Berlin | 12 |\n| Paris | 34 |",
    );
    const wide = Array.from({ length: 500 }, () => cell("x", { colspan: 100, rowspan: 100 }));
    expect(table(wide, [], []).length).toBeLessThan(20_000);
  });

  it("give some text for any input, and lose no words to their depth", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => typeof markdownOfAdf(value) === "string"));
    let deep: object = text("the bottom");
    for (let i = 0; i < 5000; i++) deep = { type: "blockquote", content: [deep] };
    expect(markdownOfAdf(doc(deep))).toContain("the bottom");
  });
});

describe("Jira's dates", () => {
  it("have minutes in the account's zone, and are never later than the moment", () => {
    expect(jira.changesSince("2026-07-01T12:00:40.000+0000", "Asia/Kolkata")).toBe(
      'updated >= "2026-07-01 16:20"',
    );
    expect(jira.changesSince("2026-01-01T00:30:00.000Z", "UTC")).toBe('updated >= "2025-12-31 23:20"');
    expect(jira.changesSince("2026-01-01T00:30:00.000Z", "Asia/Tomorrow")).toBe(
      'updated >= "2025-12-31 11:20"',
    );
    const zone = fc.constantFrom(
      "UTC",
      "America/New_York",
      "Asia/Kolkata",
      "Australia/Lord_Howe",
      "Pacific/Apia",
    );
    const moment = fc.date({ min: new Date("2020-01-01"), max: new Date("2035-01-01"), noInvalidDate: true });
    // As Jira compares them: every change since then is found by its local time.
    const law = fc.property(zone, moment, fc.nat(3_600_000), (timeZone, seen, after) => {
      const since = /"(.+)"/.exec(jira.changesSince(seen.toISOString(), timeZone))?.[1] ?? "";
      const changed = new Date(seen.getTime() + after).toLocaleString("sv-SE", { timeZone }).slice(0, 16);
      expect(changed >= since).toBe(true);
    });
    fc.assert(law);
  });
});

describe("HTML", () => {
  it("becomes Markdown with the same structure", () => {
    const markdown = markdownOfHtml(
      "<h2>Care</h2><p>Wash <b>cold</b>.</p><ul><li>one</li><li>two</li></ul><table><tr><th>S</th><th>M</th></tr><tr><td>1</td><td>2</td></tr></table><pre>a\nb</pre><script>alert(1)</script>",
      "x",
    );
    expect(markdown).toBe(
      "## Care\n\nWash cold.\n\n- one\n- two\n\n| S | M |\n| --- | --- |\n| 1 | 2 |\n\n```\na\nb\n```",
    );
    expect(markdownStructure(markdown).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["heading", "list", "table", "code"]),
    );
  });
  it("never throws, and leaves no tag of ordinary text", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<ul>",
        "<li>",
        "<table>",
        "<tr>",
        "<td>",
        "<h2>",
        "<br/>",
      ),
      fc.string({ unit: fc.constantFrom("a", " ", "&", "\n", '"', "=", "/", ">") }),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(markdownOfHtml(pieces.join(""), "x")).not.toContain("<");
      }),
    );
    fc.assert(fc.property(fc.string(), (html) => typeof markdownOfHtml(html, "x") === "string"));
  });
});

describe("items", () => {
  const shop = { currency: "EUR", storefront: "https://acme.example" };
  it("of a shop are published, unpublished, damaged or unknown", () => {
    const page = {
      id: "gid://shopify/Page/1",
      title: "About",
      handle: "about",
      body: "<p>Us</p>",
      updatedAt: "2026-01-01T00:00:00Z",
    };
    expect(readNode("pages", { ...page, isPublished: true }, shop)).toMatchObject({
      kind: "item",
      item: { externalId: page.id, url: "https://acme.example/pages/about", text: "# About\n\nUs" },
    });
    expect(readNode("pages", { ...page, isPublished: false }, shop)).toMatchObject({
      kind: "gone",
      id: page.id,
    });
    expect(readNode("pages", { id: page.id }, shop)).toMatchObject({
      kind: "damaged",
      item: { externalId: page.id },
    });
    for (const raw of [null, 1, {}, { title: "x" }])
      expect(readNode("pages", raw, shop)).toEqual({ kind: "unknown" });
  });

  it("of any service have a title and a revision that follows the text", () => {
    const value = fc.option(fc.string(), { nil: null });
    const law = fc.property(
      fc.dictionary(fc.constantFrom("name", "domain", "description", "city"), value),
      (properties) => {
        const account = { account: "1", labels: new Map() };
        const item = hubspot.itemOf("companies", { id: "7", properties }, account);
        expect(item.title.length).toBeGreaterThan(0);
        const longer = hubspot.itemOf(
          "companies",
          { id: "7", properties: { ...properties, description: "Quite new." } },
          account,
        );
        expect(longer.revision === item.revision).toBe(longer.text === item.text);
      },
    );
    fc.assert(law);
  });

  it("of chats have speakers and ratings, and never the visitor", () => {
    const item = chatItem(
      {
        id: "c",
        title: "",
        summary: null,
        rating: "up",
        comment: "Thanks",
        isCut: false,
        createdAt: "2026-01-01T00:00:00.000Z",
        messages: [
          { role: "user", content: "How many days?", rating: null, comment: null, unanswered: false },
          { role: "assistant", content: "Thirty.", rating: "down", comment: "Wrong", unanswered: false },
        ],
      },
      "Concierge",
    );
    expect(item.title).toBe("How many days?");
    expect(item.text).toBe(
      "# How many days?\n\nChat of 2026-01-01\n\nThe reader found this helpful. They wrote: Thanks\n\n## Question\n\nHow many days?\n\n## Answer by Concierge\n\nThirty.\n\nThe reader did not find this helpful. They wrote: Wrong",
    );
  });
});
