// Owns which candidate questions of a knowledge base are tried, and in which order: questions found in the documents, then
// those that a sentence or a table row answers, one per document before a second of any. Pure.

import { either } from "../../_shared/language/rules.ts";
import { sentences } from "../../answering/sentences.ts";
import { languageOf, words } from "../../answering/words.ts";
import type { Asked, Candidate, Passage, Table } from "./candidate.ts";
import { questionOf, wordsOfDocument } from "./sentence-questions.ts";
import { questionsOfTable } from "./table-questions.ts";

const mostOfDocument = 4;

/** @param most maximum number of candidates */
export function candidatesIn(passages: Passage[], tables: Table[], most: number): Candidate[] {
  const documents = [...new Set([...passages, ...tables].map(({ documentId }) => documentId))];
  const lists = documents.map((documentId) => {
    const own = passages.filter((one) => one.documentId === documentId);
    const text = own.map(({ content }) => content).join("\n");
    const known = wordsOfDocument(text);
    const language = languageOf(text);
    const stated = own
      .flatMap(({ content }) => sentencesOf(content))
      .flatMap((sentence) => questionOf(sentence, { known, language }) ?? []);
    const found = [
      ...own.flatMap(standing),
      ...stated,
      ...tables.filter((one) => one.documentId === documentId).flatMap(questionsOfTable),
    ];
    return distinct(found)
      .slice(0, mostOfDocument)
      .map((one) => ({ ...one, documentId }));
  });
  const inTurn = Array.from({ length: mostOfDocument }, (_, at) =>
    lists.flatMap((list) => list[at] ?? []),
  ).flat();
  return distinct(inTurn).slice(0, most);
}

/** "Question 3:", "3.", a bullet. */
const numbering = new RegExp(
  String.raw`^(?:${either(({ documents }) => documents?.question)}\s*(?:\d{1,3})?\s*[.:)]|\d{1,3}[.)]|[-•–])\s*`,
  "iu",
);

const sentencesOf = (text: string): string[] =>
  sentences(text)
    .map(({ start, end }) => text.slice(start, end))
    .filter((one) => !/^\s*(?:#|\|)/.test(one));

/** The questions on a line of their own, as in an FAQ, with an answer below. */
export function standing({ content }: Pick<Passage, "content">): Asked[] {
  const lines = content
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.flatMap((line, at) => {
    const question = line
      .replace(/^#{1,6}\s+/, "")
      .replace(/[*_`]+/g, "")
      .replace(numbering, "")
      .trim();
    const below = lines[at + 1] ?? "";
    const isAsked = /^[\p{Lu}¿«“"][^?!\n]{8,118}\?$/u.test(question) && words(question).length >= 4;
    return isAsked && words(below).length >= 3 && !/[?:]$|^#/.test(below) ? [{ question, fact: "" }] : [];
  });
}

/** The first of each set of equal questions. */
function distinct<One extends Asked>(asked: One[]): One[] {
  const seen = new Set<string>();
  return asked.filter(({ question }) => {
    const key = words(question).join(" ");
    return !seen.has(key) && seen.add(key);
  });
}
