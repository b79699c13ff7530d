// The page that is on the screen. Read as the page opens, since the first history button may come before any code that answers it.

export const shown: {
  href: string;
  /** A history button has changed the tab's address, and its page is still on its way. */
  isBehind?: boolean;
} = { href: location.href };
