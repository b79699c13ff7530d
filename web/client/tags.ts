// The rules of a list of short texts: which are added, and which are refused and why. Pure.

export interface TagRules {
  /** The maximum count; 0 for no limit. */
  max?: number;
  /** Whether the same text may occur twice. */
  duplicates?: boolean;
}

export type Refusal = "duplicate" | "maximum";

export interface Added {
  tags: string[];
  /** Why the first refused text was refused; null when all were added. */
  refusal: Refusal | null;
  /** The refused text, to be corrected: nothing typed is lost. */
  rest: string[];
}

/** Adds texts in order, trimmed; skips empty ones. */
export function addTags(
  tags: string[],
  texts: string[],
  { max = 0, duplicates = false }: TagRules = {},
): Added {
  const next = [...tags];
  const rest: string[] = [];
  let refusal: Refusal | null = null;
  for (const text of texts.map((one) => one.trim()).filter(Boolean)) {
    const why = refusalOf(next, text, max, duplicates);
    if (why) {
      refusal ??= why;
      rest.push(text);
    } else next.push(text);
  }
  return { tags: next, refusal, rest };
}

function refusalOf(tags: string[], text: string, max: number, duplicates: boolean): Refusal | null {
  if (!duplicates && tags.includes(text)) return "duplicate";
  return max > 0 && tags.length >= max ? "maximum" : null;
}

/** Splits typed or pasted text: one text per line, and also at the delimiter, if there is one. */
export function splitTags(text: string, delimiter: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => (delimiter ? line.split(delimiter) : [line]));
}
