// Owns what a question asks of a sheet, as far as its words tell, in English and French: to count, to add, to compare, within
// which bounds, in which months. Knows no sheet. Pure.
import { amountIn, dayOf, monthNamed } from "../_shared/text/cell-values.ts";

/** Smallest, largest: all rows that share the extreme. Lowest, highest: the first rows in that order. */
export type SheetOp = "count" | "sum" | "average" | "smallest" | "largest" | "lowest" | "highest" | "list";
export type GroupPart = "value" | "month" | "year";

/** What an adjective compares: the words that a column of that name has, "" for the column that the question names. */
type Superlative = {
  op: "smallest" | "largest";
  of: string;
  /** "The most invoices" is a number of rows where no column has that name. */
  isOfNamed?: true;
};

type Bounds = { low?: number; high?: number; isLowIn: boolean; isHighIn: boolean; unit: string };

export type SheetQuestion = {
  op: SheetOp;
  /** Words that name the column that is meant, "" where any that the question names will do. */
  of: string;
  bounds?: Bounds;
  /** Months and years as days since 1970-01-01; without a year, the month. */
  time?: { month?: number; year?: number };
  isOfNamed?: true;
  /** "Out of stock": the column of that name is nothing. */
  isNone?: string;
  /** "How many are in stock": what a column of amounts says of the rows that are meant. */
  amountOf?: string;
  /** "Per client", "by month": the word that says of what there is a figure each. */
  group?: string;
  /** "The three cheapest". */
  most?: number;
  /** "What does X cost": nothing is computed, and the row of X says it. */
  isLookUp?: true;
  /** The question without the words that were read here. */
  rest: string;
};

