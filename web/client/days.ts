// Dates as forms and addresses contain them (2026-03-31), and as a calendar shows them: without a time of day, and
// without a time zone except for today's date.

/** The day, at midnight in the browser's zone; undefined for an invalid one. */
export function dayOf(text: string | null | undefined): Date | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text ?? "") ?? [];
  if (!year) return undefined;
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  return date.getMonth() === Number(month) - 1 ? date : undefined;
}

/** A day as 2026-03-31. */
export function dayText(date: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The `count` days that end with `last`. */
export function lastDays(last: Date, count: number): { from: Date; to: Date } {
  const from = new Date(last.getFullYear(), last.getMonth(), last.getDate() - count + 1);
  return { from, to: last };
}

/** The date of a moment in a time zone, as 2026-03-31. */
export function dayIn(moment: Date, timeZone: string): string {
  const there = new Intl.DateTimeFormat(undefined, {
    timeZone,
    calendar: "iso8601",
    numberingSystem: "latn",
    year: "numeric",
    month: "numeric",
    day: "numeric",
  });
  const of = (type: string) => Number(there.formatToParts(moment).find((part) => part.type === type)?.value);
  return dayText(new Date(of("year"), of("month") - 1, of("day")));
}
