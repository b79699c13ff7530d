// Owns what a reply does with several editions of one document: the current one answers, and the reply says so. Does not tell which is current.
import type { LanguageCode } from "../../../edge-functions/_shared/language/rules.ts";
import { say } from "../../../locales/say.ts";
import type { Scored } from "./closest.ts";
import { titleOf } from "./prompt-reading.ts";
import type { Unit } from "./reading.ts";

/** True for a unit of a document of which a later edition is among the passages. */
export const isEarlier = ({ passage }: Unit) => passage.edition === "earlier";

/** Without the units of earlier editions, but for those that cover more of the question than any other: only they may tell. */
export function withoutEarlier(all: Scored[]): Scored[] {
  const most = Math.max(...all.map(({ unit, covers }) => (isEarlier(unit) ? 0 : covers)));
  return all.filter(({ unit, covers }) => !isEarlier(unit) || covers > most);
}

/** A line above the quotes if they are all of one document with several editions; otherwise "". */
export function editionNote(quotes: Unit[], language: LanguageCode): string {
  const [first] = quotes;
  const edition = first?.passage.edition;
  if (!edition) return "";
  const title = titleOf(first.passage);
  if (quotes.some(({ passage }) => titleOf(passage) !== title)) return "";
  return `${say(language, edition === "current" ? "answers:currentEdition" : "answers:earlierEdition", { title })}\n\n`;
}
