// The value that a list's filter sends for "all". The server removes it from the address before a page reads it.
export const NO_FILTER = "*";
