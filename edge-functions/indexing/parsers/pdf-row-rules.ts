// Finds the rows and columns of a PDF's table that is ruled between its rows alone: the columns are where no row has text. Pure geometry.
import type { Rule } from "./pdf-drawing.ts";
import type { TextRun } from "./pdf-lines.ts";
import { rowsOf } from "./pdf-rows.ts";
import type { Grid } from "./pdf-ruled-tables.ts";

/** Points between the ends of rules that belong together. */
const near = 2.5;
const leastRules = 3;
/** Groups of rules of one width on a page: a drawing has more. */
const mostGroups = 50;
/** In type sizes: how far a row without a rule of its own is from the first or the last rule, and its lines from each other. */
const farthest = 2.2;
const leading = 1.7;
/** In type sizes. */
const leastGutter = 0.6;
/** The share of the width that the name of a part or a first cell takes; a line of prose takes more. */
const mostOfName = 0.6;
/** Points that a first cell is at most away from the rule's end. */
const indent = 12;

/** @param rules level ones that meet no upright one, from the bottom */
export function gridsOfRows(rules: Rule[], runs: TextRun[]): Grid[] {
  const grids: Grid[] = [];
  const left = new Set(rules);
  let seen = 0;
  for (const first of rules) {
    if (!left.has(first)) continue;
    const own = rules.filter(
      ({ from, to }) => Math.abs(from - first.from) <= near && Math.abs(to - first.to) <= near,
    );
    for (const rule of own) left.delete(rule);
    if (own.length < leastRules || ++seen > mostGroups) continue;
    const { from, to } = first;
    const beside = runs.filter(({ str, transform, width = 0 }) => {
      const left = transform[4] ?? 0;
      return str.trim() !== "" && left >= from - near && left + width <= to + near;
    });
    const rows = rowsOf(beside);
    const groups = withCellsBetween(own, rows);
    groups.forEach((group, i) => {
      const ceiling = groups[i - 1]?.at(-1)?.at ?? Number.POSITIVE_INFINITY;
      const floor = groups[i + 1]?.[0]?.at ?? Number.NEGATIVE_INFINITY;
      const around = rows.filter(({ y }) => y < ceiling && y > floor);
      grids.push(...gridOf(group, around, beside));
    });
  }
  return grids;
}

/** The rules from the top, in groups: between two of a group is a line with cells, or a short one such as the name of a part. */
function withCellsBetween(rules: Rule[], rows: ReturnType<typeof rowsOf>): Rule[][] {
  const groups: Rule[][] = [];
  for (const rule of rules.toSorted((a, b) => b.at - a.at)) {
    const last = groups.at(-1);
    const above = last?.at(-1);
    const between = rows.filter(({ y }) => above && y < above.at && y > rule.at);
    const isLong = ({ segments: [one, ...others] }: (typeof rows)[number]) =>
      one !== undefined &&
      others.length === 0 &&
      one.right - rule.from > mostOfName * (rule.to - rule.from) &&
      one.left - rule.from < indent;
    const hasCells = between.length === 1 || between.some(({ segments }) => segments.length > 1);
    if (hasCells && !between.some(isLong)) last?.push(rule);
    else groups.push([rule]);
  }
  return groups;
}

/**
 * @param rules from the top
 * @param rows the lines of text as far as the next such rules
 * @returns nothing if the text between them is in no columns
 */
function gridOf(rules: Rule[], rows: ReturnType<typeof rowsOf>, runs: TextRun[]): Grid[] {
  const [{ from, to } = { from: 0, to: 0 }] = rules;
  const at = rules.map((rule) => rule.at);
  const [top = 0, bottom = 0] = [at[0], at.at(-1)];
  const above = outerRow(rows.filter(({ y }) => y > top).reverse(), top);
  const below = outerRow(
    rows.filter(({ y }) => y < bottom),
    bottom,
  );
  const ys = [
    ...(above ? [above.y + above.size / 2] : []),
    ...at,
    ...(below ? [below.y - below.size / 2] : []),
  ];
  const inside = runs.filter(({ transform: [, , , , , y = 0] }) => y < (ys[0] ?? 0) && y > (ys.at(-1) ?? 0));
  const gutters = guttersOf(inside, ys);
  const xs = [from, ...gutters, to];
  const upright = xs.map((x): Rule => ({ isLevel: false, at: x, from: ys.at(-1) ?? 0, to: ys[0] ?? 0 }));
  const isTable = gutters.length > 0 && ys.length > leastRules;
  return isTable ? [{ xs, ys, rules: [...rules, ...upright], isOfRows: true }] : [];
}

/** The farthest line of a row outside the first or the last rule: lines close to it and to each other, one with several segments. */
function outerRow(rows: ReturnType<typeof rowsOf>, rule: number): { y: number; size: number } | undefined {
  let last: { y: number; size: number } | undefined;
  let hasCells = false;
  for (const { y, size: halves, segments } of rows) {
    const size = halves / 2;
    if (Math.abs(y - (last?.y ?? rule)) > (last ? leading * last.size : farthest * size)) break;
    last = { y, size };
    hasCells ||= segments.length > 1;
  }
  return hasCells ? last : undefined;
}

/**
 * The middles of the gaps that no run reaches into, between columns that a row has both of: a name centred over values is in one column
 * with them.
 */
function guttersOf(runs: TextRun[], ys: number[]): number[] {
  const columns: { left: number; right: number; rows: Set<number> }[] = [];
  const placed = runs.map(({ transform: [, , c = 0, d = 0, left = 0, y = 0], height, width = 0 }) => ({
    left,
    right: left + width,
    size: height || Math.hypot(c, d),
    row: ys.findLastIndex((at) => at >= y),
  }));
  for (const { left, right, size, row } of placed.sort((a, b) => a.left - b.left)) {
    const last = columns.at(-1);
    if (last && left - last.right <= leastGutter * size) {
      last.right = Math.max(last.right, right);
      last.rows.add(row);
    } else columns.push({ left, right, rows: new Set([row]) });
  }
  const [first, ...others] = columns;
  let before = first;
  return others.flatMap((column) => {
    const { left, rows } = column;
    const gutter = ((before?.right ?? left) + left) / 2;
    const isOne = ![...rows].some((row) => before?.rows.has(row));
    before = isOne && before ? { ...column, rows: new Set([...before.rows, ...rows]) } : column;
    return isOne ? [] : [gutter];
  });
}
