// The document's title: the page's own title, then the product's name.
import type { TFunction } from "i18next";

/** `data` is what +data returned; `problem` is set on the error page. */
export type TitleOf = (context: {
  t: TFunction;
  data: unknown;
  problem: { status: number; failure?: { code: string } } | null;
}) => string;

const PRODUCT = "Parley";

/** "Agents · Parley"; only the product's name for a page without a title. */
export function documentTitle(own: string | undefined): string {
  return own ? `${own} · ${PRODUCT}` : PRODUCT;
}
