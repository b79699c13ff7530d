// A short text of a document on one line or a few: words that are struck out are shown so, other markup is left out. Pure: for pages and
// islands.
import { struckWords, withoutMarkup } from "#edge-functions/_shared/text/inline-markup.ts";

export function InlineText({ text }: { text: string }) {
  // Of a pattern with one group, every second part is what the group found.
  const parts = withoutMarkup(text).split(struckWords);
  // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
  return parts.map((part, at) => (at % 2 === 1 ? <s key={at}>{part}</s> : part));
}
