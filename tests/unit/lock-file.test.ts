// The lock file serves every machine: npm leaves out binaries that its registry lacked when it was written, and then
// `npm ci` refuses, or installs without them, where they are needed.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Locked {
  version?: string;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<string, Locked>;
};

test("names the binaries of every platform that a package has them for", () => {
  const missing = Object.entries(packages).flatMap(([path, { version, optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`])
      .map((name) => `${path}@${version} wants ${name}: choose a version that the registry has whole`),
  );
  expect(missing).toEqual([]);
  expect(Object.keys(packages)).toContain("node_modules/@deno/darwin-arm64");
});
