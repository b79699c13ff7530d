// How documents and questions in a language are read without a language model: its little words, its dates and numbers, how it asks
// and denies. LANGUAGE/reading/ declares it. A part that a language leaves out is not read in it; what is said comes from its words.
//
// Lists are words with spaces between them, in small letters; where it says folded, without accents as well. A pattern has no flags of
// its own that count: all are joined with those of the other languages and read as /iu, unless it says otherwise. "Whole" patterns
// bring their own word boundaries, the others stand inside of larger ones. Use no named and no numbered groups.

export interface Reading {
  /** What every language needs: by these words a text is known to be in it. */
  words: {
    /** Words that carry no meaning, folded. */
    little: string;
    /** Letters that are a sign of it among the languages that are declared. */
    letters?: RegExp;
    /** Endings of plurals: what is matched, and what stands in its place. Of all languages the first that matches a word, folded. */
    plurals: [ending: RegExp, instead: string][];
    /** Further endings that words of one meaning differ by, folded. */
    endings: string;
    /** Endings that forms of one verb have, folded: of two words that are the same without them one may stand for the other. */
    verbEndings?: string;
    /** Little words of other languages that are things in it, folded. */
    things?: string;
    /** Words behind which a full stop ends no sentence. */
    abbreviations?: string;
    /** The same where a number follows: "no. 5". */
    abbreviationsOfNumbers?: string;
  };
  /** Folded. */
  courtesies?: { greetings: string; others: string };
  followUps?: {
    /** Words that stand for others which were said before, folded. */
    pointing: string;
    /** Words that a question begins with where it goes on from something, folded. */
    goingOn: string;
    /** "What about …": how such a question begins. */
    asksOnward: RegExp;
    /** A sentence begins with one of these where it is not clear without the one before. */
    pointsBack: RegExp;
  };
  denials?: {
    /** Words that make a sentence say the opposite. Whole. */
    words: RegExp;
    /** Where such words deny nothing: "no later than". Whole. */
    idioms: RegExp;
    /** Whether a question or a sentence denies. Whole. */
    sentence: RegExp;
    /** What a reply says of what it lacks: "I found no …". Whole. */
    gap: RegExp;
    /** Words with a capital that name nothing, folded. */
    noNames: string;
  };
  dates?: {
    /** January to December: the name, then its short forms. */
    months: string[];
    /** Days of the week. */
    days: string;
    /** "1st" of "1st May". */
    ordinals: RegExp;
    /** "1st" of "May 1st". */
    ordinalsBehindMonth?: RegExp;
    /** "of" in "1 May" and "1 of May". */
    ofMonth?: RegExp;
    /** What may stand before the year, and before the month where it does: "de" in "1 de mayo de 2026". */
    ofYear?: RegExp;
  };
  numbers?: {
    /** How a number up to 1,000 is written out, folded; "and", "a" and hyphens as they are. None where it has no name. */
    names(number: number): string[];
    /** Words that count, in running text. */
    words: RegExp;
    percent: RegExp;
    thousand: RegExp;
    million: RegExp;
    billion: RegExp;
    /** The words of a currency wherever they stand. */
    currencies: { EUR: string[]; USD: string[]; GBP?: string[] };
    /** The same where a cell holds nothing else: "livre" is a book, too. */
    cellCurrencies: { GBP?: string[]; CHF?: string[] };
    /** "approx." */
    about: RegExp;
    /** Units that a column's name may end with. */
    columnUnits: RegExp;
  };
  /** What a question asks for. All are whole patterns but those of `answers` and `measure`. */
  asks?: {
    /** Words that a question begins with or asks by, folded. */
    questionWords: string;
    /** Articles, prepositions, pronouns: two of them together say nothing, folded. */
    glue: string;
    /** Verbs that ask rather than say what about. */
    verbs: string;
    /** Words of talk around what is asked: "whole", "somebody", "anyway". Where no text has one, it asks for next to nothing. */
    talk?: string;
    /** What stands between two questions in one: the "and" of "what is it and when does it begin". */
    joins?: RegExp;
    /** "How many": an answer need not repeat it. */
    measured: RegExp;
    date: RegExp;
    /** "What time": a day or a month does not answer it. */
    clock?: RegExp;
    length: RegExp;
    /** "What is the", in front of what is asked of something, and the "of" behind it. */
    attributeOf?: RegExp;
    of?: RegExp;
    /** For the number of a telephone, and for an e-mail address. */
    phone?: RegExp;
    email?: RegExp;
    howOften?: RegExp;
    howLong: RegExp;
    howMuch: RegExp;
    howMany: RegExp;
    when: RegExp;
    who: RegExp;
    where: RegExp;
    howTo: RegExp;
    yesNo: RegExp;
    /** Whether a thing exists or is offered: "is there", "do you sell". */
    exists?: RegExp;
    /** In front of a question: "do you know", "can you tell me". */
    knows?: RegExp;
    /** How old somebody is, or must be. */
    age?: RegExp;
    /** What somebody earns: answered by an amount of money alone. */
    earns?: RegExp;
    /** Whether something is allowed, or must be done: "can I", "is it allowed". */
    permission?: RegExp;
    /** What a sentence holds that answers it. */
    answers: {
      /** Of people: "director". As it is written, with small letters. */
      people: RegExp;
      /** Times of day that are words: "noon". */
      clocks?: RegExp;
      /** Days that are counted: "last working day of". */
      days?: RegExp;
      /** "before", "every". */
      moments: RegExp;
      /** Before a name with a capital: "in", "at", and articles behind them. As they are written. */
      prepositions: RegExp;
      articles: RegExp;
      places: RegExp;
      /** Amounts without a figure: "free". */
      amounts: RegExp;
      /** "every", "twice a". */
      frequencies?: RegExp;
      /** "day", "week". */
      spans: RegExp;
      /** What allows, forbids or demands. */
      rules?: RegExp;
      /** In front of a number that is a bound: "up to", and "more than". */
      atMost?: RegExp;
      moreThan?: RegExp;
      /** A bound of age: "under 12". What stands before the number, or behind it. */
      ages?: RegExp;
    };
  };
  /** Questions over the rows of a table. */
  tables?: TableReading;
  /** Questions that a sentence or a row of a table answers. */
  suggestions?: Suggestions;
  /** How common its words are, in two tiers, folded: what is in neither tells most. */
  frequent?: { commonest: string; common: string };
  /** Words that mean the same, lists of lines, folded. */
  lexicon?: {
    /** "holiday vacation / vacaciones": words of English, and those of the language that mean it. */
    meanings: string;
    /** "human resources = hr": a word of any language that stands for the phrase. */
    phrases?: string;
    /** "germany alemania": places by their English name, two words joined by an underscore. */
    names?: string;
  };
  /** What is found around the text of documents. */
  documents?: {
    /** The heading of a table of contents. */
    contents: RegExp;
    /** What a table's caption begins with. */
    table: RegExp;
    /** What a page that does not exist says. */
    notFound: RegExp;
    needsScript: RegExp;
    /** What numbers questions: "Question 1:". */
    question: RegExp;
  };
  /** What people type to the assistant in Slack. */
  commands?: { ask: RegExp; stop: RegExp };
}

