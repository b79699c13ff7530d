// What a filter of a list sends for "all": a value like any other, which no address that a page sees holds.
export const NO_FILTER = "*";
