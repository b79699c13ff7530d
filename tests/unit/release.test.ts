// One release number: in package.json, in the API's description and in the changelog.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { release } from "../../edge-functions/v1/openapi.ts";

const read = (path: string) => readFileSync(path, "utf8");

test("package.json, the lock file and the API's description have one release number", () => {
  const packages = JSON.parse(read("package.json"));
  const lock = JSON.parse(read("package-lock.json"));
  expect([packages.version, lock.version, lock.packages[""].version]).toEqual([release, release, release]);
});

test("the changelog starts with the release", () => {
  const [newest] = [...read("CHANGELOG.md").matchAll(/^## (\S+)/gm)];
  expect(newest?.[1]).toBe(release);
});

test("the licence in package.json is that of LICENSE", () => {
  expect(JSON.parse(read("package.json")).license).toBe("Apache-2.0");
  expect(read("LICENSE")).toMatch(/Apache License\s+Version 2\.0/);
});
