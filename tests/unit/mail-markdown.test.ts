// An answer in a mail: formatted as HTML, without marks as text, and never with raw HTML.
import { describe, expect, it } from "vitest";
import { markdownHtml, markdownText } from "../../edge-functions/_shared/mail/markdown.ts";

const answer = `# Leave

You have **25 days** of *annual* leave, ~~24~~; see [the handbook](https://example.com/leave?a=1&b=2).
Ask \`HR\`.

- [x] ask
- two
  1. deep

| Years | Days |
| --- | ---: |
| 5 | **26** |

> kept

\`\`\`
code <b>
\`\`\``;

describe("Markdown in a mail", () => {
  it("is formatted as HTML", () => {
    const html = markdownHtml(answer);
    expect(html).toContain("<strong>25 days</strong>");
    expect(html).toContain('<a href="https://example.com/leave?a=1&#38;b=2"');
    expect(html).toMatch(/<br>\s*Ask <code>HR<\/code>/);
    expect(html).toMatch(/<td [^>]*text-align:right"><strong>26<\/strong><\/td>/);
    expect(html).toMatch(/<th [^>]*>Years<\/th>/);
    expect(html).toContain("code &lt;b&gt;");
    expect(html).not.toMatch(/\*\*|~~|\| ---|<input/);
  });

  it("loses only its marks as text", () => {
    expect(markdownText(answer)).toBe(
      [
        "Leave",
        "You have 25 days of annual leave, 24; see the handbook (https://example.com/leave?a=1&b=2).\nAsk HR.",
        "• ☑ ask\n• two\n  1. deep",
        "Years: 5, Days: 26",
        "kept",
        "code <b>",
      ].join("\n\n"),
    );
  });

  it.each([
    ["a block", "<script>alert(1)</script>"],
    ["within a line", "an <img src=x onerror=alert(1)> here"],
    ["a comment", "<!-- hidden -->"],
  ])("shows raw HTML as text: %s", (_name, raw) => {
    expect(markdownHtml(raw)).not.toMatch(/<(script|img|!--)/);
    expect(markdownHtml(raw)).toContain("&#60;");
    expect(markdownText(raw)).toBe(raw);
  });

  it.each([
    "[open](javascript:alert(1))",
    "[open](data:text/html,x)",
    "[open](/relative)",
    "![open](javascript:alert(1))",
  ])("makes no link of %s", (written) => {
    expect(markdownHtml(written)).not.toMatch(/<a |<img|javascript|data:/);
    expect(markdownText(written)).toBe("open");
  });

  it("loads no image and leaves no attribute open", () => {
    const html = markdownHtml('![a"b](https://example.com/p.png) [x](https://example.com/"onmouseover="y)');
    expect(html).not.toContain("<img");
    expect(html).not.toMatch(/"onmouseover/);
    expect(html).toContain('<a href="https://example.com/p.png"');
  });

  it("keeps a plain answer as it is", () => {
    const plain = "Hello,\nyou have 5 < 6 days & more.\n\nAda";
    expect(markdownText(plain)).toBe(plain);
  });
});
