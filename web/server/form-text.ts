// Reads posted forms.

/** A field's text without white space around it; "" when it is missing or a file. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** A password as it was typed. */
export function formSecret(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** Every value of a field that may be given several times, such as ticked boxes. */
export function formTexts(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === "string");
}

/** A field's lines, without white space around them and without empty ones. */
export function formLines(form: FormData, name: string): string[] {
  return formText(form, name)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** A field's number; undefined where it is empty or none, so that what was there stays. */
export function formNumber(form: FormData, name: string): number | undefined {
  const text = formText(form, name).replace(",", ".");
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

/** The version of what the form changes, as it was when the form was opened; undefined where it tells none. */
export function formVersion(form: FormData): string | undefined {
  return formText(form, "version") || undefined;
}
