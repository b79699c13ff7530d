// The rules of a number field: within its limits, on its steps, without binary rounding errors. Pure.

export interface NumberLimits {
  min?: number;
  max?: number;
  step?: number;
}

/** The nearest number within the limits. */
export function clamp(value: number, { min = -Infinity, max = Infinity }: NumberLimits): number {
  return Math.min(max, Math.max(min, value));
}

const digits = (value: number) => (String(value).split(".")[1] ?? "").length;

/** `count` steps up, or down when negative, within the limits. */
export function stepBy(value: number, count: number, limits: NumberLimits): number {
  const { step = 1, min } = limits;
  const places = Math.max(digits(step), digits(value), digits(min ?? 0));
  return clamp(Number((value + count * step).toFixed(places)), limits);
}

/** The number after a key press; null for a key without effect. Page Up and Page Down are ten steps. */
export function stepOfKey(key: string, value: number, limits: NumberLimits): number | null {
  switch (key) {
    case "ArrowUp":
      return stepBy(value, 1, limits);
    case "ArrowDown":
      return stepBy(value, -1, limits);
    case "PageUp":
      return stepBy(value, 10, limits);
    case "PageDown":
      return stepBy(value, -10, limits);
    case "Home":
      return limits.min ?? null;
    case "End":
      return limits.max ?? null;
    default:
      return null;
  }
}
