// What is refused first: a method that a path lacks, then the caller, then the body.
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { anyone, as, newPerson } from "../support/api.ts";
import { operationsOf, readDescription } from "../support/description.ts";

type Operations = ReturnType<typeof operationsOf>;
let operations: Operations;

beforeAll(async () => {
  operations = operationsOf(await readDescription());
});

/** A path with an id in the place of each parameter. */
const fillIds = (path: string) => path.replaceAll(/\{\w+\}/g, randomUUID());
const countParameters = (path: string) => path.match(/\{/g)?.length ?? 0;

/** True for a path that matches another one by more parameters. */
function isMoreGeneral(pattern: string, path: string): boolean {
  const [parts, wanted] = [pattern.split("/"), path.split("/")];
  return (
    countParameters(pattern) > countParameters(path) &&
    parts.length === wanted.length &&
    parts.every((part, index) => part.startsWith("{") || part === wanted[index])
  );
}

test("a literal path lacks the methods that only its siblings by id have", async () => {
  const literal = new Set(
    operations
      .map(({ path }) => path)
      .filter((path) => operations.some((other) => isMoreGeneral(other.path, path))),
  );
  const answers = [];
  for (const path of literal) {
    const own = operations.filter((one) => one.path === path).map(({ method }) => method.toUpperCase());
    for (const method of ["GET", "POST", "PUT", "DELETE"].filter((one) => !own.includes(one))) {
      const { status, headers, body } = await anyone.call(method, fillIds(path));
      const allowed = headers.get("Allow")?.split(", ").sort();
      answers.push([`${method} ${path}`, status, body.code, allowed]);
      if (path.startsWith("/v1/admin/"))
        expect(answers.at(-1)).toEqual([`${method} ${path}`, 404, "NOT_FOUND", undefined]);
      else expect(answers.at(-1)).toEqual([`${method} ${path}`, 405, "METHOD_NOT_ALLOWED", own.toSorted()]);
    }
  }
  expect(answers.length).toBeGreaterThan(20);
});

test("whoever may not call is told so, whatever the body is", async () => {
  const forAnyone = [
    "/v1/support/tickets",
    "/v1/streams",
    "/v1/streams/openai/chat/completions",
    "/v1/agents/{agentId}/chats",
  ];
  const strange = { headers: { "Content-Type": "image/x-strange" } };
  const wrong: unknown[] = [];
  for (const { method, path, operation } of operations) {
    if (!operation.requestBody || operation.security?.length === 0) continue;
    const forged = await as("not-a-token").call(method.toUpperCase(), fillIds(path), "{", strange);
    if (forged.status !== 401 || forged.headers.get("WWW-Authenticate") !== "Bearer")
      wrong.push([method, path, forged.status, forged.body.code]);
    const without = await anyone.call(method.toUpperCase(), fillIds(path), "{", strange);
    const refused = path.startsWith("/v1/admin/") ? 404 : 401;
    if (without.status !== (forAnyone.includes(path) ? 415 : refused))
      wrong.push([method, path, "without", without.status]);
  }
  expect(wrong).toEqual([]);
});

test("an empty body is called empty", async () => {
  const json = { headers: { "Content-Type": "application/json" } };
  const person = await newPerson();
  expect(await person.call("POST", "/v1/teams", "", json)).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", message: "The body is empty. Send JSON." },
  });
});
