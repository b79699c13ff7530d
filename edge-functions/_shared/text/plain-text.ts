// Owns the characters allowed in a name or title: one line of visible text. Does not limit its length.
// private.is_plain_text in sql/00_foundation.sql enforces the same rule.

/** Control characters, line separators and lone surrogates, which a Postgres text cannot contain. */
const control = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff`;
/** Characters that change text direction or are invisible: overrides, embeddings, isolates, zero-width spaces, tags. */
const hidden = String.raw`\u00ad\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}`;
/** Spaces, fillers, and marks that scripts and emoji need between other characters but that are invisible on their own. */
const blank = String.raw`\u0020\u00a0\u034f\u061c\u115f\u1160\u1680\u2000-\u200f\u202f\u205f\u2800\u3000\u3164\ufe00-\ufe0f\uffa0`;

const controlOrHidden = new RegExp(`[${control}${hidden}]`, "u");
const controls = new RegExp(`[${control}]+`, "gu");
const hiddenOnes = new RegExp(`[${hidden}]+`, "gu");
const visible = new RegExp(`[^${blank}${control}${hidden}]`, "u");

/** True when a text can be a name or title. */
export function isPlainText(text: string): boolean {
  return !controlOrHidden.test(text) && visible.test(text);
}

/** Cleans a text for use as a name or title: control characters become spaces, hidden ones are removed. Empty if nothing is visible. */
export function plainText(text: string): string {
  const plain = text.replace(hiddenOnes, "").replace(controls, " ").trim();
  return visible.test(plain) ? plain : "";
}
