// Generating questions from documents: from what a sentence or a row states, in its own language, and only what the text answers.

import { describe, expect, test } from "vitest";
import { answersCandidate } from "../../edge-functions/indexing/questions/answers-candidate.ts";
import { candidatesIn, standing } from "../../edge-functions/indexing/questions/candidates.ts";
import { readQuestions } from "../../edge-functions/indexing/questions/from-model.ts";
import { questionOf } from "../../edge-functions/indexing/questions/sentence-questions.ts";
import { questionsOfTable } from "../../edge-functions/indexing/questions/table-questions.ts";
import fc from "../support/property-cases.ts";

const known = {
  lower: new Set(["hotels", "employees", "claims", "visitors", "backups"]),
  named: new Set(["Hallerin"]),
};
const questionFor = (sentence: string) => questionOf(sentence, { known });

describe("question candidates", () => {
  test.each([
    ["An express delivery costs 14 euros.", "How much does an express delivery cost?", "14 euros"],
    [
      "Hotels cost at most 140 euros a night; keep receipts.",
      "How much can hotels cost at most?",
      "140 euros",
    ],
    ["The notice period is one month in the first year.", "How long is the notice period?", "one month"],
    ["The monthly fee is €29.50.", "How much is the monthly fee?", "€29.50"],
    [
      "Every parent takes eighteen weeks of parental leave at full salary.",
      "How many weeks of parental leave does every parent take?",
      "eighteen",
    ],
    ["Employees have 25 days of paid leave.", "How many days of paid leave do employees have?", "25"],
    ["You have 26 days of paid holiday a year.", "How many days of paid holiday do I have?", "26"],
    ["Everyone has 25 days of paid leave.", "How many days of paid leave does everyone have?", "25"],
    ["Claims must be submitted within 30 days.", "How soon must claims be submitted?", "30 days"],
    ["Hallerin was founded in 2009 by two brothers.", "When was Hallerin founded?", "2009"],
    [
      "The coffee machine is descaled on the first Monday of the month with citric acid.",
      "When is the coffee machine descaled?",
      "the first Monday of the month",
    ],
    ["The reception desk opens at 08:30.", "When does the reception desk open?", "08:30"],
    ["Backups are kept for 90 days.", "How long are backups kept?", "90 days"],
    ["Parking costs 14 euros.", "How much does parking cost?", "14 euros"],
    [
      "The data protection officer is Odile Marchand.",
      "Who is the data protection officer?",
      "Odile Marchand",
    ],
    ["La livraison express coûte 14 euros.", "Combien coûte la livraison express ?", "14 euros"],
    ["Le délai de préavis est de deux mois.", "Quel est le délai de préavis ?", "deux mois"],
    ["La franchise annuelle est de 1 200 euros.", "Quelle est la franchise annuelle ?", "1 200 euros"],
    [
      "Le contrôle dure vingt minutes et il est gratuit.",
      "Combien de temps dure le contrôle ?",
      "vingt minutes",
    ],
    [
      "Chaque salarié bénéficie de 27 jours de congés par an.",
      "De combien de jours de congés bénéficie chaque salarié ?",
      "27",
    ],
    [
      "Les salariés ont droit à 12 semaines de formation.",
      "À combien de semaines de formation ont droit les salariés ?",
      "12",
    ],
    [
      "Le client a 30 jours pour rendre un vélo qui a roulé.",
      "De combien de jours dispose le client pour rendre un vélo ?",
      "30",
    ],
    ["L’enlèvement est facturé 120 euros.", "Combien est facturé l’enlèvement ?", "120 euros"],
    ["Le remboursement est fait sous dix jours.", "Sous quel délai est fait le remboursement ?", "dix jours"],
    ["La société a été fondée en 2009.", "Quand a été fondée la société ?", "2009"],
    ["Le magasin ouvre à 9 h 30 le samedi.", "À quelle heure ouvre le magasin ?", "9 h 30"],
    ["La directrice commerciale est Nadia Benali.", "Qui est la directrice commerciale ?", "Nadia Benali"],
  ])("%s", (sentence, question, fact) => expect(questionFor(sentence)).toEqual({ question, fact }));

  test.each([
    "It costs 14 euros.",
    "An express delivery does not cost 14 euros.",
    "If it rains, the notice period is one month.",
    "The fee that they pay is 14 euros.",
    "The budget is 480,000 euros.",
    "The notice period is one month unless the contract says otherwise.",
    "Elle coûte 14 euros.",
    "Le délai de préavis est de deux mois, sauf pour les cadres.",
    "La livraison ne coûte jamais 14 euros.",
    "Sauf accord, le délai de préavis est de deux mois.",
    "Doors are painted blue.",
    "| Price | 14 euros |",
  ])("are none for: %s", (sentence) => expect(questionFor(sentence)).toBeUndefined());

  test("have their value in the sentence, whatever it is", () => {
    const part = fc.constantFrom(
      ..."The An Every delivery fee parent is are costs takes has 14 30 two euros € days weeks of leave within must be paid 2009 in on March Le La Les est sont de coûte dure jours mois a droit à pour , . ? not ne".split(
        " ",
      ),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 3, maxLength: 14 }), (parts) => {
        const sentence = parts.join(" ");
        const found = questionFor(sentence);
        if (found)
          expect(sentence.includes(found.fact) && found.fact !== "" && found.question.endsWith("?")).toBe(
            true,
          );
      }),
      { numRuns: 3_000 },
    );
  });
});

