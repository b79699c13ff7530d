// The numbers of an embedding, as a list and in base64: the same vector, and refused for the same reasons.
import { expect, test } from "vitest";
import { anySize, vectorsOf } from "../../edge-functions/_shared/models/vectors.ts";
import fc from "../support/property-cases.ts";

const inBase64 = (numbers: number[]) => Buffer.from(new Float32Array(numbers).buffer).toString("base64");
const read = (embedding: unknown) => vectorsOf({ data: [{ embedding }] }, 1, anySize)[0];

test("an embedding in base64 is the vector of its list", () => {
  const numbers = fc.array(fc.float({ min: -65_504, max: 65_504, noNaN: true }), { minLength: 1 });
  fc.assert(
    fc.property(numbers, (list) => {
      fc.pre(list.some((value) => value !== 0));
      expect(read(inBase64(list))).toEqual(new Float32Array(list));
      expect(read(list)).toEqual(new Float32Array(list));
    }),
  );
});

test.each([
  ["no numbers", []],
  ["something that is not a number", [0.5, Number.NaN]],
  ["an infinite number", [Number.POSITIVE_INFINITY, 0.5]],
  ["a number beyond half precision", [0.5, -65_520]],
  ["zeros", [0, 0]],
])("an embedding of %s is refused in both forms", (_what, list) => {
  expect(() => read(list)).toThrow("The model sent an embedding");
  expect(() => read(inBase64(list))).toThrow("The model sent an embedding");
});

test.each([[["0.5", 0.5]], [[null, 0.5]], [[[0.5]]]])("the list %j is refused", (list) => {
  expect(() => read(list)).toThrow("not made of numbers");
});
