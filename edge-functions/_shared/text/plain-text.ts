// Owns what a name or a title may hold: one line, readable as it stands. Does not say how long it may be.
// private.is_plain_text in sql/00_foundation.sql is the same rule, and decides.

/** Control characters and line separators, and halves of characters, which no text in Postgres has. */
const control = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff`;
/** Characters that turn the direction of others or show nothing: overrides, embeddings, isolates, zero-width spaces, tags. */
const hidden = String.raw`\u00ad\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}`;
/** Spaces, fillers, and marks that scripts and emoji need between other characters but that show nothing alone. */
const blank = String.raw`\u0020\u00a0\u034f\u061c\u115f\u1160\u1680\u2000-\u200f\u202f\u205f\u2800\u3000\u3164\ufe00-\ufe0f\uffa0`;

const controlOrHidden = new RegExp(`[${control}${hidden}]`, "u");
const controls = new RegExp(`[${control}]+`, "gu");
const hiddenOnes = new RegExp(`[${hidden}]+`, "gu");
const visible = new RegExp(`[^${blank}${control}${hidden}]`, "u");

/** Whether a text is fit to be a name or a title. */
export function isPlainText(text: string): boolean {
  return !controlOrHidden.test(text) && visible.test(text);
}

/** A text as a name or a title: spaces for control characters, nothing for hidden ones; empty where nothing can be seen. */
export function plainText(text: string): string {
  const plain = text.replace(hiddenOnes, "").replace(controls, " ").trim();
  return visible.test(plain) ? plain : "";
}
