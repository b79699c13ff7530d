// Markdown of models, documents and visitors, where it is shown: hostile texts cost little and keep their words.
import { expect, test } from "vitest";
import { markdownHtml, markdownText } from "../../edge-functions/_shared/mail/markdown.ts";
import { lexMarkdown } from "../../edge-functions/_shared/text/markdown-lexer.ts";
import { toMrkdwn } from "../../edge-functions/slack/mrkdwn.ts";

const long = `**bold** ${"word ".repeat(3_000)}`;

test("a paragraph of usual length has its marks, and a longer one has its words alone", () => {
  const [first, , second, , third] = lexMarkdown(`**bold** words\n\n${long}\n\n- **bold**`);
  expect(first).toMatchObject({ tokens: [{ type: "strong" }, { type: "text", text: " words" }] });
  expect(second).toMatchObject({ type: "paragraph", tokens: [{ type: "text", text: long }] });
  expect(third).toMatchObject({ type: "list", items: [{ tokens: [{ tokens: [{ type: "strong" }] }] }] });
});

test.each(["> ", "- ", "1. "])("%j, many times in a line, is text: the lexer overflows the stack", (mark) => {
  const text = `${mark.repeat(20_000)}end`;
  expect(lexMarkdown(text)).toEqual([expect.objectContaining({ type: "paragraph", raw: text })]);
  expect(toMrkdwn(text)).toContain("end");
  expect(markdownText(text)).toContain("end");
  expect(markdownHtml(text)).toContain("end");
});

/** CPU time in ms: wall time would count other processes. */
function cost(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test.each(["!", "a_"])("a reply of %j: eight times the length does not cost sixty times as much", (sign) => {
  lexMarkdown(sign.repeat(1_000));
  const long = cost(() => lexMarkdown(sign.repeat(80_000 / sign.length)));
  expect(long < 50 || long / cost(() => lexMarkdown(sign.repeat(10_000 / sign.length))) < 30).toBe(true);
});
