// Lines of an export by release 1.0.0, whose sender may have written every byte.
import { expect, test } from "vitest";
import { upgradeLine, upgradeTeam } from "../../edge-functions/importing/first-release.ts";
import { tableNames } from "../../edge-functions/importing/rows.ts";
import fc from "../support/property-cases.ts";

const fields = [
  "name",
  "title",
  "type",
  "url",
  "model",
  "email",
  "userId",
  "config",
  "permissions",
  "channels",
  "allowedOrigins",
  "suggestedPrompts",
];
const line = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(fc.constantFrom(...fields), fc.oneof(fc.jsonValue(), fc.string({ unit: "binary" }))),
);

test("any line is upgraded once, and keeps what no upgrade names", () => {
  fc.assert(
    fc.property(fc.constantFrom(...tableNames), line, (table, value) => {
      const once = upgradeLine(table, value);
      expect(upgradeLine(table, once)).toEqual(once);
      if (typeof value === "object" && value !== null && once !== undefined)
        expect(Object.keys(once as object)).toEqual(expect.arrayContaining(Object.keys(value)));
    }),
  );
});

test.each([
  [["https://example.com", ""], ["https://example.com"]],
  [[""], ["https://nowhere.invalid"]],
  [[null], ["https://nowhere.invalid"]],
  [
    [["https://a.example"], ["https://b.example"]],
    ["https://a.example", "https://b.example"],
  ],
  [[], []],
])("sites %j become %j", (allowedOrigins, become) => {
  expect(upgradeLine("agents", { allowedOrigins })).toMatchObject({ allowedOrigins: become });
});

test.each([
  [["C0123ABCD", "nowhere"], ["C0123ABCD"]],
  [["nowhere"], ["C00"]],
  [[], []],
])("channels %j become %j", (channels, become) => {
  expect(upgradeLine("apps", { channels })).toMatchObject({ channels: become });
});

test("an invitation that nobody can accept is left out", () => {
  expect(upgradeLine("team_users", { email: "nobody", userId: null })).toBeUndefined();
  expect(upgradeLine("team_users", { email: "nobody", userId: "1" })).toEqual({
    email: "nobody",
    userId: "1",
  });
  expect(upgradeLine("team_users", { email: "ada@example.com", userId: null })).toBeDefined();
});

test("a team that shows no name gets one", () => {
  expect(upgradeTeam({ name: "\u202e", codename: "a" })).toEqual({ name: "Unnamed", codename: "a" });
});
