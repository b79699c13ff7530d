// Owns an agent's replies without a passage: nothing was found, or nothing was asked. Pure.
import { defaultLanguage } from "../../locales/registry.ts";
import { say } from "../../locales/say.ts";
import { eitherOf, readings, wordList } from "../_shared/language/rules.ts";
import { replyLanguageOf } from "./reply-language.ts";
import { isStopWord, languageOf, words } from "./words.ts";

/** In the question's language, or in the default language. */
export function nothingFoundFor(question: string): string {
  return say(replyLanguageOf(question), "answers:nothingFound");
}

const greetings = new Set(wordList(({ courtesies }) => courtesies?.greetings));
const pleasantries = new Set([...greetings, ...wordList(({ courtesies }) => courtesies?.others)]);

const asksAmount = eitherOf(({ asks }) => asks?.howMuch);

/** True for a greeting or a thank-you: nothing to look up, and nothing left unanswered. */
export function isSmallTalk(message: string): boolean {
  const said = words(message);
  return (
    said.length > 0 &&
    said.length <= 8 &&
    // The French for "How much for a day?" has no word but stop words and those of "Good day".
    !asksAmount.test(message) &&
    said.some((word) => pleasantries.has(word)) &&
    said.every((word) => pleasantries.has(word) || isStopWord(word))
  );
}

/** The offline reply to small talk: the agent's greeting with its suggested prompts, or a short courtesy. */
export function replyToSmallTalk(
  message: string,
  { greeting, suggestedPrompts }: { greeting: string; suggestedPrompts: string[] },
): string {
  const said = words(message);
  const language = courtesyOf(said) ?? languageOf(message);
  if (!said.some((word) => greetings.has(word))) return say(language, "answers:welcome");
  const opening = greeting.trim() || say(language, "answers:hello");
  if (suggestedPrompts.length === 0) return opening;
  const prompts = suggestedPrompts.map((prompt) => `- ${prompt}`);
  return [opening, "", say(language, "answers:youCouldAsk"), "", ...prompts].join("\n");
}

/** The language of a courtesy, unless it is the default language, whose greetings are used in others too. */
function courtesyOf(said: string[]) {
  const own = readings.find(
    ({ code, reading: { courtesies } }) =>
      code !== defaultLanguage &&
      courtesies &&
      `${courtesies.greetings} ${courtesies.others}`.split(" ").some((word) => said.includes(word)),
  );
  return own?.code;
}
