// Owns the time zones that Postgres has refused because its time zone data is older than that of the browser and this process. From then on
// each is replaced by its current offset.

const refused = new Set<string>();

/** True when a statement failed because of such a zone, which {@link zoneForPostgres} replaces when the statement runs again. */
export function isNewZone(error: unknown): boolean {
  if (!(error instanceof Error && "code" in error && error.code === "22023")) return false;
  const [, zone] = /^time zone "([^"]+)" not recognized$/.exec(error.message) ?? [];
  if (!zone || refused.has(zone) || offsetOf(zone) === undefined) return false;
  refused.add(zone);
  return true;
}

/** A zone as Postgres accepts it. Call it where the statement is built, so that a second attempt uses the replacement. */
export const zoneForPostgres = (zone: string): string =>
  refused.has(zone) ? (offsetOf(zone) ?? "UTC") : zone;

/** The current offset in POSIX notation, where west is positive: "UTC+03:00" in Chile. Undefined for an unknown zone. */
function offsetOf(zone: string): string | undefined {
  try {
    const format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
    const name = format.formatToParts().find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, offset] = /^GMT([+-])(\d\d:\d\d)/.exec(name) ?? [];
    return offset && offset !== "00:00" ? `UTC${sign === "+" ? "-" : "+"}${offset}` : "UTC";
  } catch {
    return undefined;
  }
}
