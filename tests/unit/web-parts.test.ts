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
  expect(having(/\.writeText\(/)).toEqual(["web/ui/CopyButton.tsx"]);
});

test("one tooltip is used for controls, and not the browser's own", () => {
  expect(having(/<button\b(?:(?!>\s).)*?\stitle=/s)).toEqual([]);
});

test("text fields are Input, Textarea and Select, except those drawn with their surroundings", () => {
  const drawn = [
    "web/ui/Input.tsx",
    "web/ui/Select.tsx",
    "web/ui/Textarea.tsx",
    "web/pages/chats/Composer.tsx",
    "web/pages/chats/QuestionForm.tsx",
    "web/islands/NumberInput.tsx",
    "web/islands/TagsInput.tsx",
    "web/client/every-page/drop-dialog.tsx",
    "web/client/every-page/palette-dialog.tsx",
  ];
  const others = /<(?:textarea|select)\b|<input\s(?![^>]*type="(?:hidden|checkbox|radio|range|color|file)")/;
  expect(having(others).filter((path) => !drawn.includes(path))).toEqual([]);
});
