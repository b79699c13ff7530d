// marked in the browser's files: its lexer alone, and a build that stops when the package is built otherwise.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Lexer } from "marked";
import { expect, test } from "vitest";
import { lexerOf } from "../../web/build/marked-lexer.ts";

const entry = createRequire(import.meta.url).resolve("marked");
const code = readFileSync(entry.replace("marked.umd.js", "marked.esm.js"), "utf8");

test("reads what the package reads, without the rest", async () => {
  const cut = lexerOf(code);
  // What keeps the rest from being dropped: the package's own instance, and its options.
  expect(/\.setOptions=|\.parseInline=/.test(cut)).toBe(false);
  const module = await import(`data:text/javascript,${encodeURIComponent(cut)}`);
  expect(Object.keys(module)).toEqual(["Lexer"]);
  const text =
    "# A *b*\n\n- [x] c\n\n| d | e |\n| - | - |\n| `f` | ~~g~~ |\n\n> [h](https://i.example) <b>\n";
  expect(JSON.stringify(new module.Lexer({ gfm: true }).lex(text))).toBe(
    JSON.stringify(new Lexer({ gfm: true }).lex(text)),
  );
});

test("refuses another build", () => {
  expect(() => lexerOf("export{a as Lexer};")).toThrow("marked is built otherwise");
});
