// The page on the screen. Read when the page opens, since a history button may come before the code that handles it.

export const shown: {
  href: string;
  /** True after a history button has changed the tab's address, until its page is shown. */
  isBehind?: boolean;
} = { href: location.href };