test("tell a name from the first word of a sentence by the rest of the document", () => {
  const content =
    "Grommets cost 14 euros, and grommets are scarce. Rose opens at 9:00 for Rose only. Zorbex opens at 10:00.";
  const asked = candidatesIn([{ documentId: "1", title: "", heading: "", content }], [], 9);
  expect(asked.map(({ question }) => question)).toEqual([
    "How much do grommets cost?",
    "When does Rose open?",
    "When does Zorbex open?",
  ]);
});

test("include questions in a text with an answer below", () => {
  const text =
    "## May I bring my dog?\n\nYes, on Fridays only.\n\n**Q: Where do visitors park?**\nIn the yard behind the bakery.\n\nIs that so?\n\n## What is next for us?\n\n## Nothing is said here\n\nWho knows?";
  expect(standing({ content: text }).map(({ question }) => question)).toEqual([
    "May I bring my dog?",
    "Where do visitors park?",
  ]);
});

test("include rows of a table, by name and the usual columns", () => {
  const table = {
    documentId: "t",
    columns: ["Article", "Name", "Price EUR", "Stock"],
    rows: [
      ["A-1", "Compact", "3290", "4"],
      ["A-2", "Family", "", "2"],
      ["A-3", "Long", "4690", "1"],
    ],
  };
  expect(questionsOfTable(table)).toEqual([
    { question: "What is the price of Compact?", fact: "3290" },
    { question: "What is the price of Long?", fact: "4690" },
  ]);
  const french = {
    documentId: "t",
    columns: ["Atelier", "Durée moyenne", "Téléphone"],
    rows: [
      ["Lille", "4 jours", "03 20"],
      ["Paris", "9 jours", "01 44"],
    ],
  };
  expect(questionsOfTable(french)).toEqual([
    { question: "Quelle est la durée moyenne de « Lille » ?", fact: "4 jours" },
    { question: "Quel est le téléphone de « Paris » ?", fact: "01 44" },
  ]);
  const twice = {
    ...table,
    rows: [
      ["A-1", "Compact", "3290", "4"],
      ["A-2", "Compact", "1", "2"],
    ],
  };
  expect(questionsOfTable(twice)).toEqual([]);
});

test("include one of each document before a second of any", () => {
  const content = "A tall oven costs 14 euros. A small oven costs 9 euros.";
  const passages = ["a", "b"].map((documentId) => ({
    documentId,
    title: documentId,
    heading: "",
    content: content.replaceAll("oven", `oven ${documentId}`),
  }));
  expect(candidatesIn(passages, [], 3).map(({ documentId }) => documentId)).toEqual(["a", "b", "a"]);
});

test("accept a reply that has the value and cites the document", () => {
  const candidate = { question: "?", fact: "1 200 euros", documentId: "d" };
  const cited = [{ documentId: "d" }];
  expect(answersCandidate(candidate, { answer: "C’est 1 200 euros. [1]", citations: cited })).toBe(true);
  expect(answersCandidate(candidate, { answer: "C’est 1 300 euros. [1]", citations: cited })).toBe(false);
  expect(
    answersCandidate(candidate, { answer: "C’est 1 200 euros. [1]", citations: [{ documentId: "e" }] }),
  ).toBe(false);
});

test("from a model are accepted only for the passages that it was shown", () => {
  const shown = [{ documentId: "a" }, { documentId: "b" }];
  const said =
    "Here you are:\n1: How long is the notice period?\n2) **Qui dirige l’atelier ?**\n3: Who is nobody?\n1: Not a question.\n0: What is zero of it?";
  expect(readQuestions(said, shown)).toEqual([
    { question: "How long is the notice period?", fact: "", documentId: "a" },
    { question: "Qui dirige l’atelier ?", fact: "", documentId: "b" },
  ]);
});
