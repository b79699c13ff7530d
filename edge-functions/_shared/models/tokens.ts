// Owns the token count, without a tokenizer's tables. The count errs high, so that a passage cut to a limit fits the model's own limit;
// on English and French prose it is 5 to 20 % above cl100k_base.

const cost = { letters: 5, digits: 3, otherScript: 2, whiteSpace: 32 } as const;

/**
 * Approximate number of tokens: Latin letters count 5 to a token, digits 3, other alphabets 2; ideographs, syllables and punctuation 1
 * each; characters beyond the first plane 2. White space is always a boundary and free up to 31 characters in a row, so the count of a
 * text is the sum of the counts of its words. A longer run counts one token for each 32: else megabytes of it would fit any limit.
 */
export function countTokens(text: string, start = 0, end = text.length): number {
  let tokens = 0;
  let kind = 0;
  let run = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    const now = kindOf(code);
    if (now !== kind) {
      tokens += runTokens(kind, run);
      kind = now;
      run = 0;
    }
    run++;
  }
  return tokens + runTokens(kind, run);
}

/** White space as in the regular expression \\s. */
export function isSpace(code: number): boolean {
  if (code < 0xa0) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code < 0x1680) return code === 0xa0;
  if (code >= 0x2000 && code <= 0x200a) return true;
  return [0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff].includes(code);
}

const space = 0;
const latin = 1;
const digit = 2;
const script = 3;
const single = 4;

function kindOf(code: number): number {
  if (isSpace(code)) return space;
  if ((code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)) return latin;
  if (code >= 0x30 && code <= 0x39) return digit;
  if (code < 0xc0) return single;
  if (code < 0x250) return latin;
  if (code < 0x1100 || (code >= 0x1e00 && code < 0x2000)) return script;
  // From here: Hangul, kana, ideographs, symbols; and each half of a surrogate pair, hence 2 a pair.
  return single;
}

function runTokens(kind: number, run: number): number {
  if (kind === latin) return Math.ceil(run / cost.letters);
  if (kind === digit) return Math.ceil(run / cost.digits);
  if (kind === script) return Math.ceil(run / cost.otherScript);
  return kind === space ? Math.floor(run / cost.whiteSpace) : run;
}
