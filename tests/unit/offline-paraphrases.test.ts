// Questions in none of a document's words: everyday paraphrases, and countries named in another language.
import { expect, it } from "vitest";
import { askBuiltIn as ask } from "../support/built-in-model.ts";
import { say, sayIn } from "../support/words.ts";

const unsure = say("answers:closest");

it("finds a sentence by a paraphrase, and is never sure of it", () => {
  const robbery = "In the event of a robbery nobody resists.";
  expect(ask("What should I do in a hold-up?", "The till is counted daily.", robbery)).toContain(robbery);
  const shoes = "Trainers are accepted, shorts are not.";
  const reply = ask("may I wear sneakers?", shoes);
  expect(reply).toContain(shoes);
  expect(reply.startsWith(unsure)).toBe(true);
});

it("knows a country by its name in every declared language", () => {
  const roaming =
    "| Country | SMS |\n| --- | --- |\n| Brazil | 0.39 |\n| South Africa | 0.45 |\n| Turkey | 0.25 |";
  expect(ask("Quel est le prix d'un SMS au Brésil ?", roaming)).toContain("0.39");
  expect(ask("Quel est le prix d'un SMS en Afrique du Sud ?", roaming)).toContain("0.45");
  expect(ask("Quel est le prix d'un SMS au Japon ?", roaming)).toBe(sayIn("fr")("answers:nothingFits"));
});

it("takes a word that is also an island for the word", () => {
  expect(ask("Quand est la prochaine réunion ?", "Next meeting on 4 May at noon.")).toContain("4 May");
});
