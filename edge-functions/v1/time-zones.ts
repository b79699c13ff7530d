// Owns the time zone that a caller names, for the days of lists and figures, and for times in messages.
import { z } from "@hono/zod-openapi";
import type { Transaction } from "../_shared/database/db.ts";
import { zoneForPostgres } from "../_shared/database/new-zones.ts";

/** Maps names that browsers and Deno still use to those that a Postgres without the old names knows. */
const renamed: Record<string, string> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};

/** A zone's canonical name; undefined for any other text. Rejects offsets, because Postgres reads their sign the opposite way. */
function findZone(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat(undefined, { timeZone: name }).resolvedOptions();
    return renamed[timeZone] ?? timeZone;
  } catch {
    return undefined;
  }
}

/** As a query parameter. Defaults to UTC. */
export const timeZone = z
  .string()
  .max(64)
  .transform((name, refuse) => {
    const zone = findZone(name);
    if (zone) return zone;
    refuse.addIssue({
      code: "custom",
      message: "Name a time zone of the IANA database, such as Europe/Paris.",
    });
    return z.NEVER;
  })
  .default("UTC")
  .openapi({
    type: "string",
    default: "UTC",
    description: "IANA name of the time zone for days and times.",
    example: "Europe/Paris",
  });

/** The date of a moment in a zone, as 2026-03-31. */
export function dayIn(moment: Date, zone: string): string {
  const parts = new Intl.DateTimeFormat(undefined, {
    timeZone: zone,
    calendar: "iso8601",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).formatToParts(moment);
  const of = (type: "year" | "month" | "day") => parts.find((part) => part.type === type)?.value ?? "";
  return `${of("year").padStart(4, "0")}-${of("month")}-${of("day")}`;
}

/** Condition: a column's time lies between the start of one day and the end of another. Both are optional. */
export const duringDays = (
  tx: Transaction,
  column: ReturnType<Transaction>,
  { dateStart, dateEnd, timeZone: zone }: { dateStart?: string; dateEnd?: string; timeZone: string },
) => tx`
  ${dateStart ? tx`and ${column} >= private.start_of_day(${dateStart}::date, ${zoneForPostgres(zone)})` : tx``}
  ${dateEnd ? tx`and ${column} < private.start_of_day(${dateEnd}::date + 1, ${zoneForPostgres(zone)})` : tx``}`;
