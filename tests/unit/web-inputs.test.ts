// Properties of inputs: text lists, numbers with limits, dates without a time.

import { describe, expect, test } from "vitest";
import { dayOf, dayText, lastDays } from "../../web/client/days.ts";
import { clamp, stepBy, stepOfKey } from "../../web/client/numbers.ts";
import { optionAfterKey } from "../../web/client/option-keys.ts";
import { addTags, splitTags } from "../../web/client/tags.ts";
import fc from "../support/property-cases.ts";

describe("a list of texts", () => {
  test("accepts trimmed, ordered, non-empty texts", () => {
    expect(addTags(["a"], [" b ", "", "  ", "c"])).toEqual({
      tags: ["a", "b", "c"],
      refusal: null,
      rest: [],
    });
  });

  test("rejects a duplicate, unless allowed, and returns it", () => {
    expect(addTags(["a"], ["a", "b"])).toEqual({ tags: ["a", "b"], refusal: "duplicate", rest: ["a"] });
    expect(addTags([], ["b", "b"])).toMatchObject({ tags: ["b"], refusal: "duplicate" });
    expect(addTags(["a"], ["a"], { duplicates: true })).toEqual({
      tags: ["a", "a"],
      refusal: null,
      rest: [],
    });
  });

  test("rejects more than its maximum; 0 is no maximum", () => {
    expect(addTags(["a"], ["b", "c"], { max: 2 })).toEqual({
      tags: ["a", "b"],
      refusal: "maximum",
      rest: ["c"],
    });
    expect(addTags(["a", "b", "c"], ["d"], { max: 0 }).refusal).toBeNull();
  });

  test("keeps these properties and loses nothing, for any input", () => {
    const texts = fc.array(fc.constantFrom("a", "b", "c", " a ", ""), { maxLength: 12 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 4 }), fc.boolean(), (given, max, duplicates) => {
        const { tags, refusal, rest } = addTags([], given, { max, duplicates });
        const meant = given.map((text) => text.trim()).filter(Boolean);
        expect([...tags, ...rest].sort()).toEqual([...meant].sort());
        if (max > 0) expect(tags.length).toBeLessThanOrEqual(max);
        if (!duplicates) expect(new Set(tags).size).toBe(tags.length);
        expect(refusal === null).toBe(rest.length === 0);
      }),
    );
  });

  test("is split at lines, and at the delimiter if any", () => {
    expect(splitTags("a, b\r\nc", ",")).toEqual(["a", " b", "c"]);
    expect(splitTags("In France, too?", "")).toEqual(["In France, too?"]);
  });
});

describe("a number", () => {
  const limits = { min: 0, max: 2, step: 0.1 };
  test("is clamped to its limits", () => {
    expect([clamp(-1, limits), clamp(1, limits), clamp(3, limits)]).toEqual([0, 1, 2]);
    expect(clamp(-5, {})).toBe(-5);
  });

  test("steps without rounding errors, and by 1 by default", () => {
    expect(stepBy(0.2, 1, limits)).toBe(0.3);
    expect(stepBy(0.7, 1, limits)).toBe(0.8);
    expect(stepBy(2, 1, limits)).toBe(2);
    expect(stepBy(6, -1, { min: 1, max: 50 })).toBe(5);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 }), fc.integer({ min: -30, max: 30 }), (tenths, count) => {
        const next = stepBy(tenths / 10, count, limits);
        expect(next).toBe(Math.min(20, Math.max(0, tenths + count)) / 10);
      }),
    );
  });

  test("follows the arrow keys", () => {
    const at = (key: string) => stepOfKey(key, 6, { min: 1, max: 50 });
    expect(["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", "a"].map(at)).toEqual([
      7,
      5,
      16,
      1,
      1,
      50,
      null,
    ]);
  });
});

describe("a date", () => {
  test("is read and written unchanged, and no other", () => {
    expect(dayText(dayOf("2026-03-01") ?? new Date(0))).toBe("2026-03-01");
    for (const text of ["2026-02-30", "2026-13-01", "soon", "", null, "2026-3-1"])
      expect(dayOf(text)).toBeUndefined();
  });

  test("ends a range of dates across months", () => {
    const { from, to } = lastDays(new Date(2026, 2, 1), 30);
    expect([dayText(from), dayText(to)]).toEqual(["2026-01-31", "2026-03-01"]);
  });
});

describe("the options of a list", () => {
  test("are gone through in a circle, and by pages up to the ends", () => {
    expect(optionAfterKey("ArrowDown", 2, 3)).toBe(0);
    expect(optionAfterKey("ArrowUp", 0, 3)).toBe(2);
    expect(optionAfterKey("PageDown", 1, 30)).toBe(9);
    expect(optionAfterKey("PageDown", 25, 30)).toBe(29);
    expect(optionAfterKey("PageUp", 3, 30)).toBe(0);
    expect(optionAfterKey("Home", 3, 30)).toBeNull();
  });
});
