// Owns how a time of Postgres reads outside the database. Pure.

const inUtc = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00$/;

/**
 * A time or a date in Postgres's text format as ISO 8601, in UTC and to the millisecond. Date takes six times as long to read the usual
 * one, and a list or a search returns a hundred.
 */
export function toIso(value: string): string {
  const [, day, time, fraction = ""] = inUtc.exec(value) ?? [];
  return day ? `${day}T${time}.${fraction.padEnd(3, "0").slice(0, 3)}Z` : new Date(value).toISOString();
}
