// Owns the English patterns that turn a sentence that states a value, or a row of a table, into a question. Only unambiguous patterns:
// a sentence that fits none yields no question.
import type { Suggestions } from "../../reading.ts";

const count = String.raw`(?:\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|eighteen|twenty|thirty)`;
const month = "(?:January|February|March|April|May|June|July|August|September|October|November|December)";
const parts = {
  AMOUNT: String.raw`(?<fact>(?:[€$£] ?\d[\d.,]*\d|[€$£] ?\d|\d[\d.,]* ?(?:euros?|dollars?|pounds?|cents?|percent|EUR|USD|GBP|€|\$|£|%)))(?![\p{L}\d])`,
  DURATION: String.raw`(?<fact>${count}[ -](?:(?:working|business|calendar) )?(?:minutes?|hours?|days?|weeks?|months?|years?))\b`,
  DATE: String.raw`(?<fact>\d{1,2} ${month}(?: \d{4})?|${month} \d{1,2}(?:, \d{4})?|(?:19|20)\d\d)(?!\d)`,
  TIME: String.raw`(?<fact>\d{1,2}(?::\d\d(?: ?[ap]\.?m\b)?| ?[ap]\.?m\b))`,
  DAY: String.raw`(?<fact>the (?:first|second|third|fourth|last|\d{1,2}(?:st|nd|rd|th)) (?:working day|day|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)(?: of (?:the|each|every) month)?|(?:Mondays?|Tuesdays?|Wednesdays?|Thursdays?|Fridays?|Saturdays?|Sundays?))\b`,
  PERSON: String.raw`(?<fact>\p{Lu}\p{Ll}+(?: \p{Lu}[\p{Ll}-]+){1,2})`,
  THING: String.raw`(?<subject>(?:The|Our|A|An)(?:[ -][\p{L}\p{N}'’]+){2,6}?)`,
  NEAR: "(?:about |around |approximately |only |usually )?",
  DONE: String.raw`(?<done>\p{Ll}{2,}ed|held|paid|made|sent|done|given|taken|built)`,
  // "days of paid holiday", up to a word for when or how.
  UNIT: String.raw`(?<unit>(?:(?:working|business|calendar|vacation) )?(?:days|weeks|months|hours)(?: of(?: \p{Ll}+){1,3}?)?)(?= (?:at|from|per|an?|each|every|in|on|after|before|with|to|plus|and)\b|[.,;]|$)`,
};

const bases: Record<string, string> = {
  has: "have",
  gets: "get",
  receives: "receive",
  takes: "take",
  earns: "earn",
};

const sentences: Suggestions["sentences"] = {
  noSubject:
    /^(?:it|its|this|that|these|those|they|their|he|she|his|her|we|i|there|here|if|when|where|while|after|before|in|on|at|for|from|until|as|by|with|to|without|unless|and|or|but|not|no|nobody|none|both|one|some|another|other|others|outside|inside|up|then|what|who)\b|\b(?:that|which|who|whose|is|are|was|were|be|been|has|have|had|must|can|may|will|would|should|do|does|not|if|when|of them|yes|no|it|they|you|we)\b/iu,
  hedged: /\b(?:not|never|no longer|nobody|unless|except|if|otherwise|cannot)\b|n['’]t\b/iu,
  determiner: /^(?:The|A|An|Our|Your|Every|Each|All|Any|Most|Many|(?:Every|Any)(?:one|body))\b/u,
  parts,
  rules: [
    {
      form: "{SUBJECT} (?<verb>costs?) (?<most>at most |up to |no more than )?{NEAR}{AMOUNT}",
      ask: ({ verb, most }, subject) =>
        most
          ? `How much can ${subject} cost at most?`
          : `How much ${verb === "costs" ? "does" : "do"} ${subject} cost?`,
    },
    {
      form: "{THING} is (?:at most |up to )?{NEAR}{DURATION}",
      ask: (_, subject) => `How long is ${subject}?`,
    },
    {
      form: "{THING} is (?:at most |up to )?{NEAR}{AMOUNT}",
      ask: (_, subject) => `How much is ${subject}?`,
    },
    {
      form: "(?<subject>(?:The|Our)(?:[ -][\\p{L}\\p{N}'’]+){1,6}?) is (?:on )?{DATE}",
      ask: (_, subject) => `When is ${subject}?`,
    },
    {
      form: "{SUBJECT} (?<verb>takes?|lasts?) (?:up to |at most )?{NEAR}{DURATION}(?! of\\b)",
      ask: ({ verb = "" }, subject) =>
        `How long ${verb.endsWith("s") ? "does" : "do"} ${subject} ${verb.replace(/s$/, "")}?`,
    },
    {
      form: `{SUBJECT} (?<verb>has|have|gets?|receives?|takes?|earns?) (?<fact>${count}) {UNIT}`,
      ask: ({ verb = "", unit }, subject) =>
        `How many ${unit} ${bases[verb] ? "does" : "do"} ${subject} ${bases[verb] ?? verb}?`,
    },
    {
      form: `You (?<verb>have|get|receive) (?<fact>${count}) {UNIT}`,
      ask: ({ verb, unit }) => `How many ${unit} do I ${verb}?`,
    },
    {
      form: "{SUBJECT} (?<must>must|should) be {DONE} within {DURATION}",
      ask: ({ must, done }, subject) => `How soon ${must} ${subject} be ${done}?`,
    },
    {
      form: "{SUBJECT} (?<is>was|were) {DONE} (?:in|on) {DATE}",
      ask: ({ is, done }, subject) => `When ${is} ${subject} ${done}?`,
    },
    {
      form: "{SUBJECT} (?<is>is|are) {DONE} (?:on |at )?(?:{DAY})",
      ask: ({ is, done }, subject) => `When ${is} ${subject} ${done}?`,
    },
    {
      form: "{SUBJECT} (?<verb>opens?|closes?|starts?|begins?|ends?) at {TIME}",
      ask: ({ verb = "" }, subject) =>
        `When ${verb.endsWith("s") ? "does" : "do"} ${subject} ${verb.replace(/s$/, "")}?`,
    },
    {
      form: "{SUBJECT} (?<is>is|are) open from {TIME}",
      ask: ({ is }, subject) => `When ${is} ${subject} open?`,
    },
    {
      form: "{SUBJECT} (?<is>is|are) (?<done>kept|stored|retained|valid) for (?:at least |at most |up to )?{DURATION}",
      ask: ({ is, done }, subject) => `How long ${is} ${subject} ${done}?`,
    },
    {
      form: "(?<subject>(?:The|Our)(?: \\p{Ll}[\\p{L}-]+){1,5}) is {PERSON}(?=[.,;]|$| \\()",
      ask: (_, subject) => `Who is ${subject}?`,
    },
    {
      form: "{PERSON} is (?<role>(?:the|our)(?: \\p{Ll}[\\p{L}-]+){1,5})(?=[.,;]|$)",
      ask: ({ role }) => `Who is ${role}?`,
    },
  ],
};

const rows: Suggestions["rows"] = {
  names: /name|article|product|item|model|description|title|service|plan|subject/,
  columns: "price cost fee rate amount salary deadline phone warranty duration capacity weight range",
  isNounFirst: false,
  units: /years?|days?|months?/,
  ask: (label, name) => `What is the ${label} of ${name}?`,
};

export const suggestions: Suggestions = { sentences, rows };
