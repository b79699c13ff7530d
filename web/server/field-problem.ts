// The words at a field that the API refused, in the reader's language. The API says them in English, in its validator's
// own form; what is not known here is said in general, and in English as the API said it.
import type { TFunction } from "i18next";

/** What the API's validator (zod) and its schemas say, and the key under errors:fields; groups become {{limit}}. */
const KNOWN: [RegExp, string][] = [
  [/^Invalid input: expected \w+, received (undefined|null)$/, "required"],
  [/^Too small: expected string to have >=1 characters$/, "required"],
  [/^Too small: expected string to have >=(\d+) characters$/, "tooShort"],
  [/^Too big: expected string to have <=(\d+) characters$/, "tooLong"],
  [/^Too small: expected (?:number|int) to be >=?([\d.-]+)$/, "tooSmall"],
  [/^Too big: expected (?:number|int) to be <=?([\d.-]+)$/, "tooBig"],
  [/^Too big: expected array to have <=(\d+) items$/, "tooMany"],
  [/^Invalid email address$|^This e-mail cannot be used\.$/, "email"],
  [/^Invalid URL$/, "url"],
  [/^Invalid option: /, "option"],
  [/^Leave out (control characters|the NUL character)\.$/, "characters"],
  [/^Use at most 72 bytes\.$/, "passwordTooLong"],
  [/^Choose another password\.$/, "password"],
  [/^This is your present password\.$/, "samePassword"],
  [/^This is not your present password\.$/, "presentPassword"],
  [/^This code is wrong or no longer valid\.$/, "code"],
  [/^This field is not known\.$/, "unknown"],
];

export function fieldProblem(message: string, t: TFunction, language: string): string {
  for (const [pattern, key] of KNOWN) {
    const found = pattern.exec(message);
    if (found) return t(`errors:fields.${key}`, { limit: found[1] });
  }
  return language === "en" ? message : t("errors:fields.invalid");
}
