// Turns a page whose text runs sideways or upside down, as wide tables do, so that its lines and tables are found like any other's. Pure
// geometry.
import { type Line, linesOf, type TextRun } from "./pdf-lines.ts";

/** Quarter turns from the reading direction; undefined for slanted text. */
function turnsOf({ transform: [a = 0, b = 0] }: TextRun): number | undefined {
  const size = Math.hypot(a, b);
  if (Math.abs(b) < 0.01 * size) return a < 0 ? 2 : 0;
  if (Math.abs(a) < 0.01 * size) return b > 0 ? 1 : 3;
  return undefined;
}

/** The runs with most of the text level, and the rest as lines of their own, which stand behind them. */
export function levelRuns(runs: TextRun[]): { level: TextRun[]; others: Line[]; isTurned: boolean } {
  const chars = new Map<number, number>();
  for (const run of runs) {
    const turns = turnsOf(run);
    if (turns !== undefined) chars.set(turns, (chars.get(turns) ?? 0) + run.str.trim().length);
  }
  const [[turns] = [0]] = [...chars].sort(([, one], [, other]) => other - one);
  const isEmpty = (run: TextRun) => run.str.trim() === "";
  const level = runs.filter((run) => isEmpty(run) || turnsOf(run) === turns);
  const others = runs.filter((run) => isEmpty(run) || turnsOf(run) !== turns);
  const isTurned = turns !== 0;
  return {
    level: isTurned ? level.map((run) => turn(run, turns)) : level,
    others: linesOf(others),
    isTurned,
  };
}

function turn(run: TextRun, turns: number): TextRun {
  const [a = 0, b = 0, , , x = 0, y = 0] = run.transform;
  const size = Math.hypot(a, b);
  const [left, up] = turns === 1 ? [y, -x] : turns === 2 ? [-x, -y] : [-y, x];
  return { ...run, transform: [size, 0, 0, size, left, up] };
}
