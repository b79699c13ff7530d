// Sealed secrets open only with their keys and in their context.

import { expect, test } from "vitest";
import { isSameText } from "../../edge-functions/_shared/secrets/same-text.ts";
import { Sealing } from "../../edge-functions/_shared/secrets/sealing.ts";
import fc from "../support/property-cases.ts";

const sealing = new Sealing(["new", "old"]);
const text = fc.string({ unit: "grapheme" });

test("a sealed value opens again, and no two seals of it are equal", () => {
  const law = fc.property(text, text, (plain, context) => {
    const sealed = sealing.seal(plain, context);
    expect(sealing.unseal(sealed, context)).toBe(plain);
    expect(sealed[0]).toBe(1);
    expect(sealed).toHaveLength(1 + 12 + 16 + Buffer.byteLength(plain));
    expect(sealing.seal(plain, context)).not.toEqual(sealed);
  });
  fc.assert(law);
});

test("an earlier key still opens, and is identified; only the current one seals", () => {
  const sealed = new Sealing(["old"]).seal("secret", "model:1");
  expect(sealing.unsealWith(sealed, "model:1")).toEqual({ plain: "secret", key: 1 });
  expect(sealing.unsealWith(sealing.seal("secret", "model:1"), "model:1").key).toBe(0);
  expect(() => new Sealing(["old"]).unseal(sealing.seal("secret", "model:1"), "model:1")).toThrow();
});

test("another context, another key and any changed byte open nothing", () => {
  const sealed = sealing.seal("secret", "source:1");
  expect(() => sealing.unseal(sealed, "source:2")).toThrow(Error);
  expect(() => new Sealing(["other"]).unseal(sealed, "source:1")).toThrow(Error);
  for (let at = 0; at < sealed.length; at++) {
    const changed = Uint8Array.from(sealed, (byte, index) => (index === at ? byte ^ 1 : byte));
    expect(() => sealing.unseal(changed, "source:1")).toThrow();
  }
});

test("bytes too short to be sealed are reported as such", () => {
  const empty = sealing.seal("", "source:1");
  expect(sealing.unseal(empty, "source:1")).toBe("");
  for (const length of [0, 1, 12, 28])
    expect(() => sealing.unseal(empty.subarray(0, length), "source:1")).toThrow("not a sealed secret");
  const ofAnotherVersion = Uint8Array.from(empty, (byte, at) => (at === 0 ? 2 : byte));
  expect(() => sealing.unseal(ofAnotherVersion, "source:1")).toThrow("not a sealed secret");
});

test("texts compare as equal when they are, whatever their lengths", () => {
  const law = fc.property(text, text, (one, other) => {
    expect(isSameText(one, other)).toBe(one === other);
    expect(isSameText(one, `${one}`)).toBe(true);
  });
  fc.assert(law);
});
