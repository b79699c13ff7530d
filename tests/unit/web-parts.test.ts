// One design system: each part of pages and islands exists once.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const files = readdirSync("web", { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path: join("web", path), text: readFileSync(join("web", path), "utf8") }));

/** Files of web/ that match a pattern. */
const having = (pattern: RegExp): string[] =>
  files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

test("one button copies", () => {
  expect(having(/\.writeText\(/)).toEqual(["web/components/CopyButton.tsx"]);
});

test("one tooltip is used for controls, and not the browser's own", () => {
  expect(having(/<button\b(?:(?!>\s).)*?\stitle=/s)).toEqual([]);
});

test("text fields are Input, Textarea and Select, except those drawn with their surroundings", () => {
  const drawn = [
    "web/components/Input.tsx",
    "web/components/Select.tsx",
    "web/components/Textarea.tsx",
    "web/pages/chats/Composer.tsx",
    "web/pages/chats/Question.tsx",
    "web/islands/NumberInput.tsx",
    "web/islands/TagsInput.tsx",
    "web/renderer/client/drop-dialog.tsx",
    "web/renderer/client/palette-dialog.tsx",
  ];
  const others = /<(?:textarea|select)\b|<input\s(?![^>]*type="(?:hidden|checkbox|radio|range|color|file)")/;
  expect(having(others).filter((path) => !drawn.includes(path))).toEqual([]);
});
