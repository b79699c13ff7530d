// The keys that move through the options of a listbox. Pure.

const PAGE = 8;

/** The option after a key; null for a key that does not move. @param active index of the current option */
export function optionAfterKey(key: string, active: number, count: number): number | null {
  const last = count - 1;
  switch (key) {
    case "ArrowDown":
      return active >= last ? 0 : active + 1;
    case "ArrowUp":
      return active <= 0 ? last : active - 1;
    case "PageDown":
      return Math.min(last, active + PAGE);
    case "PageUp":
      return Math.max(0, active - PAGE);
    default:
      return null;
  }
}
