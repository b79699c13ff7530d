// A zone that this program knows and Postgres does not is replaced by its offset from the first refusal on.
import postgres from "postgres";
import { expect, test } from "vitest";
import { isNewZone, zoneForPostgres } from "../../edge-functions/_shared/database/new-zones.ts";

function refusal(zone: string): postgres.PostgresError {
  const message = `time zone "${zone}" not recognized`;
  return Object.assign(new postgres.PostgresError(message as never), { code: "22023", message });
}

test.each([
  ["Asia/Tokyo", "UTC-09:00"],
  ["Asia/Kathmandu", "UTC-05:45"],
  ["America/Bogota", "UTC+05:00"],
  ["Africa/Abidjan", "UTC"],
])("%s becomes %s once Postgres refuses it", (zone, offset) => {
  expect(zoneForPostgres(zone)).toBe(zone);
  expect(isNewZone(refusal(zone))).toBe(true);
  expect(zoneForPostgres(zone)).toBe(offset);
  // A second refusal is no reason to try again.
  expect(isNewZone(refusal(zone))).toBe(false);
});

test("an invalid zone, and any other error, stay refused", () => {
  expect(isNewZone(refusal("Europe/Atlantis"))).toBe(false);
  expect(zoneForPostgres("Europe/Atlantis")).toBe("Europe/Atlantis");
  const range = Object.assign(new postgres.PostgresError("x" as never), {
    code: "22023",
    message: "range is empty",
  });
  expect(isNewZone(range)).toBe(false);
  expect(isNewZone(new Error('time zone "Asia/Seoul" not recognized'))).toBe(false);
});
