// `npm run admin -- EMAIL`, with the stack's own data folder.
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { newPerson } from "../support/api.ts";

const run = promisify(execFile);
const makeAdmin = (args: string[], env: Record<string, string> = {}) =>
  run("node_modules/.bin/tsx", ["supabase/local/make-admin.ts", ...args], {
    env: { ...process.env, ...env },
  });

test("the command makes a registered user a platform admin, and nobody else", async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  expect((await person.get("/v1/health")).status).toBe(403);
  const { stdout } = await makeAdmin([person.email.toUpperCase()]);
  expect(stdout).toContain("is a platform admin.");
  expect((await person.get("/v1/health")).status).toBe(200);
  expect((await other.get("/v1/health")).status).toBe(403);
});

test.each([
  [["nobody@parley.test"], /Nobody has registered as nobody@parley\.test/],
  [["admin"], /Say whose account it is/],
  [[], /Say whose account it is/],
])("the command rejects %j with a sentence", async (args, sentence) => {
  await expect(makeAdmin(args)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(sentence),
  });
});

test("the command names a folder without an installation, and creates none", async () => {
  const folder = join(tmpdir(), `parley-none-${randomUUID()}`);
  await expect(
    makeAdmin(["someone@parley.test"], { PARLEY_DATA_DIR: folder, DATABASE_URL: "" }),
  ).rejects.toMatchObject({
    code: 1,
    stderr: `There is no installation in ${folder}: set PARLEY_DATA_DIR to its folder, or start it once with npm start.\n`,
  });
  expect(existsSync(folder)).toBe(false);
});
