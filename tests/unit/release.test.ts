// One number names the release: in package.json, in the API's description and in the changelog.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { release } from "../../edge-functions/v1/openapi.ts";

const read = (path: string) => readFileSync(path, "utf8");

test("package.json, its lock file and the API's description name one release", () => {
  const packages = JSON.parse(read("package.json"));
  const lock = JSON.parse(read("package-lock.json"));
  expect([packages.version, lock.version, lock.packages[""].version]).toEqual([release, release, release]);
});

test("the changelog begins with the release", () => {
  const [newest] = [...read("CHANGELOG.md").matchAll(/^## (\S+)/gm)];
  expect(newest?.[1]).toBe(release);
});

test("the licence that package.json names is the one in LICENSE", () => {
  expect(JSON.parse(read("package.json")).license).toBe("Apache-2.0");
  expect(read("LICENSE")).toMatch(/Apache License\s+Version 2\.0/);
});
