// The words for a failure of the API: the catalogue in locales/*/errors.json, by code.
import type { TFunction } from "i18next";
import type { ApiFailure } from "./api-failure.ts";
import { i18nFor } from "./i18n.ts";

/**
 * Title and description of a failure. An UNEXPECTED_ERROR shows the server's own message; a code that the catalogue
 * lacks gets UNEXPECTED_ERROR's words.
 */
export function describeFailure(
  failure: ApiFailure,
  t: TFunction,
  supportEmail: string,
): { title: string; description: string } {
  const catalogued = t(`errors:${failure.code}.title`, { defaultValue: "" }) !== "";
  const code = catalogued ? failure.code : "UNEXPECTED_ERROR";
  // The API's words are English; its usual sentence has a translation.
  const usual = i18nFor("en").t("errors:UNEXPECTED_ERROR.fallback");
  const said = failure.message === usual ? "" : failure.message;
  return {
    title: t(`errors:${code}.title`),
    description: t(`errors:${code}.description`, {
      supportEmail,
      message: said || t("errors:UNEXPECTED_ERROR.fallback"),
    }),
  };
}
