// Reads posted forms.

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

/** A field's number; undefined when it is empty or not a number, so the stored value stays. */
export function formNumber(form: FormData, name: string): number | undefined {
  const text = formText(form, name).replace(",", ".");
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

/** The row's version when the form was opened; undefined when the form does not send one. */
export function formVersion(form: FormData): string | undefined {
  return formText(form, "version") || undefined;
}
