// Text in and on any brand colour is legible.
import { expect, test } from "vitest";
import {
  brandColors,
  brandStyle,
  contrast,
  GROUNDS,
  READABLE,
  textOn,
} from "../../web/client/brand-colors.ts";

const channel = ["00", "1b", "33", "4d", "66", "77", "80", "99", "b3", "cc", "e6", "ff"];
/** 1,728 colours, evenly spread, and the greys around the one on which black and white are equally legible. */
const colors = [
  ...channel.flatMap((red) => channel.flatMap((green) => channel.map((blue) => `#${red}${green}${blue}`))),
  ...Array.from({ length: 256 }, (_, part) => `#${part.toString(16).padStart(2, "0").repeat(3)}`),
];

test("the palette computes contrast as WCAG does", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(contrast("#123456", "#123456")).toBe(1);
  expect([textOn("#ffe600"), textOn("#1b1b4d")]).toEqual(["#000000", "#ffffff"]);
});

test("no colour gives illegible text", () => {
  const unreadable = colors.filter((color) => {
    const { fill, hover, onFill, soft, ink } = brandColors(color);
    const pairs = [
      [onFill, fill],
      [onFill, hover],
      ...[...GROUNDS.light, soft.light].map((ground) => [ink.light, ground]),
      ...[...GROUNDS.dark, soft.dark].map((ground) => [ink.dark, ground]),
      ["#17171a", soft.light],
      ["#f1f1f3", soft.dark],
    ];
    return pairs.some(([text = "", ground = ""]) => contrast(text, ground) < READABLE);
  });
  expect(unreadable).toEqual([]);
});

test("a legible colour stays as chosen", () => {
  expect(brandColors("#0b5f57").ink.light).toBe("#0b5f57");
  expect(brandColors("#8fd8ff").ink.dark).toBe("#8fd8ff");
  expect(brandColors("#ffe600").ink.light).not.toBe("#ffe600");
});

test.each(["", "red", "#fff", "#12345g", "#123456;x:y", "#ABCDEF"])("“%s” is no style", (color) => {
  expect(brandStyle(color)).toBeUndefined();
});
