// The key under which a browser sends a form, and sends it again.
import { expect, test } from "vitest";
import { keyForForm } from "../../web/client/every-page/form-keys.ts";
import { noteAnswer } from "../../web/client/repeat-keys.ts";

const page = "https://web.test/teams/create";
const formOf = (values: Record<string, string | Blob>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.append(name, value);
  return form;
};
const keyFor = (values: Record<string, string | Blob>, address = page) => keyForForm(address, formOf(values));

test("a form without an answer keeps its key until it is changed or answered", () => {
  const first = keyFor({ name: "Acme" });
  expect(first).toMatch(/^[\x21-\x7e]{1,255}$/);
  expect(keyFor({ name: "Acme" })).toBe(first);
  noteAnswer(503);
  expect(keyFor({ name: "Acme" })).toBe(first);
  noteAnswer(200);
  const second = keyFor({ name: "Acme" });
  expect(second).not.toBe(first);
  expect(keyFor({ name: "Acme 2" })).not.toBe(second);
  const elsewhere = keyFor({ name: "Acme 2" }, `${page}?again`);
  expect(keyFor({ name: "Acme 2" })).not.toBe(elsewhere);
});

test("a form with another file has another key", () => {
  const file = (size: number) => new File(["x".repeat(size)], "a.md", { lastModified: 1 });
  const first = keyFor({ file: file(1) });
  expect(keyFor({ file: file(1) })).toBe(first);
  expect(keyFor({ file: file(2) })).not.toBe(first);
});
