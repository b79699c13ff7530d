// Route declarations are enforced: every API call has one, and a declared permission is checked.
import { describe, expect, test } from "vitest";
import { app } from "../../edge-functions/v1/app.ts";
import { toApiError } from "../../edge-functions/v1/problems.ts";
import { declarationAt, findDeclaration, routes } from "../../edge-functions/v1/route.ts";
import { router } from "../../edge-functions/v1/router.ts";

const calls = app.openAPIRegistry.definitions.flatMap((definition) =>
  definition.type === "route" ? [definition.route] : [],
);
const declarationOf = (method: string, path: string) =>
  declarationAt(app, method.toUpperCase(), `/v1${path}`.replaceAll(/\{\w+\}/g, "x"));

describe("every call", () => {
  test("declares its access, and the description has the same security", () => {
    const wrong = calls.filter(({ method, path, security }) => {
      const access = declarationOf(method, path)?.access;
      return access === undefined || (access === "open") !== (security?.length === 0);
    });
    expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    expect(calls.length).toBeGreaterThan(150);
  });

  test("below /v1/admin is for platform admins, and no other is", () => {
    const admins = calls.filter(
      ({ method, path }) => declarationOf(method, path)?.access === "platformAdmin",
    );
    expect(admins.map(({ path }) => path)).toEqual(
      calls.map(({ path }) => path).filter((path) => path.startsWith("/admin/")),
    );
  });

  test("below a team checks a permission there", () => {
    const silent = calls.filter(
      ({ method, path }) => path.startsWith("/teams/{teamId}/") && !declarationOf(method, path)?.permission,
    );
    expect(silent.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});

test("a declared permission that is not checked is an error", async () => {
  const route = routes({ tags: ["Things"], access: "anyone" });
  const things = router();
  things.use("*", findDeclaration(things));
  things.openapi(
    route({
      method: "get",
      path: "/things",
      permission: "things.read",
      responses: { 204: { description: "" } },
    }),
    (c) => c.body(null, 204),
  );
  things.onError((error, c) => c.json({ message: toApiError(error).extra.cause?.toString() }, 500));
  const answer = await things.request("/things");
  expect(answer.status).toBe(500);
  expect(await answer.text()).toContain("things.read");
});
