// The rules of a number field: within its limits, on its steps, without binary rounding errors. Pure.

export interface NumberLaws {
  min?: number;
  max?: number;
  step?: number;
}

/** The nearest number within the limits. */
export function clamp(value: number, { min = -Infinity, max = Infinity }: NumberLaws): number {
  return Math.min(max, Math.max(min, value));
}

const digits = (value: number) => (String(value).split(".")[1] ?? "").length;

/** `count` steps up, or down when negative, within the limits. */
export function stepBy(value: number, count: number, laws: NumberLaws): number {
  const { step = 1, min } = laws;
  const places = Math.max(digits(step), digits(value), digits(min ?? 0));
  return clamp(Number((value + count * step).toFixed(places)), laws);
}

/** The number after a key press; null for a key without effect. Page Up and Page Down are ten steps. */
export function stepOfKey(key: string, value: number, laws: NumberLaws): number | null {
  switch (key) {
    case "ArrowUp":
      return stepBy(value, 1, laws);
    case "ArrowDown":
      return stepBy(value, -1, laws);
    case "PageUp":
      return stepBy(value, 10, laws);
    case "PageDown":
      return stepBy(value, -10, laws);
    case "Home":
      return laws.min ?? null;
    case "End":
      return laws.max ?? null;
    default:
      return null;
  }
}
