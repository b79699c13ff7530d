// Owns what a question asks for: its language, its kind of answer, and the words that an answer must speak of.

import { isKnownName, meaningfulTerms } from "../../../edge-functions/answering/lexicon.ts";
import {
  isStopWord,
  type Language,
  languageOf,
  stem,
  words,
} from "../../../edge-functions/answering/words.ts";

/** What would answer: a person, a moment, a place, an amount, a length of time, a count, yes or no, what to do, or anything. */
export type AnswerKind =
  | "who"
  | "when"
  | "where"
  | "howMuch"
  | "howLong"
  | "howMany"
  | "yesNo"
  | "howTo"
  | "any";

export type Asked = {
  language: Language;
  kind: AnswerKind;
  terms: string[];
  /** Terms that name one thing: a place, a person, an article. Without them nothing is an answer. */
  names: Set<string>;
  /** Terms of the questions before it alone. */
  earlier: Set<string>;
  /** Neighbouring words, of which at least one carries meaning. */
  pairs: Set<string>;
  isDenied: boolean;
};

/** Neighbouring words of a text, of which at least one carries meaning. */
export function pairsIn(text: string): string[] {
  const all = words(text);
  return all
    .slice(1)
    .map((word, i): [string, string] => [all[i] ?? "", word])
    .filter(([a, b]) => !isQuestionWord(a) && !isQuestionWord(b) && !(isGlue(a) && isGlue(b)))
    .map(([a, b]) => `${stem(a)} ${stem(b)}`);
}

const glue = new Set(
  "a an the of to in on at for and or is are be do does it i we you my our your le la les l un une des de du d et ou a au aux en est sont on je nous vous se s".split(
    " ",
  ),
);
const isGlue = (word: string) => glue.has(word);
const questionWords = new Set(
  "what when where who whom whose which why how many much quel quelle quels quelles quand qui que quoi comment combien pourquoi ou".split(
    " ",
  ),
);
const isQuestionWord = (word: string) => questionWords.has(word);

export function isDenied(text: string): boolean {
  return /\b(?:not|never|no|cannot|without|nobody|none)\b|n['’]t\b|\bne\b.{1,30}\b(?:pas|plus|jamais|aucun)|\b(?:sans|aucune?)\b/iu.test(
    text,
  );
}

/** The measure that is asked for; an answer need not repeat the word. */
const measured =
  /\bhow (?:many|much|long|soon|early|late|old|often|far|high|big|fast)\b|\bcombien de temps\b|\b(?:what|which) (?:time|day|weekday|date|month|year)\b|\bquel(?:le)? (?:jour|date|heure)\b/giu;

