// When the built-in model is not sure of a sentence that speaks of what is asked without telling it.
import { describe, expect, it } from "vitest";
import { askBuiltIn as ask } from "../support/built-in-model.ts";
import { say, sayIn } from "../support/words.ts";

const unsure = [say, sayIn("fr")].flatMap((one) => [one("answers:closest"), one("answers:nothingClose")]);
const isSure = (reply: string) =>
  /\[\d\]/.test(reply) && !unsure.some((opening) => reply.startsWith(opening));

describe("a sentence that does not tell what it speaks of", () => {
  it.each([
    [
      "What is the PIN of the fuel card?",
      "The PIN of the fuel card is personal.",
      "The PIN of the fuel card is 4711.",
    ],
    [
      "What's the code of the safe?",
      "The code of the safe is known to the manager only.",
      "The code of the safe is on the back of its key.",
    ],
    [
      "Quel est le code du coffre ?",
      "Le code du coffre est strictement confidentiel.",
      "Le code du coffre est 1789.",
    ],
    [
      "Quelle est la profondeur du bassin ?",
      "Pas de plongeon dans le bassin à moins de 20 m du bord.",
      "Le bassin a une profondeur de 2 m au bord.",
    ],
    [
      "Who was the chair before Anna Berg?",
      "Anna Berg is the chair of the club since May; Ole Lund keeps the books.",
      "Anna Berg succeeds Ole Lund as the chair of the club.",
    ],
    [
      "Jusqu'à quand demander une bourse ?",
      "Il y a une réunion pour demander une bourse le lundi 4 mars.",
      "Il faut demander une bourse avant le 4 mars.",
    ],
  ])("%s", (question, evasive, telling) => {
    expect(isSure(ask(question, evasive)), evasive).toBe(false);
    expect(isSure(ask(question, telling)), telling).toBe(true);
  });
});

it("a part's price is not that of the machine that it fits", () => {
  const parts =
    "| Part | Fits | Price |\n| --- | --- | --- |\n| Carbon filter | AD-16, AD-25 | £14.00 |\n| Tank with lid | AD-16 | £27.00 |";
  expect(isSure(ask("What is the price of the AD-16?", parts))).toBe(false);
  expect(isSure(ask("What is the price of the tank with lid?", parts))).toBe(true);
});

it("an age limit answers a question that has hardly another word", () => {
  const joining = "You must be 18 or over, and live or work within five minutes of the station.";
  expect(ask("how old do you have to be", "The station has two appliances.", joining)).toBe(`${joining} [2]`);
  expect(ask("how old do you have to be", "The station has two appliances.")).toBe(
    say("answers:nothingFits"),
  );
});
