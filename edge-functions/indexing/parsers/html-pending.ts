// Owns the text of a block that is still open, with the marks inside it: links, raised, lowered and struck words. Each mark keeps the text
// before it, because cutting a long text again for every mark would copy it as often.
import { type Attributes, isMark } from "./html-main.ts";
import { markTags, writeMarked } from "./raised-text.ts";

interface Mark {
  tag: string;
  before: string;
  /** The last piece of text before it. */
  tail: string;
  href: string;
  isNote: boolean;
}

/** True for elements that change what their words mean. Others inside a block only change how they look. */
export const isMarkTag = (tag: string) => tag === "a" || markTags.has(tag);

export class PendingText {
  #text = "";
  #marks: Mark[] = [];
  #tail = "";

  add(text: string): void {
    this.#text += text;
    this.#tail = text;
  }

  open(tag: string, { href = "", role, "epub:type": type }: Attributes): void {
    const isNote = role === "doc-noteref" || type === "noteref";
    this.#marks.push({ tag, before: this.#text, tail: this.#tail, href, isNote });
    this.#text = "";
  }

  /** Ignores a mark in which a block began: its text is taken already. */
  close(tag: string, isInHeading: boolean): void {
    const mark = this.#marks.at(-1);
    if (mark?.tag !== tag) return;
    this.#marks.pop();
    this.#text = mark.before + writeMark(mark, this.#text, isInHeading);
  }

  /** The text, also of marks that are open. It is pending no longer. */
  take(): string {
    const text = this.#marks.map(({ before }) => before).join("") + this.#text;
    this.#text = "";
    this.#marks = [];
    this.#tail = "";
    return text;
  }
}

function writeMark({ tag, tail, href, isNote }: Mark, inner: string, isInHeading: boolean): string {
  if (tag !== "a") return writeMarked(tag, tail, inner);
  if (isNote && /^\d{1,4}$/.test(inner)) return `[${inner}]`;
  return isMark(inner, href, isInHeading) ? "" : inner;
}
