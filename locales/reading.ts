// Owns the type of a language's reading rules: how its documents and questions are parsed without a language model (stop words, dates
// and numbers, questions, negation). LANGUAGE/reading/ declares them. Every part but `words` is optional: an omitted one is not parsed.
//
// A list is lower-case words separated by spaces; "folded" lists also have no accents. A pattern's own flags are ignored: it is joined
// with those of the other languages and compiled as /iu, unless its comment says otherwise. "Whole" patterns contain their word
// boundaries; the others become parts of larger patterns. Use neither named nor numbered groups.
import type { TableReading } from "./table-reading.ts";

export interface Reading {
  /** Required: these words identify a text's language. */
  words: {
    /** Stop words, folded. */
    little: string;
    /** Letters that distinguish it from the other declared languages. */
    letters?: RegExp;
    /** Plural endings and their replacements, folded. The first match of all languages applies. */
    plurals: [ending: RegExp, instead: string][];
    /** Spellings and their replacements, before accents are removed: without them, an ending is the plural of another language. */
    accented?: [spelling: RegExp, instead: string][];
    /** Endings of the words for a woman, and those for a man, of stems: "directric" and "directeur". */
    feminines?: [ending: RegExp, instead: string][];
    /** What a verb that is done again begins with, of folded stems: "re" of "repaint". */
    again?: RegExp;
    /** Further endings in which words of one meaning differ, folded. */
    endings: string;
    /** What makes a word its opposite as its first letters: "un" in "unopened". */
    opposites?: string;
    /** A word for someone who does a thing, with its root captured: "officer". */
    agent?: RegExp;
    /** Endings of verb forms, folded: two words that are equal without them count as the same verb. */
    verbEndings?: string;
    /** Stop words of other languages that are nouns in this one, folded. */
    things?: string;
    /** Words after which a full stop does not end a sentence. */
    abbreviations?: string;
    /** The same, if a number follows: "no. 5". */
    abbreviationsOfNumbers?: string;
  };
  /** Folded. */
  courtesies?: { greetings: string; others: string };
  followUps?: {
    /** Words that refer to something said before, folded. */
    pointing: string;
    /** Phrases in which such a word refers to nothing: "is there", "est-ce que". Whole. */
    notPointing: RegExp;
    /** Verbs that make a question of few words a sentence, folded: "who is the boss", but not "in London?". */
    verbs: string;
    /** First words of a question that continues the conversation, folded. */
    goingOn: string;
    /** "What about …": the start of such a question. */
    asksOnward: RegExp;
    /** The start of a sentence that is unclear without the previous one. */
    pointsBack: RegExp;
    /** The start of a sentence that holds for an example, or follows from what stands before it. */
    concludes: RegExp;
  };
  denials?: {
    /** Negations. Whole. */
    words: RegExp;
    /** Phrases in which such a word negates nothing: "no later than". Whole. */
    idioms: RegExp;
    /** Matches a negated question or sentence. Whole. */
    sentence: RegExp;
    /** A reply's statement that something is missing: "I found no …". Whole. */
    gap: RegExp;
    /** The start of a reply that says that nothing answers the question, and then shows something close. Whole. */
    unanswered: RegExp;
    /** Capitalized words that are no names, folded. */
    noNames: string;
  };
  dates?: {
    /** January to December: each name, then its short forms. */
    months: string[];
    /** Days of the week. */
    days: string;
    /** Winter to autumn, folded. */
    seasons?: string;
    /** Days with a name and a fixed date, month and day: "12-26" for Boxing Day. */
    holidays?: [name: RegExp, date: string][];
    /** "1st" of "1st May". */
    ordinals: RegExp;
    /** "First" to "tenth" and "last", of "the first week of the year". */
    ordinalWords?: RegExp;
    /** "1st" of "May 1st". */
    ordinalsBehindMonth?: RegExp;
    /** "of" in "1 May" and "1 of May". */
    ofMonth?: RegExp;
    /** A word before the year, and before the month if the month has one: "de" in "1 de mayo de 2026". */
    ofYear?: RegExp;
  };
  numbers?: {
    /** The names of a number up to 1,000, folded, with "and", "a" and hyphens as written; empty if it has none. */
    names(number: number): string[];
    /** Number words in running text. */
    words: RegExp;
    percent: RegExp;
    thousand: RegExp;
    million: RegExp;
    billion: RegExp;
    /** Currency words that are unambiguous in any text. */
    currencies: { EUR: string[]; USD: string[]; GBP?: string[] };
    /** Currency words that count only in a cell without other text: "livre" also means book. */
    cellCurrencies: { GBP?: string[]; CHF?: string[] };
    /** "approx." */
    about: RegExp;
    /** Units at the end of a column's name. */
    columnUnits: RegExp;
    /** Words for units of measurement, folded, by the unit's symbol: "kilo kilos" for kg. */
    units: Record<string, string>;
  };
  /** Kinds of questions. All patterns are whole, except those of `answers` and `measure`. */
  asks?: {
    /** Question words, folded. */
    questionWords: string;
    /** Articles, prepositions, pronouns, folded: two neighbouring ones have no meaning of their own. */
    glue: string;
    /** Verbs of asking, which do not name the subject. */
    verbs: string;
    /** Words of whoever does a task, folded: "who handles payroll?". */
    care: string;
    /** Filler words: "whole", "somebody", "anyway". One that no text contains hardly counts. */
    talk?: string;
    /** Joins two questions in one: the "and" of "what is it and when does it begin". */
    joins?: RegExp;
    /** "How many": words that an answer need not repeat. */
    measured: RegExp;
    date: RegExp;
    /** "What time": not answered by a day or a month. */
    clock?: RegExp;
    length: RegExp;
    /** "What is the" before the attribute that a question asks for, and the "of" after it. */
    attributeOf?: RegExp;
    of?: RegExp;
    /** For a phone number, and for an email address. */
    phone?: RegExp;
    email?: RegExp;
    howOften?: RegExp;
    howLong: RegExp;
    howMuch: RegExp;
    /** The same without a question word, or in a question for no other kind: "max weight", "at what temperature". A size is several lengths. */
    quantity?: RegExp;
    howMany: RegExp;
    when: RegExp;
    who: RegExp;
    where: RegExp;
    howTo: RegExp;
    yesNo: RegExp;
    /** An article and the noun after it, captured. */
    nounAfter?: RegExp;
    /** Whether a thing exists or is offered: "is there", "do you sell". */
    exists?: RegExp;
    /** What a thing is: "what is a". */
    defines?: RegExp;
    /** Introduces a question: "do you know", "can you tell me". */
    knows?: RegExp;
    /** For an age, or an age limit. */
    age?: RegExp;
    /** For what something costs or someone earns: answered only by an amount of money. */
    money?: RegExp;
    /** Whether something is allowed or required: "can I", "is it allowed". */
    permission?: RegExp;
    /** Parts of sentences that answer them. */
    /** A fax, whose number is no phone number. */
    fax?: RegExp;
    /** The end of a thing in a question, and what a text says of one: "ends", "until". */
    end?: { asked: RegExp; told: RegExp };
    /** "Before" and somebody's name, and what a text says of who came before: "succeeds". */
    predecessor?: { asked: RegExp; told: RegExp };
    /** Per hour, day, week, month, quarter and year, in this order: "monthly". */
    periods?: RegExp[];
    answers: {
      /** Roles of people: "director". Case-sensitive, in lower case. */
      people: RegExp;
      /** Times of day in words: "noon". */
      clocks?: RegExp;
      /** Counted days: "last working day of". */
      days?: RegExp;
      /** "before", "every". */
      moments: RegExp;
      /** Before a capitalized name: "in", "at", and articles after them. Case-sensitive. */
      prepositions: RegExp;
      articles: RegExp;
      places: RegExp;
      /** "Street", in an address behind its number. Case-sensitive. */
      streets?: RegExp;
      /** Amounts without a figure: "free". */
      amounts: RegExp;
      /** "every", "twice a". */
      frequencies?: RegExp;
      /** "day", "week". */
      spans: RegExp;
      /** Words that allow, forbid or require. */
      rules?: RegExp;
      /** Between a thing and what it is: "is a", "refers to". */
      definitions?: RegExp;
      /** Before a number that is a bound: "up to", and "more than". */
      atMost?: RegExp;
      moreThan?: RegExp;
      /** Behind a thing that is not told: "is secret". */
      withheld?: RegExp;
      /** How far away something is, with a number of metres: no size of it. */
      distances?: RegExp;
      /** Behind a number that is a lower bound: "and more". */
      orMore?: RegExp;
      /** An age limit: the words before or after the number, "under 12". */
      ages?: RegExp;
      /** Before somebody's age, if it may have no unit: "I'm" of "I'm 67". */
      personBeforeAge?: RegExp;
      /** The start of a sentence that sends its reader to another text: "See", "Refer to". */
      referrals?: RegExp;
    };
  };
  /** Questions over the rows of a table. */
  tables?: TableReading;
  /** Questions that can be generated from a sentence or a table row. */
  suggestions?: Suggestions;
  /** Frequent words in two tiers, folded; a word in neither is the most specific. */
  frequent?: { commonest: string; common: string };
  /** Synonyms, one group per line, folded. */
  lexicon?: {
    /** "holiday vacation / vacaciones": English words, then their translations. */
    meanings: string;
    /** "human resources = hr": a phrase, and a word of any language that replaces it. */
    phrases?: string;
    /** "germany alemania": places by their English name; an underscore joins two words. */
    names?: string;
  };
  /** Parts of documents that are not content. */
  documents?: {
    /** The heading of a table of contents. */
    contents: RegExp;
    /** The words of a link back to the top of a page. */
    toTop?: RegExp;
    /** The start of a table's caption. */
    table: RegExp;
    /** In a document's title, folded: it is not valid, or no longer, it is valid now, and the word before the number of an edition. */
    outdated?: RegExp;
    current?: RegExp;
    version?: RegExp;
    /** The names of two lines of a message's head, its writer and what it is about, and the marks before that of an answer. */
    head?: { writer: RegExp; subject: RegExp; again: RegExp };
    /** How a document names itself, its kind in a group, and what was done with it: "this policy", "was approved". */
    itself?: RegExp;
    issued?: RegExp;
    /** The text of a page that does not exist. */
    notFound: RegExp;
    needsScript: RegExp;
    /** A question's number: "Question 1:". */
    question: RegExp;
    /** The name that a program gives a picture: "Picture 3". */
    picture?: RegExp;
    /** What shows that a program described a picture by itself. */
    pictureGuess?: RegExp;
  };
  /** Commands in Slack. */
  commands?: { ask: RegExp; stop: RegExp };
}

export interface Suggestions {
  /** Sentences that state a value. Case-sensitive. */
  sentences: {
    /** First words that refer elsewhere, and words that a plain noun phrase does not contain. */
    noSubject: RegExp;
    /** Matches a conditional or negated sentence. */
    hedged: RegExp;
    /** Determiners, which are capitalized only at the start of a sentence. */
    determiner: RegExp;
    /** Parts of forms, by their name in braces. */
    parts: Record<string, string>;
    /**
     * Forms, matched from the start of a sentence: {SUBJECT} is a noun phrase of two to eight words, other names in braces are `parts`,
     * and the group `fact` is what the answer must contain. `ask` returns null when no question can be made.
     */
    rules: { form: string; ask(found: Record<string, string>, subject: string): string | null }[];
  };
  rows: {
    /** Names of the column that names a row. */
    names: RegExp;
    /** Columns that people ask for, by their noun, folded. */
    columns: string;
    /** Whether the noun precedes its modifiers. */
    isNounFirst: boolean;
    /** Units in a column's name. Case-sensitive. */
    units: RegExp;
    /** @param noun the word of `columns` */
    ask(label: string, name: string, noun: string): string;
  };
}
