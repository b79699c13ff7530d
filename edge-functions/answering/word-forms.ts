// Owns the forms of a word: of a verb, of a noun for a woman or a man, of a word that another one is built from. Does not know meanings.
import { eitherOf, everyOne, oneOf, wordList } from "../_shared/language/rules.ts";

const verbEnding = new RegExp(`^(.{4,}?)(?:${oneOf(wordList(({ words }) => words.verbEndings))})$`);
export const verbRoot = (root: string) => verbEnding.exec(root)?.[1] ?? root;

const feminines = everyOne(({ words }) => words.feminines).flat();
/** The stem of the word for a man: "directeur" for "directrice". */
export function masculine(root: string): string {
  const [ending, instead] = feminines.find(([one]) => one.test(root)) ?? [];
  return ending ? root.replace(ending, instead ?? "") : root;
}

const again = eitherOf(({ words }) => words.again);
/** The stem of the verb that one with "again" in front repeats: "paint" of "repaint"; undefined for another word. */
export const withoutAgain = (root: string) => (again.test(root) ? root.replace(again, "") : undefined);

/** "sort" and "sortir": equal without their verb endings. */
export function isVerbFormOf(a: string, b: string): boolean {
  return a[0] === b[0] && a.length >= 4 && b.length >= 4 && !/\d/.test(a) && verbRoot(a) === verbRoot(b);
}

/** "approv" and "approval", "install" and "installation": a long common prefix and a short rest. */
export function isFormOf(a: string, b: string): boolean {
  if (a[0] === b[0] && masculine(a) === masculine(b)) return true;
  if (a[0] !== b[0] || /\d/.test(a) || /\d/.test(b)) return false;
  let common = 0;
  while (common < a.length && common < b.length && a[common] === b[common]) common += 1;
  const shorter = Math.min(a.length, b.length);
  if (common < 5 || common < shorter - 1) return false;
  const rest = (a.length > b.length ? a : b).slice(common);
  // "Greenhouse" is a compound of two words.
  return rest.length <= 5 && !(common === shorter && rest.length >= 4 && /^[^aeiouymnt]/.test(rest));
}
