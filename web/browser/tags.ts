// The laws of a list of short texts that somebody types: what is added, and what is refused and why. Pure.

export interface TagLaws {
  /** The most there can be; 0 for any number. */
  max?: number;
  /** Whether the same text may stand twice. */
  duplicates?: boolean;
}

export type Refusal = "duplicate" | "maximum";

export interface Added {
  tags: string[];
  /** Why the first text that was refused was; null when all were taken. */
  refusal: Refusal | null;
  /** What was refused, to be corrected: nothing typed is lost. */
  rest: string[];
}

/** Adds texts in their order; white space around them and empty ones do not count. */
export function addTags(
  tags: string[],
  texts: string[],
  { max = 0, duplicates = false }: TagLaws = {},
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

/** The texts in what was typed or pasted: one per line, and, where there is a delimiter, between two of them. */
export function splitTags(text: string, delimiter: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => (delimiter ? line.split(delimiter) : [line]));
}
