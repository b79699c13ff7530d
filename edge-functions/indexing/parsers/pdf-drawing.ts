// Reads what a PDF's page draws besides text: its pictures, and the straight rules that tables are ruled with. Decodes nothing.
import { type getDocumentProxy, getResolvedPDFJS } from "unpdf";
import { combine, type Decoded, greyOf, type Matrix } from "./page-canvas.ts";

// Node has it from version 21 on. Without it, pdf.js silently ends a page's operator list at the first font.
if (!("transferToFixedLength" in ArrayBuffer.prototype))
  Object.defineProperty(ArrayBuffer.prototype, "transferToFixedLength", {
    value: function (this: ArrayBuffer) {
      return structuredClone(this, { transfer: [this] });
    },
  });

export type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
export type PdfPage = Awaited<ReturnType<PdfDocument["getPage"]>>;
type Operators = Pick<Awaited<ReturnType<PdfPage["getOperatorList"]>>, "fnArray" | "argsArray">;
type Operations = Awaited<ReturnType<typeof getResolvedPDFJS>>["OPS"];

/** A picture that a page refers to, not decoded yet. */
interface Named {
  place: Matrix;
  width: number;
  height: number;
  source: string | Decoded;
  ink?: number;
}

/** A straight line, in the page's points: at a height or at a distance from the left, between two ends. */
export interface Rule {
  isLevel: boolean;
  at: number;
  from: number;
  to: number;
}

export interface Drawing {
  named: Named[];
  /** None when there are far more than tables have, as in a map. */
  rules: Rule[];
  /** The page draws lines, fills or letters besides pictures. */
  hasMarks: boolean;
  /** The page draws pictures with an operator that we do not follow. */
  isPartial: boolean;
}

const mostRules = 5_000;
/** Points. */
const thickestRule = 3;
const shortestRule = 3;
const straight = 0.5;
const highestRow = 80;
/** Of a box, closed. */
const mostCorners = 5;
const white = 255;

/** Operations of a page with a table; a map or a plan has more, and takes a kilobyte of memory for each. */
export const mostOfTable = 50_000;

/** @returns what a page draws, in order; nothing of a page with more than `most` operations */
export async function readDrawing(page: PdfPage, most = Number.POSITIVE_INFINITY): Promise<Drawing> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await operationsOf(page, most);
  const named: Named[] = [];
  const rules: Rule[] = [];
  let hasMarks = false;
  let isPartial = false;
  let now: { place: Matrix; ink: number } = { place: [1, 0, 0, 1, 0, 0], ink: 0 };
  const kept: (typeof now)[] = [];
  const move = (by: unknown) => {
    now = { ...now, place: combine(now.place, matrixOf(by)) };
  };
  for (const [at, name] of fnArray.entries()) {
    const args = (argsArray[at] ?? []) as unknown[];
    const [first, second, third, fourth] = args;
    if (name === OPS.save) kept.push(now);
    else if (name === OPS.restore) now = kept.pop() ?? now;
    else if (name === OPS.transform) move(args);
    else if (name === OPS.paintFormXObjectBegin) {
      kept.push(now);
      if (first) move(first);
    } else if (name === OPS.beginAnnotation) {
      kept.push(now);
      now = { place: combine(matrixOf(third), matrixOf(fourth)), ink: 0 };
    } else if (name === OPS.paintFormXObjectEnd || name === OPS.endAnnotation) now = kept.pop() ?? now;
    else if (name === OPS.setFillRGBColor) now = { ...now, ink: inkOf(first) };
    else if (name === OPS.paintImageXObject && typeof first === "string")
      named.push({ place: now.place, source: first, width: Number(second), height: Number(third) });
    else if (name === OPS.paintInlineImageXObject) {
      const source = first as Decoded;
      named.push({ place: now.place, source, width: source.width, height: source.height });
    } else if (name === OPS.paintImageMaskXObject) {
      const { data, ...mask } = first as Omit<Decoded, "data"> & { data?: Decoded["data"] | string };
      const source = typeof data === "string" ? data : { ...mask, ...(data ? { data } : {}) };
      named.push({ ...now, source, width: mask.width, height: mask.height });
    } else if (isUnfollowed(OPS, name)) isPartial = true;
    else {
      hasMarks ||= isMark(OPS, name, first, now.ink);
      if (name === OPS.constructPath && first !== OPS.endPath && rules.length <= mostRules)
        rules.push(...rulesOf(second, now, first === OPS.fill || first === OPS.eoFill));
    }
  }
  return { named, rules: rules.length > mostRules ? [] : rules, hasMarks, isPartial };
}

/** What pdf.js keeps about a list that it reads: whom it tells of each piece, and what stops it. */
interface Ongoing {
  operatorList: { fnArray: unknown[] };
  renderTasks: Set<unknown>;
  streamReader: { cancel: (reason: Error) => Promise<void> } | null;
}