export interface TableReading {
  superlatives: Record<
    | "cheapest"
    | "dearest"
    | "heaviest"
    | "lightest"
    | "fastest"
    | "slowest"
    | "oldest"
    | "newest"
    | "largest"
    | "smallest"
    | "most"
    | "fewest",
    RegExp
  >;
  /** What columns are called. */
  columns: {
    price: string;
    weight: string;
    time: string;
    date: string;
    stock: string;
    money: string;
    size?: string;
  };
  /** "Biggest": how large a thing is itself, where a column tells it. */
  big?: RegExp;
  /** Columns whose sum is meant where none is named. */
  total: RegExp;
  /** Words for rows, tables and having, which say nothing of one table. */
  general: string;
  /** What a cell says of a row that has, or has not, what its column is named for. Whole cells. */
  yes?: RegExp;
  no?: RegExp;
  month: RegExp;
  year: RegExp;
  between: RegExp;
  and: RegExp;
  /** Between the two numbers of a range: "5 to 10 kg". */
  to?: RegExp;
  below: RegExp;
  atMost: RegExp;
  above: RegExp;
  atLeast: RegExp;
  /** Before a month, and before a year. */
  inMonth: RegExp;
  inYear: RegExp;
  /** "The" in "the three cheapest". */
  the: RegExp;
  each: RegExp;
  /** What is left out is not computed. Whole, as all that follow but those that say otherwise. */
  without: RegExp;
  outOfStock: RegExp;
  inStock: RegExp;
  average: RegExp;
  sum: RegExp;
  count: RegExp;
  /** "List", "which". */
  lists: RegExp;
  /** Of figures that a question asks for and that are computed. */
  isComputed: RegExp;
  /** "How much": not whole, as all that follow. */
  howMuch: RegExp;
  howMuchOrMany: RegExp;
  howHeavy: RegExp;
  weighs: RegExp;
  asksWeight: RegExp;
  priceWords: RegExp;
  /** How a question for a price begins, and one for any cell. */
  asksPrice: RegExp;
  asksCell: RegExp;
  /** "How many days": a cell says it, not how many rows there are. */
  measure: { howMany: RegExp; units: RegExp };
}

export interface Suggestions {
  /** Sentences that state a value, in capitals and small letters as written. */
  sentences: {
    /** First words that point elsewhere, and words inside that make a subject more than a name of something. */
    noSubject: RegExp;
    /** Of a sentence that holds under a condition, or not at all. */
    hedged: RegExp;
    /** Determiners, which begin a subject in capitals only at the head of a sentence. */
    determiner: RegExp;
    /** The parts of forms, by their names in braces. */
    parts: Record<string, string>;
    /**
     * Forms, from a sentence's beginning: {SUBJECT} is a name of two to eight words, other names in braces are parts, and `fact` is the
     * group that the answer has to say. Null where it makes no question after all.
     */
    rules: { form: string; ask(found: Record<string, string>, subject: string): string | null }[];
  };
  rows: {
    /** What the column is called that names a row. */
    names: RegExp;
    /** Columns that people ask for, by the word that says what they are, folded, and whether it stands first or last. */
    columns: string;
    isNounFirst: boolean;
    /** Units in a column's name, as they are written. */
    units: RegExp;
    /** @param noun the word of `columns` */
    ask(label: string, name: string, noun: string): string;
  };
}
