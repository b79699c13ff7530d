// The language of a reply's own sentences, for questions of few words.
import { expect, it } from "vitest";
import { nothingFoundFor } from "../../edge-functions/answering/no-passage.ts";
import { replyLanguageOf } from "../../edge-functions/answering/reply-language.ts";
import { likelyLanguage } from "../../edge-functions/answering/words.ts";
import { sayIn } from "../support/words.ts";

it("the French “à” is no English article", () => {
  expect(likelyLanguage("poids max à porter seul ?")).toBe("fr");
  expect(likelyLanguage("price of a lamp")).toBe("en");
});

it.each([
  ["horaires agence jeudi", "fr"],
  ["date inventaire ?", "fr"],
  ["lunch break", "en"],
  ["mileage rate?", "en"],
  ["XK-20", "en"],
])("a question without function words is answered in the language of its words: %s", (question, language) => {
  expect(likelyLanguage(question)).toBe(null);
  expect(replyLanguageOf(question)).toBe(language);
});

it("a refusal is in that language too", () => {
  expect(nothingFoundFor("horaires agence jeudi")).toBe(sayIn("fr")("answers:nothingFound"));
});
