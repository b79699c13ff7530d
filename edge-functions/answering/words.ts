// Owns how text becomes words: folding, light English and French stems, stop words, and the guess which of the
// two a text is written in. Pure; no word list here is tied to any one subject.

const englishStops =
  "a about above after again against all also am an and any are as at be because been before being below between both but by can cannot could did do does doing done down during each etc every few for from further get had has have having he her here hers herself him himself his how i if in into is it its itself just let may me might more most must my myself no nor not now of off on once only or other our ours ourselves out over own per please s same shall she should so some such t tell than that the their theirs them themselves then there these they this those through to too under until up upon us very was we were what when where which while who whom whose why will with within without would you your yours yourself yourselves";
const frenchStops =
  "ai aie ait alors apres as au aucun aucune aussi autre autres aux avant avec avez avoir avons c car ce ceci cela celle celles celui ces cet cette ceux chaque chez ci comme comment d dans de depuis des dire dois doit doivent donc dont du elle elles en encore entre est et etaient etait ete etes etre eu eux fait faire faut font il ils j je l la le les leur leurs lors lorsque lui m ma mais me meme memes mes mon n ne ni nos notre nous on ont or ou par parce pas peu peut peuvent peux plus plusieurs pour pourquoi pouvez qu quand que quel quelle quelles quels qui quoi s sa sans se sera serait ses si soit sommes son sont sous suis sur t ta te tes toi ton tous tout toute toutes tres tu un une va vers voici voila vont vos votre vous y";

const english = new Set(englishStops.split(" "));
const french = new Set(frenchStops.split(" "));

/** Words that occur in both lists ("me", "on", "son", …) say nothing about the language. */
const isEnglishOnly = (word: string) => english.has(word) && !french.has(word);
const isFrenchOnly = (word: string) => french.has(word) && !english.has(word);

export type Language = "en" | "fr";

/** Lower case without accents or ligatures, so that "Œuvre", "œuvre" and "oeuvre" are one word. */
export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/œ/g, "oe")
    .replace(/æ/g, "ae")
    .replace(/ß/g, "ss");
}

/** Runs of letters and digits, folded, in reading order. A script without spaces comes out as overlapping pairs. */
export function words(text: string): string[] {
  const found: string[] = [];
  for (const [run] of fold(text).matchAll(/[\p{L}\p{N}]+/gu)) {
    if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(run)) found.push(run);
    else found.push(...pairs(run));
  }
  return found;
}

function pairs(run: string): string[] {
  const letters = [...run];
  if (letters.length === 1) return letters;
  return letters.slice(1).map((letter, i) => `${letters[i]}${letter}`);
}

export function isStopWord(word: string): boolean {
  return english.has(word) || french.has(word);
}

/** The stems of the words that carry meaning: no stop words. */
export function terms(text: string): string[] {
  return words(text)
    .filter((word) => !isStopWord(word))
    .map(stem);
}

/**
 * A light stem that serves English and French alike: plurals, -ed, -ing, and the commonest verb and adverb endings.
 * Wrong stems do no harm as long as question and passage get the same one.
 */
export function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  let root = word;
  if (root.endsWith("ies") && root.length > 4) root = `${root.slice(0, -3)}y`;
  else if (root.endsWith("aux") && root.length > 5) root = `${root.slice(0, -3)}al`;
  else if (/(ss|x|ch|sh)es$/.test(root)) root = root.slice(0, -2);
  else if (/[^su]s$/.test(root)) root = root.slice(0, -1);
  const cut = /^(.*[aeiouy].*?)(ement|ing|ed|ly|er|ez|e)$/.exec(root);
  const base = cut?.[1] ?? root;
  if (base.length < 3) return root;
  return /([bdfgmnprt])\1$/.test(base) ? base.slice(0, -1) : base;
}

/** English or French, from the little words and accents of a text; `fallback` where they say nothing. */
export function languageOf(text: string, fallback: Language = "en"): Language {
  let lean = 0;
  for (const word of words(text)) {
    if (isFrenchOnly(word)) lean += 1;
    else if (isEnglishOnly(word)) lean -= 1;
  }
  if (/[àâçéèêëîïôœùûÿ]/i.test(text)) lean += 0.5;
  if (lean === 0) return fallback;
  return lean > 0 ? "fr" : "en";
}
