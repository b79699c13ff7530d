// A process's cache stays within its limit, and the oldest entry is evicted first.

import { expect, test } from "vitest";
import { remember } from "../../edge-functions/_shared/operation/bounded-map.ts";
import fc from "../support/property-cases.ts";

test("the newest entries are kept, up to the limit", () => {
  const law = fc.property(
    fc.array(fc.nat(9), { maxLength: 30 }),
    fc.integer({ min: 1, max: 5 }),
    (keys, most) => {
      const map = new Map<number, number>();
      keys.forEach((key, at) => {
        remember(map, key, at, most);
      });
      const newest = [...new Set(keys.toReversed())].slice(0, most).toReversed();
      expect([...map]).toEqual(newest.map((key) => [key, keys.lastIndexOf(key)]));
    },
  );
  fc.assert(law);
});
