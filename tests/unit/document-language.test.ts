// Detecting a document's language.
import { expect, test } from "vitest";
import { languageOfText } from "../../edge-functions/indexing/document-language.ts";

const english = "Travel expenses are reimbursed within thirty days of the trip. ";
const numbers = "12 300,50\n".repeat(600);
const french = "Les frais de déplacement sont remboursés sous trente jours. ";

test("a text has the language that it is written in", async () => {
  expect(await languageOfText(english)).toBe("en");
  expect(await languageOfText(french)).toBe("fr");
});

test("the whole text counts, not only its start", async () => {
  expect(await languageOfText(english.repeat(15) + french.repeat(300))).toBe("fr");
  expect(await languageOfText(french.repeat(15) + english.repeat(300))).toBe("en");
});

test("a text of two languages in equal parts has none", async () => {
  expect(await languageOfText(english.repeat(100) + numbers + french.repeat(100))).toBeNull();
});

test.each([
  ["a text that is too short", "Remboursements: voir page 4"],
  [
    "one in a language that documents cannot be in",
    "Gizon-emakume guztiak aske jaiotzen dira, duintasun eta eskubide berberak dituztela. ".repeat(5),
  ],
  ["numbers", numbers],
  ["a text without spaces", "日本語の文章です。出張費は三十日以内に払い戻されます。".repeat(40)],
  ["no text", ""],
])("%s has none", async (_what, text) => {
  expect(await languageOfText(text)).toBeNull();
});
