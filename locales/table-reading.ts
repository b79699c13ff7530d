// Owns the type of what a document language declares for questions over the rows of a table. reading.ts has the rest.

export interface TableReading {
  superlatives: Record<
    | "cheapest"
    | "dearest"
    | "heaviest"
    | "lightest"
    | "quietest"
    | "loudest"
    | "hottest"
    | "coldest"
    | "fastest"
    | "slowest"
    | "oldest"
    | "longestServing"
    | "newest"
    | "largest"
    | "smallest"
    | "most"
    | "fewest",
    RegExp
  >;
  /** Names of columns. */
  columns: {
    price: string;
    weight: string;
    noise: string;
    temperature: string;
    time: string;
    date: string;
    /** When somebody came. */
    start: string;
    stock: string;
    money: string;
    /** What a price is for, in a column that does not say that it is one. */
    periods: string;
    takings: string;
    size: string;
    length: string;
    strength: string;
  };
  /** Orders of dates, and what the columns of dates are about. */
  dates?: {
    /** "Ends first", "the last delivery", "our next course". */
    first: RegExp;
    last: RegExp;
    next: RegExp;
    /** Words before one of these, and behind one that stands alone. */
    before: RegExp;
    behind: RegExp;
    /** Words beside one of these with which it means something else: "last year", "first aid". */
    apart: RegExp;
    /** "Expires", "is due": words of an end, in a question and in the name of a column. */
    ends: RegExp;
    /** In the name of a column: each row has its next date there, and one that is past is overdue. */
    due: RegExp;
    /** "Since", "joined": words of a beginning, in the name of a column. */
    begins: RegExp;
    /** The column that tells who is the oldest, and the superlatives that mean age when people are asked about. */
    born: RegExp;
    aged: RegExp;
  };
  /** Superlatives that prefer the columns of that name: "biggest", "longest", "strongest". */
  dimensions: Record<"size" | "length" | "strength", RegExp>;
  /** "Spend", "earn": words that a column of money accounts for. */
  spending: string;
  /** Those of them for money that comes in, which prefer a column of takings. */
  earning: string;
  /** Columns to sum when the question names none. */
  total: RegExp;
  /** The beginning of the first cell of a row that sums up others, or is their average. */
  totalRow?: RegExp;
  averageRow?: RegExp;
  /** Words for rows, tables and having, which match every table. */
  general: string;
  /** Those of them that are done at a time. */
  selling?: string;
  /** Words for people and their work, and those by whose columns or title a table is one of people. */
  people: { counted: string; named: string };
  /** Columns whose cells say what a row is: the rows with "dog" below "Species" are dogs. */
  kinds?: string;
  /** A cell that affirms, or denies, its column's name. Whole cells. */
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
  thisYear: RegExp;
  /** "The" in "the three cheapest". */
  the: RegExp;
  each: RegExp;
  /** Negations that a column of yes and no can answer: "do not", "without". Whole. */
  denies: RegExp;
  /** Exclusions, which are not computed. Whole, like the following patterns unless their comment says otherwise. */
  without: RegExp;
  outOfStock: RegExp;
  /** "Which of them are free?" */
  freeOfCharge?: RegExp;
  /** "The cheapest paid one": of things that are not free. */
  paid: RegExp;
  inStock: RegExp;
  average: RegExp;
  sum: RegExp;
  count: RegExp;
  /** "List", "which". */
  lists: RegExp;
  /** Figures that must be computed. */
  isComputed: RegExp;
  /** "How much": not whole, like all that follow. */
  howMuch: RegExp;
  howMuchOrMany: RegExp;
  howHeavy: RegExp;
  weighs: RegExp;
  asksWeight: RegExp;
  priceWords: RegExp;
  /** The start of a question for a price, and of one for any cell. */
  asksPrice: RegExp;
  asksCell: RegExp;
  /** "How many days": answered by a cell, not by the number of rows. */
  measure: { howMany: RegExp; units: RegExp };
}
