// One design system: what pages and islands are made of is there once.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const files = readdirSync("web", { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path: join("web", path), text: readFileSync(join("web", path), "utf8") }));

/** Files of web/ in which a pattern stands. */
const having = (pattern: RegExp): string[] =>
  files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

test("one button copies", () => {
  expect(having(/\.writeText\(/)).toEqual(["web/components/CopyButton.tsx"]);
});

test("one tooltip stands over controls, not the browser's own beside it", () => {
  expect(having(/<button\b(?:(?!>\s).)*?\stitle=/s)).toEqual([]);
});

test("fields of text are Input, Textarea and Select, but for those that are drawn with what stands around them", () => {
  const drawn = [
    "web/components/Input.tsx",
    "web/components/Select.tsx",
    "web/components/Textarea.tsx",
    "web/components/chat/Composer.tsx",
    "web/components/chat/Question.tsx",
    "web/islands/NumberInput.tsx",
    "web/islands/TagsInput.tsx",
    "web/renderer/client/drop-dialog.tsx",
    "web/renderer/client/palette-dialog.tsx",
  ];
  const others = /<(?:textarea|select)\b|<input\s(?![^>]*type="(?:hidden|checkbox|radio|range|color|file)")/;
  expect(having(others).filter((path) => !drawn.includes(path))).toEqual([]);
});
