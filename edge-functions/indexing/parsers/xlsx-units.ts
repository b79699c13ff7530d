// Owns the words in a workbook's number formats (ECMA-376, part 1, 18.8.31): currencies, other units, and digits with leading zeros. Pure.

/** What one section of a format shows. */
export interface Unit {
  before: string;
  after: string;
  /** Decimals that are always shown. */
  decimals: number;
  /** Digits with leading zeros, such as a postal code's: "000-00" */
  mask?: string;
}

/** A figure's place, with whatever stands between its digits. */
const figure = /General|[#0?](?:[#0?,. ]*[#0?])?/i;

/** The sections for positive and negative numbers. Undefined when the format shows no words, or does more than add them. */
export function unitsOf(code: string): Unit[] | undefined {
  const bare = code.slice(0, 255).replace(/[\ue000-\ue0ff]/g, "");
  if (/\[[<>=]/.test(bare)) return undefined;
  const units = bare
    .split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .slice(0, 2)
    .map(unitOf);
  const [first] = units;
  const isPlain = !first || (first.before + first.after === "" && !first.mask);
  return isPlain || units.includes(undefined) ? undefined : units.filter((unit) => unit !== undefined);
}

function unitOf(section: string): Unit | undefined {
  // Words wait under signs of no format while the figure is found.
  const words: string[] = [];
  const keep = (text: string) => String.fromCharCode(0xe000 + words.push(text) - 1);
  const plain = section
    .replace(/\[\$([^\]-]*)[^\]]*\]/g, (_, sign: string) => keep(sign))
    .replace(/\[[^\]]*\]/g, "")
    .replace(/"([^"]*)"/g, (_, text: string) => keep(text))
    .replace(/\\(.)/g, (_, sign: string) => keep(sign))
    .replace(/_./g, "")
    .replace(/\*./g, "");
  const restore = (text: string) =>
    text.replace(/[\ue000-\ue0ff]/g, (sign) => words[sign.charCodeAt(0) - 0xe000] ?? "");
  // Fractions, exponents and thousands are other numbers than the stored one.
  if (/[#0?]\s*\/|E[+-]|[#0?],+(?![#0?])/i.test(plain)) return undefined;
  const mask = restore(plain).trim();
  if (
    !words.some((text) => text.includes("0")) &&
    !/[#?.,]|General/i.test(plain) &&
    (plain.match(/0/g) ?? []).length > 1 &&
    /^[^0]*0[\s\S]*0[^\d\p{L}]*$/u.test(mask)
  ) {
    return { before: "", after: "", decimals: 0, mask };
  }
  const found = figure.exec(plain);
  if (!found) return undefined;
  const before = restore(plain.slice(0, found.index)).trimStart();
  const after = restore(plain.slice(found.index + found[0].length)).trimEnd();
  if (/[#0?]/.test(after)) return undefined;
  return { before, after, decimals: /\.(0+)/.exec(found[0])?.[1]?.length ?? 0 };
}

/** A number with its words; undefined when a format cannot show it. */
export function formatUnit(value: number, units: Unit[]): string | undefined {
  const [positive, negative = positive] = units;
  const unit = value < 0 ? negative : positive;
  if (!unit) return undefined;
  const size = Math.abs(value);
  if (unit.mask)
    return Number.isSafeInteger(value) && value >= 0 ? fillMask(unit.mask, String(value)) : undefined;
  const isMoney = /\p{Sc}|\b[A-Z]{3}\b/u.test(unit.before + unit.after);
  const shown = isMoney ? money(size, unit.decimals) : String(Number(size.toPrecision(15)));
  if (value >= 0) return `${unit.before}${shown}${unit.after}`.trim();
  // Brackets and signs of the format's negative section say what the sign in front says, and so does a word of its own.
  const own = (text: string) => text.replace(/[-−()]/g, "");
  const isNamed = own(unit.before + unit.after) !== own(`${positive?.before ?? ""}${positive?.after ?? ""}`);
  return `${isNamed ? "" : "-"}${own(unit.before)}${shown}${own(unit.after)}`.trim();
}

/** Never three decimals, which in money look like thousands. */
function money(size: number, decimals: number): string {
  const isWhole = Number.isInteger(Number(size.toFixed(2)));
  const most = Math.max(decimals, isWhole ? 0 : 2);
  return size.toFixed(most === 3 ? 4 : Math.min(most, 8));
}

/** Fills a mask's zeros with digits from the right; further digits stand before the first. */
function fillMask(mask: string, digits: string): string {
  let at = digits.length;
  const first = mask.indexOf("0");
  let filled = "";
  for (let i = mask.length - 1; i >= 0; i--) {
    if (mask[i] !== "0") filled = mask[i] + filled;
    else {
      const from = i === first ? 0 : Math.max(0, at - 1);
      filled = (digits.slice(from, at) || "0") + filled;
      at = from;
    }
  }
  return filled;
}
