// The text of an API failure on a server-rendered page.
import type { TFunction } from "i18next";
import { failureWords } from "../client/failure-words.ts";
import type { ApiFailure } from "./api-failure.ts";
import type { RequestScope } from "./request-scope.ts";

/**
 * Title and description of a failure, in the reader's language.
 * @param isMarked false where no field is marked, as in a toast
 */
export function describeFailure(
  failure: ApiFailure,
  t: TFunction,
  { supportEmail, locale }: Pick<RequestScope, "supportEmail" | "locale">,
  isMarked = true,
): { title: string; description: string } {
  return failureWords(failure, t, { supportEmail, language: locale, isMarked });
}
