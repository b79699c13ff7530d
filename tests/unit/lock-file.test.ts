// The lock file serves every platform. npm omits binaries that its registry lacked when it was written; `npm ci` then fails where they are
// needed, or installs without them.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Locked {
  version?: string;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<string, Locked>;
};

test("the lock file lists the binaries of every platform that a package has them for", () => {
  const missing = Object.entries(packages).flatMap(([path, { version, optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`])
      .map((name) => `${path}@${version} wants ${name}: choose a version that the registry has whole`),
  );
  expect(missing).toEqual([]);
  expect(Object.keys(packages)).toContain("node_modules/@deno/darwin-arm64");
});
