// Owns the time zone that a caller names: whose days lists and figures go by, and whose clock messages tell.
import { z } from "@hono/zod-openapi";
import type { Transaction } from "../_shared/database/db.ts";

/** What browsers and Deno still call a zone, and what a Postgres without the old names knows it by. */
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

/** A zone by its one name; undefined for what is none. Offsets are none: Postgres reads their sign the other way round. */
function zoneNamed(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat(undefined, { timeZone: name }).resolvedOptions();
    return renamed[timeZone] ?? timeZone;
  } catch {
    return undefined;
  }
}

/** In a query. UTC where none is named. */
export const timeZone = z
  .string()
  .max(64)
  .transform((name, refuse) => {
    const zone = zoneNamed(name);
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
    description: "The time zone whose days and clock count, by its name in the IANA database.",
    example: "Europe/Paris",
  });

/** The day on which a moment lies in a zone, as 2026-03-31. */
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

/** The moments of a column that lie between the beginning of one day and the end of another; each may be left open. */
export const duringDays = (
  tx: Transaction,
  column: ReturnType<Transaction>,
  { dateStart, dateEnd, timeZone: zone }: { dateStart?: string; dateEnd?: string; timeZone: string },
) => tx`
  ${dateStart ? tx`and ${column} >= private.start_of_day(${dateStart}::date, ${zone})` : tx``}
  ${dateEnd ? tx`and ${column} < private.start_of_day(${dateEnd}::date + 1, ${zone})` : tx``}`;
