// The limits of an archive's texts are those of Postgres, which counts characters.
import { expect, test } from "vitest";
import { text } from "../../edge-functions/importing/shapes.ts";
import fc from "../support/property-cases.ts";

test("a text is as long as its characters, whatever units they take", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.integer({ min: 0, max: 12 }),
      (value, most) => {
        expect(text(most).safeParse(value).success).toBe(Array.from(value).length <= most);
      },
    ),
  );
});
