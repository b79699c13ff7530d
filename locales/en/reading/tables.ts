// Owns the English words of questions over the rows of a table.
import type { TableReading } from "../../reading.ts";

export const tables: TableReading = {
  superlatives: {
    cheapest: /\b(?:cheapest|least expensive|lowest[- ]priced)\b/,
    dearest: /\b(?:most expensive|dearest|costliest)\b/,
    heaviest: /\bheaviest\b/,
    lightest: /\blightest\b/,
    fastest: /\b(?:fastest|quickest)\b/,
    slowest: /\bslowest\b/,
    oldest: /\b(?:oldest|earliest)\b/,
    newest: /\b(?:newest|latest|most recent)\b/,
    largest:
      /\b(?:longest|strongest|most powerful|highest|largest|biggest|greatest|tallest|farthest|widest|maximum)(?!\p{L})/u,
    smallest: /\b(?:shortest|weakest|least (?:strong|powerful)|lowest|smallest|minimum)(?!\p{L})/u,
    most: /\bmost(?!\p{L})/u,
    fewest: /\b(?:fewest|least)(?!\p{L})/u,
  },
  columns: {
    price: "price cost",
    weight: "weight",
    time: "time duration delay",
    date: "date year",
    stock: "stock",
    money: "price cost amount",
    takings: "takings revenue income turnover",
    size: "size surface area height capacity people",
    length: "length distance duration time hours minutes",
    strength: "strength alcohol abv degree power",
  },
  dimensions: {
    size: /\b(?:big|larg|small)(?:g?est)\b/,
    length: /\b(?:long|short)est\b/,
    strength: /\b(?:(?:strong|weak)est|(?:most|least) (?:strong|powerful))\b/,
  },
  spending: "spend spent pay paid buy bought hire hired rent rented take took taken earn earned",
  earning: "took take taken earn earned",
  total: /\b(?:amount|total|sum)\b/,
  general:
    "product products article articles item items entry entries row rows line lines list table sheet file have has sell offer there total number amount value show give our company one ones currently register record records catalog name names named called cost costs",
  people: {
    counted: "people person persons work works working",
    named: "people person staff employee team member name role job department",
  },
  yes: /yes|y|true|x|✓/,
  no: /no|n|false|-|–/,
  month: /months?/,
  year: /years?/,
  between: /between/,
  and: /and/,
  to: /to|up to|through/,
  below: /under|below|less than|cheaper than|fewer than|lighter than|shorter than/,
  atMost: /at most|up to|no more than|not more than|maximum of/,
  above: /over|above|more than|greater than|heavier than|longer than/,
  atLeast: /at least|no less than|from|minimum of/,
  inMonth: /in|of|for|during/,
  inYear: /in|of|for|during/,
  thisYear: /\bthis year\b/,
  the: /the|top/,
  each: /for each|for every|per|by|each|every/,
  // Without its apostrophe, "don't" is a French pronoun.
  denies:
    /\b(?:(?:do|does|did|is|are|was|were|has|have)(?: not|n['’]t)|(?:does|did|is|are|was|were|has|have)nt|dont(?! (?:l[ea]s?|l['’]|on|ils?|elles?|une?|ce|vous|nous|je|tu)\b)|without)\b/,
  without: /\b(?:not|no|without|except|none|neither)\b|n['’]t\b/,
  outOfStock: /\b(?:out of stock|sold out)(?!\p{L})/u,
  inStock: /\b(?:in stock|available|left)(?!\p{L})/u,
  average: /\b(?:averages?|mean|on average)(?!\p{L})/u,
  sum: /\b(?:totals?|sum|altogether|(?:taken )?together|combined|in all|add(?:ed)? up)(?!\p{L})/u,
  count: /\b(?:how many|(?<=^\s*|\bthe |\btotal )number of)(?!\p{L})/u,
  lists: /\b(?:which|what|list|show)\b/,
  isComputed: /\b(?:totals?|sum|averages?|mean|how many|the number of)(?!\p{L})/u,
  howMuch: /how much/,
  howMuchOrMany: /how (?:much|many)/,
  howHeavy: /how heavy/,
  weighs: /weighs?/,
  asksWeight: /how heavy|weighs?/,
  priceWords: /costs?|prices?/,
  asksPrice:
    /(?:and )?(?:what|how much) (?:does|do|would|will) .+ cost|how much (?:is|are|for)|what(?:'s| is| are) the (?:prices?|costs?) |(?:prices?|costs?) (?:of|for) /,
  asksCell:
    /what(?:'s| is| are) |which |who |where |when |how (?:heavy|long|big|large|tall) |what does .+ weigh/,
  measure: {
    howMany: /how many/,
    units:
      /seconds?|minutes?|hours?|days?|weeks?|months?|years?|euros?|dollars?|kilomet(?:er|re)s?|characters?/,
  },
};