/** pdf.js offers no way to stop reading a list that is too long. */
function operationsOf(page: PdfPage, most: number): Promise<Operators> {
  const whole = page.getOperatorList();
  // Internal to pdf.js: without it, the list is read whole.
  const { _intentStates: states } = page as unknown as { _intentStates?: Map<string, Ongoing> };
  const cut = [...(states?.values() ?? [])].map(
    ({ operatorList, renderTasks, streamReader }) =>
      new Promise<Operators>((resolve) => {
        const operatorListChanged = () => {
          if (operatorList.fnArray.length <= most) return;
          void streamReader?.cancel(new Error("more is drawn than a table has"));
          resolve({ fnArray: [], argsArray: [] });
        };
        renderTasks.add({ operatorListChanged });
      }),
  );
  return Promise.race([whole, ...cut]);
}

/** pdf.js merges pictures like this when it renders, but not in its operator list. */
const isUnfollowed = (OPS: Operations, name: number) =>
  name === OPS.paintImageXObjectRepeat ||
  name === OPS.paintImageMaskXObjectGroup ||
  name === OPS.paintImageMaskXObjectRepeat ||
  name === OPS.paintInlineImageXObjectGroup;

/** True for a visible mark: not a clip path, a white fill or spaces. */
function isMark(OPS: Operations, name: number, first: unknown, ink: number): boolean {
  if (name === OPS.shadingFill || name === OPS.paintSolidColorImageMask) return true;
  if (name === OPS.constructPath)
    return first !== OPS.endPath && !((first === OPS.fill || first === OPS.eoFill) && ink === white);
  if (name !== OPS.showText || !Array.isArray(first)) return false;
  return first.some((glyph) => typeof glyph === "object" && glyph !== null && glyph.isSpace !== true);
}

/** pdf.js writes a path as numbers: 0 and a point to move to, 1 and a point to draw to, 2 and three points of a curve, 4 to close it. */
const pathSteps = { move: 0, line: 1, curve: 2, close: 4 };
type Point = [x: number, y: number];

/** The straight rules of a path: the sides of a stroked one; a filled one that is thin, or the upper and the lower edge of a shaded row. */
function rulesOf(said: unknown, { place, ink }: { place: Matrix; ink: number }, isFilled: boolean): Rule[] {
  const [path] = Array.isArray(said) ? said : [];
  if (!Array.isArray(path) && !ArrayBuffer.isView(path)) return [];
  const numbers = Array.from(path as ArrayLike<number>).slice(0, 10 * mostRules);
  const rules: Rule[] = [];
  let points: Point[] = [];
  const pointAt = (at: number): Point => {
    const [a, b, c, d, e, f] = place;
    const [x = 0, y = 0] = numbers.slice(at, at + 2);
    return [a * x + c * y + e, b * x + d * y + f];
  };
  const end = () => {
    if (isFilled) rules.push(...filledRules(points, ink));
    else
      for (const [i, point] of points.slice(1).entries()) rules.push(...sideRule(points[i] ?? point, point));
    points = [];
  };
  for (let at = 0; at < numbers.length; ) {
    const step = numbers[at];
    if (step === pathSteps.move) end();
    if (step === pathSteps.move || step === pathSteps.line) points.push(pointAt(at + 1));
    // The corner of a box: its sides go on behind it.
    else if (step === pathSteps.curve) points.push(pointAt(at + 5));
    else if (step === pathSteps.close && points[0]) points.push(points[0]);
    else return rules;
    at += step === pathSteps.curve ? 7 : step === pathSteps.close ? 1 : 3;
  }
  end();
  return rules;
}

function sideRule([x, y]: Point, [toX, toY]: Point): Rule[] {
  const isLevel = Math.abs(y - toY) < straight;
  if (!isLevel && Math.abs(x - toX) >= straight) return [];
  const [at, from, to] = isLevel ? [(y + toY) / 2, x, toX] : [(x + toX) / 2, y, toY];
  return Math.abs(to - from) < shortestRule
    ? []
    : [{ isLevel, at, from: Math.min(from, to), to: Math.max(from, to) }];
}

function filledRules(points: Point[], ink: number): Rule[] {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const isLevel = right - left >= top - bottom;
  const [thick, long] = isLevel ? [top - bottom, right - left] : [right - left, top - bottom];
  if (long < shortestRule || points.length > mostCorners) return [];
  if (thick <= thickestRule)
    return isLevel
      ? [{ isLevel, at: (top + bottom) / 2, from: left, to: right }]
      : [{ isLevel, at: (left + right) / 2, from: bottom, to: top }];
  const isShaded = ink < white && top - bottom <= highestRow;
  return isShaded ? [top, bottom].map((at) => ({ isLevel: true, at, from: left, to: right })) : [];
}

export function matrixOf(numbers: unknown): Matrix {
  if (!Array.isArray(numbers) && !ArrayBuffer.isView(numbers)) return [1, 0, 0, 1, 0, 0];
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = Array.from(numbers as ArrayLike<number>);
  return [a, b, c, d, e, f];
}

/** The grey value of a colour such as "#1a2b3c". */
function inkOf(colour: unknown): number {
  const [, hex] = /^#([0-9a-f]{6})$/i.exec(String(colour)) ?? [];
  const value = Number.parseInt(hex ?? "0", 16);
  return greyOf(value >> 16, (value >> 8) & 255, value & 255);
}
