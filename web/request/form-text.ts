// Reads posted forms.
import { RefusedField } from "./refused-field.ts";

/** A field's text, trimmed; "" when it is missing or a file. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** A password exactly as typed, untrimmed. */
export function formSecret(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** Every value of a repeated field, such as checkboxes. */
export function formTexts(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === "string");
}

/** A field's lines, trimmed, without empty ones. */
export function formLines(form: FormData, name: string): string[] {
  return formText(form, name)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** The addresses of the field `emails`, which people separate as in a mail. */
export function formAddresses(form: FormData): string[] {
  return formText(form, "emails")
    .split(/[\s,;]+/)
    .filter(Boolean);
}

/** One decimal mark, written as a point or a comma. */
const NUMBER = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i;
/** 1,000 is a thousand or one. */
const AMBIGUOUS = /^[+-]?\d{1,3}(?:,\d{3})+$/;

/** A number from a field that may be empty; null when it is. @throws RefusedField */
export function formOptionalNumber(form: FormData, name: string): number | null {
  const text = formText(form, name);
  if (text === "") return null;
  const value = Number(text.replace(",", "."));
  if (!NUMBER.test(text) || AMBIGUOUS.test(text) || !Number.isFinite(value))
    throw new RefusedField(name, "number");
  return value;
}

/** A field's number; undefined when the form has no such field, so the stored value stays. @throws RefusedField */
export function formNumber(form: FormData, name: string): number | undefined {
  if (!form.has(name)) return undefined;
  const value = formOptionalNumber(form, name);
  if (value === null) throw new RefusedField(name, "required");
  return value;
}

/** The row's version when the form was opened; undefined when the form does not send one. */
export function formVersion(form: FormData): string | undefined {
  return formText(form, "version") || undefined;
}
