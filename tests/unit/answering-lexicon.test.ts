// The lexicon's translations of a question for texts in the other language.
import { expect, it } from "vitest";
import { fieldMeanings, fieldPhrases } from "../../edge-functions/answering/lexicon/fields.ts";
import {
  expandRoot,
  isKnownWord,
  meaningfulTerms,
  meaningNumbers,
  remoteStandIns,
  remoteWords,
  standIns,
  translationOf,
  wordsOfVectors,
} from "../../edge-functions/answering/lexicon.ts";
import { isStopWord, isTalk, stem, words } from "../../edge-functions/answering/words.ts";

const wordsOf = (text: string) => translationOf(text)?.translation.split(" ");

it("the lexicon translates the words of a question, phrases and names included", () => {
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

it("the lexicon writes French words with and without accents, and reads both", () => {
  expect(wordsOf("How much paid leave does an employee in Sweden have?")).toEqual(
    expect.arrayContaining(["congé", "conge", "salarié", "salarie", "suède", "suede"]),
  );
  for (const asked of ["Combien de congés payés avons-nous ?", "Combien de conges payes avons-nous ?"])
    expect(wordsOf(asked)).toEqual(expect.arrayContaining(["holiday", "vacation"]));
  expect(wordsOf("Quel jour est ferie en Suede ?")).toEqual(expect.arrayContaining(["day", "sweden"]));
});

it("the lexicon leaves out words of the question's own language", () => {
  expect(wordsOf("How long is the warranty?")).not.toContain("guarantee");
  expect(wordsOf("Combien de jours de congés avons-nous ?")).not.toContain("vacance");
});

it("the lexicon translates nothing when the stop words do not determine the language", () => {
  expect(translationOf("BT-750 Paris")).toBeNull();
  expect(translationOf("")).toBeNull();
});

const linesOf = (text: string) => text.split("\n").filter((line) => line.trim());
const termsOf = (text: string) => new Set(meaningfulTerms(text));

it("the lexicon maps a spoken word to the texts' term, and not the reverse", () => {
  const drunk = stem("drunk");
  const alcohol = stem("alcohol");
  expect(standIns(drunk, termsOf("under the influence of alcohol")).get(alcohol)).toBe(0.7);
  expect(standIns(alcohol, termsOf("a drunk driver")).has(drunk)).toBe(false);
  expect([...expandRoot(drunk)]).toContain(alcohol);
  expect([...expandRoot(alcohol)]).not.toContain(drunk);
  // The word itself counts most, then one of the same meaning.
  const shown = standIns(stem("invoice"), termsOf("an invoice or a bill"));
  expect([shown.get(stem("invoice")), shown.get(stem("bill"))]).toEqual([1, 0.8]);
  expect(wordsOf("Can I get the sack for being drunk?")).toEqual(
    expect.arrayContaining(["licenciement", "alcool"]),
  );
});

it("the lexicon treats a phrase as one word, in a question and in a text", () => {
  const [payday = ""] = meaningfulTerms("pay day");
  expect([...standIns(payday, termsOf("Salaries are transferred on the 28th.")).keys()]).toEqual(
    expect.arrayContaining([stem("salary"), stem("transferred")]),
  );
  expect(meaningfulTerms("the payslip")).toEqual(meaningfulTerms("bulletin de paie"));
});

it.each([
  ["coffee", "tea"],
  ["meeting", "room"],
  ["keys", "locked"],
  ["tram", "metro"],
  ["break", "burglary"],
])("the lexicon keeps %s and %s apart", (one, other) => {
  expect(standIns(stem(one), termsOf(other)).size).toBe(0);
  expect(standIns(stem(other), termsOf(one)).size).toBe(0);
});

it.each([
  ["downtime", "indisponibilité"],
  ["dispute", "contester"],
  ["seniority", "ancienneté"],
  ["works council", "CSE"],
  ["longest", "maximum"],
  ["single sign-on", "SSO"],
  ["it doesn't fit", "exchange"],
  ["moins cher ailleurs", "alignement"],
  ["my old fridge", "collection"],
  ["la photocopie", "reproduction"],
])("the lexicon finds %s by %s", (asked, told) => {
  expect(meaningfulTerms(asked).some((term) => standIns(term, termsOf(told)).size > 0)).toBe(true);
});

it("the lexicon leaves stored vectors unchanged: they do not contain the fields' words", () => {
  expect(isKnownWord(stem("gaffer"))).toBe(true);
  expect(meaningNumbers(stem("gaffer"))).toEqual([]);
  expect(meaningNumbers(stem("holiday"))).not.toEqual([]);
  expect(wordsOfVectors("pay day at the day nursery")).toEqual(["pay", "day", "nursery"]);
});

it("the lexicon has only words with a meaning, and few meanings per word", () => {
  const asked = new Map<string, number>();
  // Stop words that are also nouns.
  const things = new Set(["car", "son", "sous"]);
  for (const line of linesOf(fieldMeanings)) {
    const all = words(line);
    expect(all.filter((word) => word.length < 2 || (isStopWord(word) && !things.has(word)))).toEqual([]);
    const [before = "", ...behind] = line.split(">");
    const stems = new Set(words(before).map(stem));
    expect(stems.size + behind.length, line).toBeGreaterThan(1);
    expect(line.split(/[>]/).every((side) => side.split("/").length <= 2 && behind.length <= 1)).toBe(true);
    for (const one of stems) asked.set(one, (asked.get(one) ?? 0) + 1);
  }
  expect([...asked].filter(([, lines]) => lines > 5)).toEqual([]);
});

it("the lexicon has phrases of at most three words, each once, for a word with a meaning", () => {
  const phrases = linesOf(fieldPhrases).map((line) => line.split(" = "));
  expect(new Set(phrases.map(([phrase]) => phrase)).size).toBe(phrases.length);
  for (const [phrase = "", word = ""] of phrases) {
    expect(words(phrase).length, phrase).toBeLessThanOrEqual(3);
    expect(meaningfulTerms(phrase), phrase).toEqual([stem(word)]);
    expect(isKnownWord(stem(word)) || remoteWords(stem(word)).length > 0, phrase).toBe(true);
  }
});

it("leaves out what a word of the question's language means in the other one", () => {
  expect(expandRoot("fill", "en").has("fille")).toBe(false);
  expect(expandRoot("fill", "fr").has("girl")).toBe(expandRoot("fill").has("girl"));
  // "Train" is a train in both.
  expect(expandRoot("train", "en")).toEqual(expandRoot("train", "fr"));
});

it("keeps apart what shares a line and is not the same thing", () => {
  for (const [one, other] of [
    ["breakfast", "dinner"],
    ["vegan", "vegetarian"],
    ["fridge", "freezer"],
  ] as const) {
    expect(standIns(stem(one), new Set([stem(other)])).size).toBe(0);
    expect(standIns(stem(other), new Set([stem(one)])).size).toBe(0);
  }
  expect(standIns(stem("breakfast"), new Set(["meal"])).size).toBe(1);
});

it("finds no evening for a wedding or a death, whose French event has the same stem", () => {
  for (const asked of ["get married", "someone died"])
    for (const term of meaningfulTerms(asked))
      expect([...standIns(term, new Set(meaningfulTerms("evening")), "en")]).toEqual([]);
});

it("knows the verb of the other language by its other forms", () => {
  expect(standIns("sleep", new Set([stem("dorment")]), "en").size).toBe(1);
});

it("finds no more words for a question than it did without its language", () => {
  const asked = new Set(
    fieldMeanings
      .split(/[\s/>]+/)
      .filter(Boolean)
      .map(stem),
  );
  for (const root of asked)
    for (const code of ["en", "fr"] as const)
      expect([...expandRoot(root, code)].every((one) => expandRoot(root).has(one))).toBe(true);
});

it("the lexicon knows the word for a woman by the one for a man, and no French plural for an English one", () => {
  const worth = (asked: string, told: string) =>
    standIns(meaningfulTerms(asked)[0] ?? "", new Set(meaningfulTerms(told))).size;
  expect(worth("animatrice", "L’animateur est Marc.")).toBe(1);
  expect(worth("serveur", "La serveuse est Lise.")).toBe(1);
  expect(worth("formatrice", "The trainer is Imogen Hart.")).toBe(1);
  expect(worth("wages", "Les salariés ont cinq semaines de congés.")).toBe(0);
  expect(worth("salarié", "Les salariés ont cinq semaines de congés.")).toBe(1);
});

it("forms of the verbs that only build a question are no words of its subject", () => {
  for (const word of ["serai", "aura", "pourrait", "devrait", "faudra", "voulez"])
    expect(isTalk(stem(word)), word).toBe(true);
  for (const word of ["going", "youre", "doesnt", "havent"])
    expect(isTalk(stem(word)) || isStopWord(word), word).toBe(true);
  for (const word of ["avion", "savon", "seul", "quit", "fer"]) expect(isTalk(stem(word)), word).toBe(false);
});

it.each([
  ["inscrire", "inscrivez"],
  ["choice", "chosen"],
  ["choix", "choisissez"],
  ["growth", "grown"],
  ["perte", "perdu"],
  ["width", "wide"],
])("finds a word of the same root that no ending explains: %s, %s", (one, other) => {
  expect([...standIns(stem(one), new Set([stem(other)])).keys()]).toEqual([stem(other)]);
  expect([...standIns(stem(other), new Set([stem(one)])).keys()]).toEqual([stem(one)]);
});

it("finds a country's part by the name of the country, not the reverse", () => {
  const matches = (asked: string, text: string) => [
    ...standIns(meaningfulTerms(asked)[0] ?? "", new Set(meaningfulTerms(text))).keys(),
  ];
  expect(matches("England", "Moves to the United Kingdom")).toEqual(["uk"]);
  expect(matches("Écosse", "vers le Royaume-Uni")).toEqual(["uk"]);
  expect(matches("UK", "We deliver in Scotland")).toEqual([]);
});

it("remote words and synonyms of synonyms stand in for a word, but are no synonyms of it", () => {
  const butter = stem("butter");
  const lactose = stem("lactose");
  expect(remoteStandIns(butter, new Set([lactose]), "en").get(lactose)).toBe(0.4);
  expect(standIns(butter, new Set([lactose]), "en").size).toBe(0);
  expect([...expandRoot(butter, "en")]).not.toContain(lactose);
  expect(remoteStandIns(lactose, new Set([butter]), "en").size).toBe(0);
  // A dog is no cat, although both are animals.
  expect(remoteStandIns(stem("dog"), new Set([stem("cat")]), "en").size).toBe(0);
});

it("an unknown verb that repeats a known one has its meanings", () => {
  expect(standIns(stem("rebook"), termsOf("your reservation")).has(stem("reservation"))).toBe(true);
  expect(expandRoot(stem("reemprunter")).has(stem("borrow"))).toBe(true);
  expect(standIns("relief", termsOf("a lief")).size).toBe(0);
});

it("the plural of a known word in -ie is that word, and vectors keep its earlier stem", () => {
  expect(meaningfulTerms("selfies, maladies")).toEqual(meaningfulTerms("selfie, maladie"));
  expect(meaningfulTerms("parties")).toEqual(["party"]);
  expect(wordsOfVectors("selfies").map(stem)).toEqual(["selfy"]);
});

it("the lexicon finds each form of a synonym, also where the texts have several", () => {
  const told = termsOf("Les frais sont remboursés, les parts remboursées plus tard.");
  expect([...standIns(stem("reimburse"), told, "en").keys()].sort()).toEqual(
    [stem("rembourses"), stem("remboursees")].sort(),
  );
});

it("the lexicon translates the commonest verbs and places", () => {
  expect(standIns(stem("live"), termsOf("On peut habiter à bord."), "en").has(stem("habiter"))).toBe(true);
  expect(wordsOf("La grue soulève combien de tonnes ?")).toContain("crane");
});
