// Owns the declaration of an endpoint of /v1: who may call it, in which team and with which permission, its body and its rate limit. All
// middleware reads this declaration; none decides by the text of a path.
import { createRoute, type RouteConfig, type RouteHandler } from "@hono/zod-openapi";
import type { Context, Hono, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { type Access, admit } from "./access.ts";
import type { Upload } from "./bodies.ts";
import { type CallLimit, limitCalls } from "./call-limits.ts";
import { type AppEnv, failures } from "./router.ts";

/** What an endpoint declares in addition to its schemas. */
export interface Declaration {
  /** Who may call it; absent: any account, by session or by API key. */
  access?: Access;
  /** The permission that the caller needs in the team. workInTeam() and its siblings check it. */
  permission?: string;
  /** The path parameter that names the team; absent: teamId. */
  team?: string;
  /** Rate limit per address and per caller, in addition to the limits of every endpoint. */
  limit?: CallLimit;
  /** For a body that is streamed to storage. Any other body is JSON of at most a megabyte. */
  upload?: Upload;
  /**
   * Allows anonymous callers to use Idempotency-Key: the response reveals no more than the body itself, and gives no more access than the
   * password in it. Elsewhere a response may contain a token, and any caller with the same key would get it.
   */
  strangersMayRepeat?: true;
  /** Ignores Idempotency-Key: nothing is stored, so a repeated call has no further effect, and answers by what the caller may see then. */
  answersAnew?: true;
  /** The field of the body that names the agent to ask. */
  agentIn?: "model" | "agentId";
  /** Accepts If-Match: the row is not changed unless it has that version. See ./row-versions.ts. */
  versioned?: true;
}

/** A declaration as the middleware reads it. */
export interface Declared extends Declaration {
  access: Access;
  /** The content type of its body in the OpenAPI document. */
  bodyType?: string;
  /** Whether it declares no body, and refuses the fields of one. */
  takesNothing?: boolean;
}

type Declarable = Omit<RouteConfig, "path" | "middleware"> & Declaration;
type Route<P extends string, R extends Declarable & { path: P }> = ReturnType<typeof createRoute<P, R>>;

/** For a path without an endpoint. */
const undeclared: Declared = { access: "anyone" };
const declarations = new WeakMap<object, Declared>();

/** A middleware that enforces a declaration. The declaration is looked up by it. */
export function declare(declared: Declared): MiddlewareHandler<AppEnv> {
  const gate: MiddlewareHandler<AppEnv> = async (c, next) => {
    // A router that runs without the app has looked nothing up.
    if (c.var.route === undefined) await admit(declared.access, c);
    else if (c.var.route !== declared) return await c.notFound();
    if (declared.limit) await limitCalls(declared.limit, c);
    await next();
    if (declared.permission && c.res.ok && !c.var.isTeamAsked) {
      throw new Error(
        `${c.req.method} ${c.req.path} declares ${declared.permission}, but its handler did not check it`,
      );
    }
  };
  declarations.set(gate, declared);
  return gate;
}

/** Creates the function that declares a resource's endpoints. @param shared what all of them have in common */
export function routes(shared: Declaration & { tags: string[] }) {
  return <P extends string, R extends Declarable & { path: P }>(own: R): Route<P, R> => {
    const {
      access = "account",
      permission,
      team,
      limit,
      upload,
      strangersMayRepeat,
      answersAnew,
      agentIn,
      versioned,
      ...described
    } = {
      ...shared,
      ...own,
    };
    const [bodyType] = Object.keys(own.request?.body?.content ?? {});
    return createRoute({
      ...described,
      ...(access === "open" && { security: [] }),
      middleware: declare({
        access,
        permission,
        team,
        limit,
        upload,
        strangersMayRepeat,
        answersAnew,
        agentIn,
        versioned,
        bodyType,
        takesNothing: bodyType === undefined,
      }),
      responses: { ...described.responses, ...failures },
      // The type covers what the typed client and the handlers read; the rest is for the OpenAPI document and the middleware.
    }) as unknown as Route<P, R>;
  };
}

/** The declaration of a route. */
export function declarationOf(route: object): Declared {
  const gate: unknown = Reflect.get(route, "middleware");
  return (typeof gate === "function" && declarations.get(gate)) || undeclared;
}

/** A route with its handler, for endpoints mounted at two paths: `.openapi(...list)`. */
export const call = <R extends RouteConfig>(route: R, handler: RouteHandler<R, AppEnv>) =>
  [route, handler] as const;

type Routed = Pick<Hono<AppEnv>, "router">;
type Endpoint = { path: string; declared: Declared };

/** The first middleware: looks up the endpoint's declaration. None for a method that only a more general path has. */
export const findDeclaration =
  (app: Routed): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const found = endpointIn(matchedRoutes(c as Context));
    const isOwn =
      found && (!mayBeLiteral(found.path, c.req.path) || endpointsAt(app, c.req.path).has(methodOf(c)));
    c.set("route", isOwn ? found.declared : undeclared);
    await next();
  };

/** Hono answers HEAD as GET. */
const methodOf = (c: Context) => (c.req.method === "HEAD" ? "GET" : c.req.method);

/** True when the path ends with a parameter whose value is not an id, so that a literal path may have the same text. */
const mayBeLiteral = (path: string, called: string) =>
  /\/:[^/]+$/.test(path) && !/\/[0-9a-f-]{36}$/i.test(called);

/** The declaration of the endpoint at a path; undefined if there is none. */
export function declarationAt(app: Routed, method: string, path: string): Declared | undefined {
  return endpointAt(app, method, path)?.declared;
}

const methodsOfCalls = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** The endpoints at a path by method. Of a literal path only its own: /teams/import is no /teams/{id}. */
export function endpointsAt(app: Routed, path: string): Map<string, Endpoint> {
  const found = methodsOfCalls.flatMap((method) => {
    const endpoint = endpointAt(app, method, path);
    return endpoint ? [[method, endpoint] as const] : [];
  });
  const [mostLiteral] = found.map(([, { path }]) => shapeOf(path)).sort();
  return new Map(found.filter(([, { path }]) => shapeOf(path) === mostLiteral));
}

/** Sorts literal parts before parameters. */
const shapeOf = (path: string) =>
  path
    .split("/")
    .map((part) => (part.startsWith(":") ? 1 : 0))
    .join("");

/** The parameters in the path of a call, by name. The app's own middleware has none yet. */
export function paramsOf(c: Context<AppEnv>): Partial<Record<string, string>> {
  const parts = c.req.path.split("/");
  const names = endpointIn(matchedRoutes(c as Context))?.path.split("/") ?? [];
  const given = names.flatMap((name, at) =>
    name.startsWith(":") ? [[name.slice(1), decodeURIComponent(parts[at] ?? "")]] : [],
  );
  return Object.fromEntries(given);
}

function endpointAt(app: Routed, method: string, path: string): Endpoint | undefined {
  return endpointIn(app.router.match(method, path)[0].map(([[, route]]) => route));
}

function endpointIn(matched: { path: string; handler: object }[]): Endpoint | undefined {
  for (const { path, handler } of matched) {
    const declared = declarations.get(handler);
    if (declared) return { path, declared };
  }
}
