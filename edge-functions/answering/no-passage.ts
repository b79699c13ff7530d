// Owns what an agent says where there is nothing to quote: its knowledge holds nothing, or nothing was asked. Pure.
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

const greetings = new Set("hello hi hey morning afternoon evening bonjour bonsoir salut coucou".split(" "));
const hello: Record<Language, string> = {
  en: "Hello! What would you like to know?",
  fr: "Bonjour ! Que souhaitez-vous savoir ?",
};
const welcome: Record<Language, string> = { en: "You are welcome.", fr: "Avec plaisir." };
const youCouldAsk: Record<Language, string> = {
  en: "You could ask:",
  fr: "Vous pouvez demander, par exemple :",
};

/** The reply to small talk that a model would find words for: the agent's greeting with what it suggests, or a short courtesy. */
export function replyToSmallTalk(
  message: string,
  { greeting, suggestedPrompts }: { greeting: string; suggestedPrompts: string[] },
): string {
  const said = words(message);
  const language = said.some((word) => frenchCourtesies.has(word)) ? "fr" : languageOf(message);
  if (!said.some((word) => greetings.has(word))) return welcome[language];
  const opening = greeting.trim() || hello[language];
  if (suggestedPrompts.length === 0) return opening;
  return [opening, "", youCouldAsk[language], "", ...suggestedPrompts.map((prompt) => `- ${prompt}`)].join(
    "\n",
  );
}

const frenchCourtesies = new Set(
  "bonjour bonsoir salut coucou merci parfait revoir bientot bonne journee soiree".split(" "),
);
