// Cells as numbers and dates, in English and in French, and look-alikes that are none.

import { describe, expect, it } from "vitest";
import {
  amountIn,
  dateIn,
  dayOf,
  monthNumber,
  readColumn,
} from "../../edge-functions/_shared/text/cell-values.ts";
import fc from "../support/property-cases.ts";

const nbsp = "\u00a0";

describe("an amount", () => {
  it.each<[string, number, string]>([
    ["20", 20, ""],
    ["1,234.50", 1234.5, ""],
    ["1.234,50", 1234.5, ""],
    [`1${nbsp}234,50${nbsp}€`, 1234.5, "EUR"],
    ["1'234.50 CHF", 1234.5, "CHF"],
    ["$1,234", 1234, "USD"],
    ["€ 12.5", 12.5, "EUR"],
    ["1.250 €", 1250, "EUR"],
    ["12,5 %", 12.5, "%"],
    ["(45.00)", -45, ""],
    ["$(2,208)", -2208, "USD"],
    ["(12.50) €", -12.5, "EUR"],
    ["(3)%", -3, "%"],
    ["−3 °C", -3, "°c"],
    ["-£2.10", -2.1, "GBP"],
    ["34.5 kg", 34.5, "kg"],
    ["4 jours ouvrés", 4, "jours ouvrés"],
    ["1,234,567", 1234567, ""],
    ["0,125", 0.125, ""],
    ["1,234", 1234, ""],
    ["1.234", 1.234, ""],
  ])("%s", (text, value, unit) => {
    expect(amountIn(text)).toEqual({ value, unit });
  });

  it.each([
    "",
    "BT-400",
    "02 40 55 04 80",
    "10:00",
    "2026-12-02",
    "5 to 8",
    "3 x 4",
    "00123",
    "1.2.3",
    "1,2,3",
    "1 23",
    "12 rue 4",
    "(5",
    "-",
    "1,23.4,5",
  ])("is not %s", (text) => {
    expect(amountIn(text)).toBeUndefined();
  });

  it("round-trips through each language's notation", () => {
    const value = fc.integer({ min: -99_999_999, max: 99_999_999 }).map((cents) => cents / 100);
    const unit = fc.constantFrom("EUR", "USD", "GBP");
    fc.assert(
      fc.property(
        value,
        unit,
        fc.constantFrom("en-GB", "fr-FR", "de-DE", "en-US"),
        (size, currency, locale) => {
          const plain = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(size);
          const money = new Intl.NumberFormat(locale, { style: "currency", currency }).format(size);
          expect(amountIn(plain)?.value).toBe(size);
          expect(amountIn(money)).toEqual({ value: size, unit: currency });
        },
      ),
    );
  });

  it("of any text is nothing or a finite number", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d., '€$%-]{0,20}$/)), (text) => {
        const found = amountIn(text);
        if (found) expect(Number.isFinite(found.value)).toBe(true);
      }),
    );
  });
});

describe("a date", () => {
  it.each<[string, [number, number, number]]>([
    ["2026-12-02", [2026, 12, 2]],
    ["2026-12-02 18:00", [2026, 12, 2]],
    ["2 December 2026", [2026, 12, 2]],
    ["1er mars 2026", [2026, 3, 1]],
    ["mardi 3 août 2027", [2027, 8, 3]],
    ["June 30, 2027", [2027, 6, 30]],
    ["3.4.2026", [2026, 4, 3]],
    ["juillet 2026", [2026, 7, 1]],
  ])("%s", (text, [year, month, day]) => {
    expect(dateIn(text)).toBe(dayOf(year, month, day));
  });

  it("is not 3/4/2026, which has two readings, nor an impossible day", () => {
    expect(dateIn("3/4/2026")).toBeUndefined();
    expect(dateIn("2026-02-30")).toBeUndefined();
    expect(dateIn("31.4.2026")).toBeUndefined();
  });

  it("has months by name", () => {
    const names = "january février Mars apr mai juin juillet août sept octobre november décembre".split(" ");
    expect(names.map(monthNumber)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(monthNumber("marble")).toBeUndefined();
  });
});

describe("a column", () => {
  it("resolves an ambiguous value by its other cells", () => {
    expect(readColumn("Poids (kg)", ["1,250", "0,5", "", "12"])).toEqual({
      column: { name: "Poids (kg)", kind: "number", unit: "kg" },
      numbers: [1.25, 0.5, null, 12],
    });
    expect(readColumn("Amount", ["1.250", "3.400,50 €"]).numbers).toEqual([1250, 3400.5]);
    expect(readColumn("Due", ["03/04/2026", "25/04/2026"]).numbers).toEqual([
      dayOf(2026, 4, 3),
      dayOf(2026, 4, 25),
    ]);
    expect(readColumn("Due", ["03/04/2026", "05/06/2026"]).column.kind).toBe("text");
  });

  it("is text with its values when most cells are no numbers, and has no unit when units differ", () => {
    expect(readColumn("Kind", ["diesel", "electric", "diesel", "4"]).column).toEqual({
      name: "Kind",
      kind: "text",
      unit: "",
      values: ["diesel", "electric", "4"],
    });
    expect(readColumn("Price", ["3 €", "4 $"]).column).toMatchObject({ kind: "number", unit: null });
    expect(readColumn("Price EUR", ["3", "on request", "5", "6", "7", "8"])).toMatchObject({
      column: { kind: "number", unit: "EUR" },
      numbers: [3, null, 5, 6, 7, 8],
    });
  });
});