const kinds: [AnswerKind, RegExp][] = [
  [
    "when",
    /\b(?:what|which) (?:time|day|weekday|date|month|year)\b|\bquel(?:le)? (?:jour|date|mois|année|heure)\b/iu,
  ],
  ["howMany", /\bhow long (?:must|should|can|may|do|does) .{1,40} be\b|\blongueur\b/iu],
  [
    "howLong",
    /\bhow (?:long|soon|early|late)\b|\bcombien de temps\b|\bpendant combien\b|\bwhat is the (?:duration|notice period)|\bwithin how many (?:days|weeks|months)|\bdurée\b|\bquel(?:le)? (?:est le |est la )?(?:délai|durée|préavis)|(?:after|sous|dans|après) (?:how many|combien de) \w+/iu,
  ],
  [
    "howMuch",
    /\bhow (?:much|far|high|big|heavy|fast)\b|\bwhat(?:'s| is| are| do| does)?\b.{0,40}\b(?:price|cost|fee|rate|limit|value|amount|per kilomet)|\bprice of\b|\bwhat do(?:es)? .{1,60} cost\b|\bcombien (?:coûte|vaut|reçoit|gagne|paie|ça)|\bquel(?:le)? (?:est |sont )?(?:le |la |les )?(?:prix|montant|valeur|plafond|part|tarif|taux|coût)|\babove which amount/iu,
  ],
  [
    "howMany",
    /\bhow (?:many|old|often)\b|\bwhat number\b|\bcombien\b|\bquel(?:le)? (?:est |sont )?(?:le |la |les )?(?:nombre|numéro)/iu,
  ],
  ["when", /\bwhen\b|\bquand\b/iu],
  ["who", /\bwho(?:m|se)?\b|\bqui\b(?! est-ce que)|\bà qui\b|\bauprès de qui\b/iu],
  [
    "where",
    /\bwhere\b|\boù\b|\bin which (?:city|place|country|town)\b|\bdans quel(?:le)? (?:ville|pays|lieu)\b/iu,
  ],
  [
    "howTo",
    /\bhow (?:do|can|should|to|is|are)\b|\bwhat (?:should|must|do) (?:i|we|you) do\b|\bcomment\b|\bque (?:faire|dois-je|faut-il)\b/iu,
  ],
  [
    "yesNo",
    /^\W*(?:is|are|am|can|may|do|does|did|will|must|should|could|has|have|was|were)\b|^\W*(?:est-ce|peut-on|puis-je|y a-t-il|faut-il|a-t-on|dois-je|doit-on|avons-nous|peuvent-ils)\b|^\W*\p{L}+-(?:t-)?(?:on|il|elle|ils|elles|je|nous|vous)\b/iu,
  ],
];

/** @param text a question, behind the earlier ones that it leans on where it does */
export function readQuestion(text: string): Asked {
  const [earlier, last] = lastOf(text.trim());
  const names = namesIn(last);
  // "And in Amsterdam?" asks the same of another place.
  const replaced = names.size > 0 ? namesIn(earlier) : new Set<string>();
  const kindOf = (one: string) => kinds.find(([, pattern]) => pattern.test(one))?.[0];
  const lastTerms = new Set(meaningfulTerms(last));
  const terms = meaningfulTerms(`${earlier} ${last}`.replace(measured, " "));
  return {
    language: languageOf(text),
    kind: kindOf(last) ?? kindOf(earlier) ?? "any",
    terms: [...new Set(terms)].filter((term) => names.has(term) || !replaced.has(term)),
    names: names.size > 0 ? names : namesIn(earlier),
    earlier: new Set(meaningfulTerms(earlier).filter((term) => !lastTerms.has(term))),
    pairs: new Set(pairsIn(text)),
    isDenied: isDenied(text),
  };
}

/** Words that begin with a capital after the first one, and codes such as BT-750. */
function namesIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu)) {
    const isFirst = !/[\p{L}\p{N}]/u.test(text.slice(0, index));
    const isCode = /\d/.test(word) && /\p{L}/u.test(word);
    const isName = /^\p{Lu}/u.test(word) && !isFirst && !/[.!?]\s*$/.test(text.slice(0, index));
    const [only, ...more] = words(word);
    if (!isCode && (!isName || !only || isStopWord(only))) continue;
    for (const term of meaningfulTerms(more.length === 0 || isCode ? word : (only ?? ""))) found.add(term);
  }
  for (const term of meaningfulTerms(text)) if (isKnownName(term)) found.add(term);
  return found;
}

const number = String.raw`\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|un|une|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|quinze|vingt|trente)\b`;
const months =
  "january|february|march|april|may|june|july|august|september|october|november|december|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre";
const days =
  "monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekday|weekend|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche";
const spans =
  "second|minute|hour|day|week|month|year|seconde|heure|jour|semaine|mois|an(?:née)?|trimestre|quarter";

const fits: Record<AnswerKind, RegExp> = {
  who: /\p{Lu}\p{L}+[\s.-]+(?:\p{Lu}\p{L}*[\s.-]+)?\p{Lu}\p{L}+|\S+@\S+|\b(?:manager|officer|director|head of|desk|team|responsable|direct(?:eur|rice)|chef)\b/u,
  when: new RegExp(
    String.raw`\b(?:${months}|${days})\b|\b\d{1,2}[:h]\d{2}|\b\d{1,2}\s?h\b|\b\d{4}-\d{2}-\d{2}|\b\d{1,2}(?:st|nd|rd|th|er)\b|\b(?:19|20)\d{2}\b|\b(?:every|each|after|before|within|when|if|once|from|until|last|first|quand|lorsque|si|après|avant|sous|dès|chaque|jusqu)\b`,
    "iu",
  ),
  where:
    /\b(?:in|at|on|to|from|à|au|aux|en|dans|sur|chez|via)\s+(?:the\s|la\s|le\s|l['’])?[\p{Lu}]|https?:|www\.|\S+@\S+|\b(?:desk|office|folder|page|intranet|street|rue|bureau|accueil)\b/u,
  howMuch: new RegExp(String.raw`${number}|[€$£%]|\b(?:free|gratuit|nothing|full|half)`, "iu"),
  howMany: new RegExp(`${number}`, "iu"),
  howLong: new RegExp(String.raw`(?:${number}).{0,25}\b(?:${spans})|\b(?:${spans})s?\b`, "iu"),
  yesNo: /./u,
  howTo: /./u,
  any: /./u,
};

/** Whether a text holds the kind of thing that was asked for. */
export function fitsKind(kind: AnswerKind, text: string): boolean {
  return fits[kind].test(text);
}

/** What comes before the last question, and that question; a number or a word of thanks behind one is none of its own. */
function lastOf(text: string): [earlier: string, last: string] {
  const [, earlier = "", last = ""] = /^(.*\?\S*\s+)(\S.*)$/s.exec(text) ?? [];
  return (last.match(/\p{L}{2,}/gu)?.length ?? 0) >= 2 ? [earlier, last] : ["", text];
}
