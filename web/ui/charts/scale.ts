// The scale of a chart's vertical axis. Pure.

const STEPS = [1, 2, 2.5, 5, 10];
const mostLabels = 5;

/**
 * At most five round ticks, from 0 to at least the greatest value.
 * @param unit they are multiples of it, so that none is rounded to another's label: 1 for counts
 */
export function ticksTo(greatest: number, unit = 1): number[] {
  if (!(greatest > 0)) return [0, unit];
  const rough = greatest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((one) => one * power >= rough) ?? 10) * power;
  const size = Math.max(1, Math.ceil(step / unit - 1e-9)) * unit;
  const count = Math.ceil(greatest / size - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * size).toPrecision(12)));
}

/** Which of `count` labels are shown below a chart: the first, the last, and some in between at equal distances. */
export function chooseLabels(count: number): Set<number> {
  if (count <= mostLabels) return new Set(Array.from({ length: count }, (_, index) => index));
  const gaps = mostLabels - 1;
  return new Set(Array.from({ length: mostLabels }, (_, index) => Math.round((index * (count - 1)) / gaps)));
}
