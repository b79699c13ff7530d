// Panel sizes from their cookie, which may be forged.

import { expect, test } from "vitest";
import { panelSizes } from "../../web/client/panel-sizes.ts";
import fc from "../support/property-cases.ts";

test("sizes are read by panel name", () => {
  expect(panelSizes("24.5_45.5_30", ["list", "conversation", "review"])).toEqual({
    list: 24.5,
    conversation: 45.5,
    review: 30,
  });
  expect(panelSizes("0_100", ["settings", "conversation"])).toEqual({ settings: 0, conversation: 100 });
});

test("an invalid layout is ignored", () => {
  for (const cookie of [
    undefined,
    "",
    "34",
    "34_33_33",
    "34_67",
    "-1_101",
    "1e1_90",
    "34_66;x",
    "._100",
    "34__66",
  ])
    expect(panelSizes(cookie, ["a", "b"]), String(cookie)).toBeNull();
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d._]{1,20}$/)), (cookie) => {
      const sizes = panelSizes(cookie, ["a", "b"]);
      if (!sizes) return;
      expect(Object.keys(sizes)).toEqual(["a", "b"]);
      expect(Math.abs((sizes.a ?? 0) + (sizes.b ?? 0) - 100)).toBeLessThanOrEqual(0.5);
      for (const size of Object.values(sizes)) expect(size >= 0 && size <= 100).toBe(true);
    }),
  );
});
