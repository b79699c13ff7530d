// Owns the calls that tell whether the service works.
import { createRoute } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { asCaller } from "../../_shared/db.ts";
import { checkDependencies } from "../../_shared/dependencies.ts";
import { ApiError } from "../../_shared/errors.ts";
import { type AppEnv, claimsAtWork, failures, json, router, signedIn } from "../router.ts";
import { isPlatformAdmin } from "../users/queries.ts";
import { fullHealth, publicHealth, version } from "./schema.ts";

const tags = ["Health"];

/** Lets platform admins and the service in. */
const operators: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.var.caller.kind !== "service" && !(await asCaller(claimsAtWork(c), isPlatformAdmin))) {
    throw new ApiError("FORBIDDEN");
  }
  await next();
};

/** Mounted at /v1/health. */
export const health = router()
  .openapi(
    createRoute({
      method: "get",
      path: "/public",
      summary: "Tell that the service answers",
      tags,
      security: [],
      responses: { 200: json(publicHealth) },
    }),
    (c) => c.json({ status: "ok" as const, version } as const, 200),
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/",
      summary: "Tell how every dependency does",
      tags,
      description: "The state of everything that the service needs; for platform admins and the service.",
      middleware: [signedIn, operators],
      responses: { 200: json(fullHealth), ...failures },
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
    createRoute({
      method: "get",
      path: "/debug-sentry",
      summary: "Raise an error on purpose",
      tags,
      description: "Raises an error on purpose, to see it arrive in the log and in Sentry.",
      middleware: [signedIn, operators],
      responses: { ...failures },
    }),
    () => {
      throw new Error("This error was asked for by /v1/health/debug-sentry");
    },
  );
