// Parses the expiry date of a written answer, a day. Pure.
import { formText } from "#web/request/form-text.ts";

/** The end of the entered day. Empty when the day is unchanged, so the stored time of day stays. */
export function expiryIn(form: FormData): { expiresAt?: string | null } {
  const day = formText(form, "expiresAt");
  if (day === formText(form, "expiresBefore")) return {};
  return { expiresAt: day === "" ? null : `${day}T23:59:59.000Z` };
}
