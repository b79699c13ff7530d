// Markdown as site generators and GitHub write it: front matter, HTML, template tags and entities become what a reader sees.
import { describe, expect, it } from "vitest";
import { readableMarkdown } from "../../edge-functions/indexing/parsers/markdown-source.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import fc from "../support/property-cases.ts";

const textOf = (source: string) => readableMarkdown(source).text;

describe("front matter", () => {
  it("becomes a description and lines of values, without what only lays the page out", () => {
    const source = [
      "---",
      'title: "Badges"',
      "description: >-",
      "  Two days a week",
      "  need a badge.",
      "review-date: 2026-03-01",
      "tags: [access, doors]",
      "hidden: true",
      "draft: false",
      "layout: wide",
      "nested: { a: 1 }",
      "---",
      "Text.",
    ].join("\n");
    expect(readableMarkdown(source)).toEqual({
      title: "Badges",
      text: "Two days a week need a badge.\n\nreview date: 2026-03-01\ntags: access, doors\n\nText.",
    });
  });

  it.each([
    ["---\nno end", "without an end"],
    ["---\nonly words\n---\nText.", "without a value"],
    ["---\na: &x [1]\nb: *x\n---\nText.", "with an alias"],
    ["---\na: [1\n---\nText.", "that is no YAML"],
  ])("%j stays text %s", (source) => {
    expect(textOf(source)).toBe(source);
  });

  it.each(["[", "{", "- ", "? ", ": "])("of 9,000 times %j stays text", (piece) => {
    const source = `---\na: ${piece.repeat(9_000)}\n---\nText.`;
    expect(textOf(source)).toBe(source);
  });

  it("may be empty, or repeat a key", () => {
    expect(textOf("---\n---\nText.")).toBe("Text.");
    expect(textOf("---\nowner: Ann\nowner: Bo\n---\nText.")).toContain("Text.");
  });
});

describe("HTML", () => {
  it("that folds text away shows its question and its answer", async () => {
    const source =
      "<details>\n\n<summary>Can I <b>park</b>?</summary>\n\nYes, in **B2**.\n\n</details>\n\nEnd.";
    const { text } = await parseFile({ name: "a.md", bytes: new TextEncoder().encode(source) });
    expect(text).toBe("**Can I park?**\n\nYes, in **B2**.\n\nEnd.");
  });

  it("becomes headings, links, lists and alternative texts", () => {
    expect(textOf('<h1 align="center">\n  The <em>guide</em>\n</h1>\nText')).toBe("# The guide\n\nText");
    expect(textOf('See <a href="https://a.test/x">the list</a>, <a name="top"></a>then go.')).toBe(
      "See [the list](https://a.test/x), then go.",
    );
    expect(textOf('<a href="java script:(1)">no link</a>')).toBe("no link");
    expect(textOf("<ul><li>One</li><li>Two</li></ul>").trim()).toBe("- One\n- Two");
    expect(textOf('<p align="center"><img src="a.png" alt="The hall"></p>').trim()).toBe("The hall");
    expect(textOf("One<br>two<!-- three -->")).toBe("One\ntwo");
  });

  it("tables become tables, and a row of Markdown's stays one line", async () => {
    const source =
      "<table>\n<tr><th>Room</th><th>Seats</th></tr>\n    <tr>\n    <td>Red</td><td>4</td></tr></table>\n\n| a | b |\n| - | - |\n| 1<br/>2 | <ul><li>3</li></ul> |";
    const parsed = await parseFile({ name: "a.md", bytes: new TextEncoder().encode(source) });
    expect(parsed.structure.filter(({ kind }) => kind === "table").map(({ columns }) => columns)).toEqual([
      ["Room", "Seats"],
      ["a", "b"],
    ]);
    expect(parsed.text).toContain("| Red | 4 |");
    expect(parsed.text).toMatch(/\| 1 2 \| +3 +\|/);
  });

  it("in code, and angle brackets that are no tags, stay", () => {
    const source = [
      "Use `<b>` or ``a <i> `b` `` with <your name> and List<T>, <https://a.test>, 3 < 4.",
      "",
      "```html",
      "<p>&nbsp;</p>",
      "{% if x %}",
      "```",
      "",
      "    <p>code</p>",
    ].join("\n");
    expect(textOf(source)).toBe(source);
  });

  it("entities are characters, except one that could begin a tag", () => {
    expect(textOf("Fish &amp; chips&#x20;&euro;3, &lt;b> &#60;i> &unknown;")).toBe(
      "Fish & chips €3, &lt;b> &lt;i> &unknown;",
    );
  });
});

it("template tags show their title or the address that they embed", () => {
  const source = [
    '{% hint style="info" %}',
    "Bring an ID.",
    "{% endhint %}",
    '{% embed url="https://a.test" %}',
    '{% tab title="Paris" %}',
    '[leave]({% page "/leave/" %}) or {% if x %}',
    "{: .note }",
    ":::warning Wet floor",
    "Mind the step.",
    ":::",
  ].join("\n");
  expect(textOf(source)).toBe(
    "Bring an ID.\n\nhttps://a.test\nParis\n[leave](/leave/) or {% if x %}\n\nWet floor\nMind the step.\n",
  );
});

describe("any source", () => {
  const word = fc.stringMatching(/^[a-z]{3,8}$/).map((text) => `w${text}`);
  const tag = fc.constantFrom(
    "<p>",
    "</p>",
    "<div>",
    "<h2>",
    "</h2>",
    "<summary>",
    "</summary>",
    "<table>",
    "<tr><td>",
    "</table>",
    "<!-- ",
    "`",
    "```\n",
    "{% x %}\n",
    "---\n",
    "<a href='b'>",
    "</a>",
    "\n\n",
    "\n    ",
    "| ",
    "&lt;",
    "<",
  );

  it("keeps every word that is in no comment and no tag", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(word, tag), { maxLength: 40 }), (pieces) => {
        const source = pieces.join(" ");
        const visible = source.includes("-->") ? [] : pieces.filter((piece) => /^w/.test(piece));
        const { title, text } = readableMarkdown(source);
        for (const one of visible) expect(`${title} ${text}`).toContain(one);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(["<h1>", "<summary>", "<table>", "<!--", "<a ", "`", "{% ", "&#", "<", "---\n", ":::"])(
    "of a million times %j is read in one pass",
    (piece) => {
      expect(textOf(`${piece.repeat(1_000_000)}\nend`)).toMatch(/end$/);
    },
  );
});
