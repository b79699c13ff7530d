// Owns the health endpoints.
import { checkDependencies } from "../../_shared/operation/dependencies.ts";
import { routes } from "../route.ts";
import { json, router } from "../router.ts";
import { fullHealth, publicHealth, version } from "./schema.ts";

const route = routes({ tags: ["Health"] });

/** Mounted at /v1/health. */
export const health = router()
  .openapi(
    route({
      method: "get",
      path: "/public",
      access: "open",
      summary: "Check that the service answers",
      responses: { 200: json(publicHealth) },
    }),
    (c) => c.json({ status: "ok" as const, version } as const, 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/",
      access: "operator",
      summary: "Read the status of every dependency",
      responses: { 200: json(fullHealth) },
    }),
    async (c) => {
      const dependencies = await checkDependencies();
      const well = Object.values(dependencies).every(({ status }) => status === "ok");
      return c.json(
        { status: well ? ("ok" as const) : ("degraded" as const), version, dependencies } as const,
        200,
      );
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/debug-sentry",
      access: "operator",
      summary: "Raise a test error",
      description: "Tests that errors arrive in the log and in Sentry.",
      responses: {},
    }),
    () => {
      throw new Error("This error was asked for by /v1/health/debug-sentry");
    },
  );
