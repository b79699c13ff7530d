// What the lexicon makes of a question for texts in the other language.
import { expect, it } from "vitest";
import { translationOf } from "../../edge-functions/answering/lexicon.ts";

const wordsOf = (text: string) => translationOf(text)?.translation.split(" ");

it("gives the words of a question in the other language, phrases and names included", () => {
  expect(translationOf("Combien de jours de congés avons-nous ?")).toMatchObject({ askedIn: "fr" });
  expect(wordsOf("Combien de jours de congés avons-nous ?")).toEqual(
    expect.arrayContaining(["day", "holiday", "vacation"]),
  );
  expect(wordsOf("Quel est le mot de passe à Londres ?")).toEqual(
    expect.arrayContaining(["password", "london"]),
  );
  expect(translationOf("How long is the warranty?")).toMatchObject({ askedIn: "en" });
  expect(wordsOf("How long is the warranty?")).toContain("garantie");
});

it("writes French words with their accents and without, and reads them in both ways", () => {
  expect(wordsOf("How much paid leave does an employee in Sweden have?")).toEqual(
    expect.arrayContaining(["congé", "conge", "salarié", "salarie", "suède", "suede"]),
  );
  for (const asked of ["Combien de congés payés avons-nous ?", "Combien de conges payes avons-nous ?"])
    expect(wordsOf(asked)).toEqual(expect.arrayContaining(["holiday", "vacation"]));
  expect(wordsOf("Quel jour est ferie en Suede ?")).toEqual(expect.arrayContaining(["day", "sweden"]));
});

it("leaves out words of the question's own language", () => {
  expect(wordsOf("How long is the warranty?")).not.toContain("guarantee");
  expect(wordsOf("Combien de jours de congés avons-nous ?")).not.toContain("vacance");
});

it("translates nothing where the little words do not say which language it is", () => {
  expect(translationOf("BT-750 Paris")).toBeNull();
  expect(translationOf("")).toBeNull();
});
