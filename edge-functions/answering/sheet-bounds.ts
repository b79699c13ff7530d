// Owns the bounds of an amount that a question over a sheet names: "under 20 €", "between 50 and 150". Pure.
import { amountIn } from "../_shared/text/cell-values.ts";
import { inside, ofTables } from "./sheet-patterns.ts";

export type Bounds = { low?: number; high?: number; isLowIn: boolean; isHighIn: boolean; unit: string };

const amountText = String.raw`(?:[€$£]\s?)?\d[\d.,'’\u00a0\u202f ]*\d?\s*(?:€|\$|£|%|\p{L}{1,12})?`;
const bounded = (
  [
    ["atMost", "high", true],
    ["below", "high", false],
    ["atLeast", "low", true],
    ["above", "low", false],
  ] as const
).map(([name, side, isIn]) => ({
  pattern: inside(String.raw`(?<!\p{L})`, (tables) => tables[name], String.raw`\s*(${amountText})`),
  side,
  isIn,
}));
const between = new RegExp(
  String.raw`\b${ofTables((tables) => tables.between)}\s+(${amountText})\s+${ofTables(({ and }) => and)}\s+(${amountText})`,
  "iu",
);

/** @param take removes what a pattern matches from the question */
export function boundsIn(take: (pattern: RegExp) => RegExpExecArray | null): Bounds | undefined {
  const amountOf = (text: string | undefined) =>
    amountIn((text ?? "").trim()) ?? amountIn((text ?? "").replace(/\s*\p{L}+\s*$/u, "").trim());
  const pair = take(between);
  if (pair) {
    const [low, high] = [amountOf(pair[1]), amountOf(pair[2])];
    if (!low || !high) return undefined;
    return { low: low.value, high: high.value, isLowIn: true, isHighIn: true, unit: high.unit || low.unit };
  }
  for (const { pattern, side, isIn } of bounded) {
    const found = take(pattern);
    const amount = amountOf(found?.[1]);
    if (amount) return { [side]: amount.value, isLowIn: isIn, isHighIn: isIn, unit: amount.unit };
  }
  return undefined;
}
