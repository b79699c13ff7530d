// Reads the day until which a written answer holds. Pure.
import { formText } from "./form-text.ts";

/** The end of the day that was entered; nothing where it is the day that the form showed, so that the time of day stays. */
export function expiryIn(form: FormData): { expiresAt?: string | null } {
  const day = formText(form, "expiresOn");
  if (day === formText(form, "expiresBefore")) return {};
  return { expiresAt: day === "" ? null : `${day}T23:59:59.000Z` };
}
