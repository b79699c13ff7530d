// Owns what an agent says when its knowledge holds nothing for a question, and the guess whether anything was asked. Pure.
import { isStopWord, type Language, languageOf, words } from "./words.ts";

const nothingFound: Record<Language, string> = {
  en: "I found nothing about this in my knowledge.",
  fr: "Je n'ai rien trouvé à ce sujet dans mes connaissances.",
};

/** In the question's language; English where it is neither English nor French. */
export function nothingFoundFor(question: string): string {
  return nothingFound[languageOf(question)];
}

const pleasantries = new Set(
  "hello hi hey good morning afternoon evening thanks thank thx ok okay great fine nice perfect cool bye goodbye welcome bonjour bonsoir salut coucou merci super parfait revoir bientot bonne journee soiree well".split(
    " ",
  ),
);

/** A greeting or a thank-you: nothing to look up, and nothing left unanswered. */
export function isSmallTalk(message: string): boolean {
  const said = words(message);
  return (
    said.length > 0 &&
    said.length <= 8 &&
    said.some((word) => pleasantries.has(word)) &&
    said.every((word) => pleasantries.has(word) || isStopWord(word))
  );
}
