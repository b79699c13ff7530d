// Times of Postgres: as Date reads them, whatever their fraction and their offset.
import { expect, test } from "vitest";
import { toIso } from "../../edge-functions/_shared/database/times.ts";
import fc from "../support/property-cases.ts";

const moments = fc.date({ min: new Date("0100-01-01"), max: new Date("9999-12-30"), noInvalidDate: true });
const micros = fc.integer({ min: 0, max: 999_999 });

/** As Postgres writes it: without the zeros at the end of the fraction. */
function asPostgres(moment: Date, micros: number, offset: string): string {
  const fraction = String(micros).padStart(6, "0").replace(/0+$/, "");
  const [day, time = ""] = moment.toISOString().split("T");
  return `${day} ${time.slice(0, 8)}${fraction && `.${fraction}`}${offset}`;
}

test("a time of Postgres is read as Date reads it", () => {
  fc.assert(
    fc.property(moments, micros, fc.constantFrom("+00", "+02", "-05:30"), (moment, micros, offset) => {
      const value = asPostgres(moment, micros, offset);
      expect(toIso(value)).toBe(new Date(value).toISOString());
    }),
  );
});

test("a fraction is cut to milliseconds, and a date is its midnight in UTC", () => {
  expect(toIso("2026-11-30 22:50:43.9996+00")).toBe("2026-11-30T22:50:43.999Z");
  expect(toIso("2026-11-30 22:50:43.5+00")).toBe("2026-11-30T22:50:43.500Z");
  expect(toIso("2026-11-30 22:50:43+00")).toBe("2026-11-30T22:50:43.000Z");
  expect(toIso("2026-11-30")).toBe("2026-11-30T00:00:00.000Z");
});
