// Files with controls of their own instead of the design system's, and why. All others use Button, IconButton, MenuItem, TabList, Input,
// Select or Textarea, so that one change of their look reaches all.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const own: Record<string, Record<string, string>> = {
  button: {
    "ui/Button.tsx": "it is the button",
    "ui/IconButton.tsx": "it is the button of a picture",
    "ui/MenuItem.tsx": "it is the line of a menu",
    "ui/TabList.tsx": "it is the tab",
  },
  select: { "ui/Select.tsx": "it is the list of choices" },
  textarea: {
    "ui/Textarea.tsx": "it is the field for a text",
    "pages/chats/Composer.tsx": "the frame around it, with its button, is the field",
    "pages/chats/QuestionForm.tsx": "the frame around it, with its buttons, is the field",
    "islands/TagsInput.tsx": "one is the field before it comes alive, the other is not seen",
  },
  input: {
    "ui/Input.tsx": "it is the field",
    "islands/NumberInput.tsx": "its buttons are part of its frame",
    "islands/TagsInput.tsx": "it stands among the texts that it has added",
    "client/every-page/palette-dialog.tsx": "the dialog around it is the field",
  },
};
/** Input types without a field's look. */
const unframed = /type="(hidden|checkbox|radio|file|color|range)"/;

const files = readdirSync("web", { recursive: true, encoding: "utf8" }).filter(
  (path) => path.endsWith(".tsx") && !path.startsWith("gallery/"),
);

test.each(Object.keys(own))("no other file has a %s", (name) => {
  const found = files.filter((path) =>
    [...readFileSync(`web/${path}`, "utf8").matchAll(new RegExp(`<${name}\\b[\\s\\S]*?(/>|</)`, "g"))].some(
      ([control]) => !(name === "input" && unframed.test(control)),
    ),
  );
  expect(found.sort()).toEqual(Object.keys(own[name] ?? {}).sort());
});