const price = "price cost prix tarif";
const superlatives: [RegExp, Superlative][] = [
  [
    /\b(?:cheapest|least expensive|lowest[- ]priced|moins ch(?:er|ère)s?|(?:meilleur|plus) (?:marché|économiques?))\b/iu,
    { op: "smallest", of: price },
  ],
  [
    /\b(?:most expensive|dearest|costliest|plus (?:ch(?:er|ère)s?|coûteu(?:x|ses?)|onéreu(?:x|ses?)))\b/iu,
    { op: "largest", of: price },
  ],
  [/\b(?:heaviest|plus lourde?s?)\b/iu, { op: "largest", of: "weight poids" }],
  [/\b(?:lightest|plus légère?s?|moins lourde?s?)\b/iu, { op: "smallest", of: "weight poids" }],
  [
    /\b(?:fastest|quickest|plus (?:vite|rapide(?:ment|s)?))\b/iu,
    { op: "smallest", of: "time duration delay délai durée temps" },
  ],
  [
    /\b(?:slowest|plus lent(?:e|s|es|ement)?|moins vite)\b/iu,
    { op: "largest", of: "time duration delay délai durée temps" },
  ],
  [
    /\b(?:oldest|earliest|plus (?:vieux|vieille|anciens?|ancienne?s?|tôt))\b/iu,
    { op: "smallest", of: "date year année" },
  ],
  [/\b(?:newest|latest|most recent|plus (?:récente?s?|tard))\b/iu, { op: "largest", of: "date year année" }],
  [
    /\b(?:longest|highest|largest|biggest|greatest|tallest|farthest|widest|maximum|plus (?:longue?s?|grande?s?|élevée?s?|hauts?|hautes?|gros(?:se)?s?))(?!\p{L})/iu,
    { op: "largest", of: "" },
  ],
  [
    /\b(?:shortest|lowest|smallest|minimum|plus (?:courte?s?|petite?s?|bas(?:se)?s?|faibles?)|moins élevée?s?)(?!\p{L})/iu,
    { op: "smallest", of: "" },
  ],
  [/\b(?:most|le plus (?:de|d['’])|le plus)(?!\p{L})/iu, { op: "largest", of: "", isOfNamed: true }],
  [
    /\b(?:fewest|least|le moins (?:de|d['’])|le moins)(?!\p{L})/iu,
    { op: "smallest", of: "", isOfNamed: true },
  ],
];

const amountText = String.raw`(?:[€$£]\s?)?\d[\d.,'’\u00a0\u202f ]*\d?\s*(?:€|\$|£|%|\p{L}{1,12})?`;
const below =
  /(?:under|below|less than|cheaper than|fewer than|lighter than|shorter than|moins de|moins d['’]|inférieure?s? à|en[- ]dessous de|au-dessous de)/iu;
const atMost = /(?:at most|up to|no more than|not more than|maximum of|au plus|jusqu['’]à|au maximum)/iu;
const above =
  /(?:over|above|more than|greater than|heavier than|longer than|plus de|plus d['’]|supérieure?s? à|au[- ]dessus de)/iu;
const atLeast = /(?:at least|no less than|from|minimum of|au moins|à partir de|au minimum)/iu;
const between = new RegExp(
  String.raw`\b(?:between|entre)\s+(${amountText})\s+(?:and|et)\s+(${amountText})`,
  "iu",
);

const monthWord =
  "january|february|march|april|may|june|july|august|september|october|november|december|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre";
const inMonth = new RegExp(
  String.raw`\b(?:in|of|for|during|en|de|d['’]|au mois de|au mois d['’])\s*(${monthWord})(?:\s+((?:19|20)\d{2}))?(?![\p{L}\d])`,
  "iu",
);
const inYear = /\b(?:in|of|for|during|en|de|pour)\s+((?:19|20)\d{2})(?!\d)/iu;

/** What a question asks of a sheet; undefined where it asks nothing that is computed. */
export function readSheetQuestion(question: string): SheetQuestion | undefined {
  let rest = ` ${question.normalize("NFC").replace(/[’]/g, "'")} `;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const found = pattern.exec(rest);
    if (found) rest = `${rest.slice(0, found.index)} ${rest.slice(found.index + found[0].length)}`;
    return found;
  };
  const bounds = boundsIn(take);
  const time = timeIn(take);
  const group = groupIn.exec(rest)?.[1];
  const none = take(/\b(?:out of stock|sold out|en rupture(?: de stock)?|épuisée?s?)(?!\p{L})/iu);
  // What is left out, and what is said of each group, is not computed.
  if (/\b(?:not|no|without|except|none|neither|ne|pas|sans|sauf|hors|aucune?s?)\b|n['’]t\b/iu.test(rest))
    return undefined;
  const isSuperlative = superlatives.some(([pattern]) => pattern.test(rest));
  const isGrouped =
    isSuperlative || (group === undefined && /\b(?:per|each|every|by|par|chaque)\b/iu.test(rest));
  const base = {
    rest,
    of: "",
    ...(bounds ? { bounds } : {}),
    ...(time ? { time } : {}),
    ...(group !== undefined && !isSuperlative ? { group } : {}),
  };
  const told = (one: Pick<SheetQuestion, "op"> & Partial<SheetQuestion>): SheetQuestion => ({
    ...base,
    ...one,
    rest,
  });
  const isNone = none ? { isNone: "stock" } : {};
  const lookUp = bounds || time || none || isSuperlative ? undefined : lookUpIn(question, take);
  if (lookUp !== undefined) return told({ op: "list", isLookUp: true, of: lookUp });
  if (take(/\b(?:averages?|mean|on average|en moyenne|moyenn?e?s?)(?!\p{L})/iu)) {
    take(/\b(?:how much|combien)\b/iu);
    return isGrouped ? undefined : told({ op: "average" });
  }
  if (
    take(
      /\b(?:totals?|sum|altogether|in all|add(?:ed)? up|au total|totale?s?|totaux|somme|cumul|en tout)(?!\p{L})/iu,
    )
  ) {
    take(/\b(?:how (?:much|many)|combien)\b/iu);
    return isGrouped ? undefined : told({ op: "sum" });
  }
  if (
    take(
      /\b(?:how many|(?<=^\s*|\bthe |\btotal )number of|combien(?: y a-t-il| avons-nous| a-t-on)?(?: de| d['’])?|nombre (?:de|d['’]|total de))(?!\p{L})/iu,
    )
  ) {
    // A length of time or an amount is said by a cell, not by how many rows there are.
    if (measure.test(question)) return undefined;
    const stock = none
      ? null
      : take(/\b(?:in stock|available|left|en stock|disponibles?|restent|reste-t-il)(?!\p{L})/iu);
    if (stock) return told({ op: "sum", amountOf: "stock" });
    return told({ op: "count", ...isNone });
  }
  if (none) return told({ op: "list", ...isNone });
  const most = mostIn(rest);
  for (const [pattern, superlative] of superlatives) {
    if (!take(pattern)) continue;
    if (most === undefined) return told(superlative);
    take(mostWord);
    return told({ ...superlative, op: superlative.op === "smallest" ? "lowest" : "highest", most });
  }
  return bounds && /\b(?:which|what|list|show|quel(?:le)?s?|lister?|liste|montre[rz]?)\b/iu.test(question)
    ? told({ op: "list" })
    : undefined;
}

const groupIn =
  /(?<!\p{L})(?:for each|for every|per|by|each|every|pour chaque|par|chaque|dans chaque)\s+(\p{L}{3,})(?!\p{L})/iu;

const small: Record<string, number> = Object.fromEntries(
  [
    "two deux",
    "three trois",
    "four quatre",
    "five cinq",
    "six six",
    "seven sept",
    "eight huit",
    "ten dix",
  ].flatMap((names, at) => names.split(" ").map((name) => [name, at === 7 ? 10 : at + 2])),
);
const mostWord = new RegExp(
  String.raw`(?<=\b(?:the|les|top)\s+(?:top\s+)?)(\d{1,2}|${Object.keys(small).join("|")})(?!\p{L}|\d)`,
  "iu",
);
const longestList = 20;

/** How many are asked for: "the three cheapest", "les 5 plus chers". */
function mostIn(rest: string): number | undefined {
  const word = mostWord.exec(rest)?.[1]?.toLowerCase();
  const count = small[word ?? ""] ?? Number(word);
  return count >= 2 && count <= longestList ? count : undefined;
}

const asksPrice =
  /^\s*(?:(?:and |et )?(?:what|how much) (?:does|do|would|will) .+ cost|how much (?:is|are|for)|what(?:'s| is| are) the (?:prices?|costs?) |(?:prices?|costs?) (?:of|for) |combien (?:coûte|coute|vaut|valent)|(?:quel(?:s)? (?:est|sont) |c'est quoi )?(?:les? |du )?(?:prix|tarifs?|coûts?) (?:de|du|d'|des|pour) )/iu;
const asksCell =
  /^\s*(?:what(?:'s| is| are) |which |who |where |when |how (?:heavy|long|big|large|tall) |what does .+ weigh|quel(?:le)?s? |qui |où |quand |combien pèse|c'est quoi )/iu;

/** Words for the column of a row that is asked for: "" where the question names it itself; undefined where it asks for none. */
function lookUpIn(question: string, take: (pattern: RegExp) => RegExpExecArray | null): string | undefined {
  const said = question.normalize("NFC").replace(/[’]/g, "'");
  if (asksPrice.test(said)) {
    take(/\b(?:how much|combien)(?!\p{L})/iu);
    take(/(?<!\p{L})(?:cost|costs|coûtent?|coute|vaut|valent|prices?|prix|tarifs?|coûts?)(?!\p{L})/iu);
    return price;
  }
  if (/\b(?:how heavy|weighs?|pèsent?)(?!\p{L})/iu.test(said)) {
    take(/\b(?:how heavy|combien)(?!\p{L})/iu);
    take(/\b(?:weighs?|pèsent?)(?!\p{L})/iu);
    return "weight poids";
  }
  const isComputed =
    /\b(?:totals?|sum|averages?|mean|somme|moyenne|how many)(?!\p{L})|\b(?:the number of|le nombre de)(?!\p{L})/iu.test(
      said,
    );
  return asksCell.test(said) && !isComputed ? "" : undefined;
}

const measure =
  /\b(?:how many|combien (?:de |d['’])|nombre (?:de |d['’]))\s*(?:\p{L}+ )?(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|euros?|dollars?|kilomet(?:er|re)s?|secondes?|heures?|jours?|semaines?|mois|ans?|années?|temps|kilomètres?|caractères?|characters?)(?!\p{L})/iu;

function boundsIn(take: (pattern: RegExp) => RegExpExecArray | null): Bounds | undefined {
  const amountOf = (text: string | undefined) =>
    amountIn((text ?? "").trim()) ?? amountIn((text ?? "").replace(/\s*\p{L}+\s*$/u, "").trim());
  const pair = take(between);
  if (pair) {
    const [low, high] = [amountOf(pair[1]), amountOf(pair[2])];
    if (!low || !high) return undefined;
    return { low: low.value, high: high.value, isLowIn: true, isHighIn: true, unit: high.unit || low.unit };
  }
  for (const [word, side, isIn] of [
    [atMost, "high", true],
    [below, "high", false],
    [atLeast, "low", true],
    [above, "low", false],
  ] as const) {
    const found = take(new RegExp(String.raw`(?<!\p{L})${word.source}\s*(${amountText})`, "iu"));
    const amount = amountOf(found?.[1]);
    if (amount) return { [side]: amount.value, isLowIn: isIn, isHighIn: isIn, unit: amount.unit };
  }
  return undefined;
}

/** The question with a year behind its month; undefined where it names no month, or has a year. */
export function withYear(question: string, year: number): string | undefined {
  const found = inMonth.exec(question.normalize("NFC"));
  if (!found || found[2]) return undefined;
  const end = found.index + found[0].length;
  return `${question.slice(0, end)} ${year}${question.slice(end)}`;
}

function timeIn(take: (pattern: RegExp) => RegExpExecArray | null): SheetQuestion["time"] {
  const month = take(inMonth);
  if (month) {
    return { month: monthNamed(month[1] ?? ""), ...(month[2] ? { year: Number(month[2]) } : {}) };
  }
  const year = take(inYear);
  return year ? { year: Number(year[1]) } : undefined;
}

/** The days from the first one of a month or a year up to, and without, the first one after it. */
export function daysOf({ month, year }: { month?: number; year: number }): [number, number] {
  const first = dayOf(year, month ?? 1, 1) ?? 0;
  const next =
    month === undefined
      ? dayOf(year + 1, 1, 1)
      : month === 12
        ? dayOf(year + 1, 1, 1)
        : dayOf(year, month + 1, 1);
  return [first, next ?? first];
}
