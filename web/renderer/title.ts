// The document's title: what a page says, then the product's name.
import type { TFunction } from "i18next";

/** `data` is what the page's +data returned; `problem` is set on the error page. */
export type TitleOf = (context: {
  t: TFunction;
  data: unknown;
  problem: { status: number; failure?: { code: string } } | null;
}) => string;

const PRODUCT = "Parley";

/** "Agents · Parley"; the product's name alone when the page has no title of its own. */
export function documentTitle(own: string | undefined): string {
  return own ? `${own} · ${PRODUCT}` : PRODUCT;
}
