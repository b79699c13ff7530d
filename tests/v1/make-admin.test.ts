// `npm run admin -- EMAIL`, with the stack's own data folder.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { newPerson } from "../support/api.ts";

const run = promisify(execFile);
const makeAdmin = (...args: string[]) =>
  run("node_modules/.bin/tsx", ["supabase/local/make-admin.ts", ...args], { env: process.env });

test("the command makes a registered user a platform admin, and nobody else", async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  expect((await person.get("/v1/health")).status).toBe(403);
  const { stdout } = await makeAdmin(person.email.toUpperCase());
  expect(stdout).toContain("is a platform admin.");
  expect((await person.get("/v1/health")).status).toBe(200);
  expect((await other.get("/v1/health")).status).toBe(403);
});

test.each([
  [["nobody@parley.test"], /Nobody has registered as nobody@parley\.test/],
  [["admin"], /Say whose account it is/],
  [[], /Say whose account it is/],
])("the command rejects %j with a sentence", async (args, sentence) => {
  await expect(makeAdmin(...args)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(sentence),
  });
});
