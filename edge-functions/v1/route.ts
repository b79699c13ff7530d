// Owns how a call of /v1 is declared: who may make it, in which team and with which permission, what its body is and how often it
// may be made. Everything that happens around the call reads its declaration; nothing decides by the text of a path.
import { createRoute, type RouteConfig, type RouteHandler } from "@hono/zod-openapi";
import type { Context, ErrorHandler, Hono, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { type Access, admit } from "./access.ts";
import type { Upload } from "./bodies.ts";
import { type CallLimit, limitCalls } from "./call-limits.ts";
import { type AppEnv, failures } from "./router.ts";

/** What a call says of itself beside its shape. */
export interface Declaration {
  /** Who may make it; absent: whoever has an account, by session or by key. */
  access?: Access;
  /** What the caller must be allowed in the call's team. workInTeam() and its siblings ask for it. */
  permission?: string;
  /** Which of the path's parameters names the team; absent: teamId. */
  team?: string;
  /** How often one address and one caller may make it, beside the limits that every call has. */
  limit?: CallLimit;
  /** For a body that streams to storage. Any other body is JSON of at most a megabyte. */
  upload?: Upload;
  /**
   * Strangers may send it again with an Idempotency-Key: the answer tells no more than the body itself does, and opens no more
   * than the password in it. Elsewhere it may be a token, which whoever chose the same key would get.
   */
  strangersMayRepeat?: true;
  /** It takes If-Match: its row stays as it is where that is not the row's version. See ./row-versions.ts. */
  versioned?: true;
  /** How its failures are told, where that is not the common way. */
  tellFailure?: ErrorHandler<AppEnv>;
}

/** A declaration as the middlewares read it. */
export interface Declared extends Declaration {
  access: Access;
  /** The content type that its body is described with. */
  bodyType?: string;
}

type Declarable = Omit<RouteConfig, "path" | "middleware"> & Declaration;
type Route<P extends string, R extends Declarable & { path: P }> = ReturnType<typeof createRoute<P, R>>;

/** What stands at an address that no call has. */
const undeclared: Declared = { access: "anyone" };
const declarations = new WeakMap<object, Declared>();

/** A middleware that does what a call declares, and by which the declaration is found again. */
export function declare(declared: Declared): MiddlewareHandler<AppEnv> {
  const gate: MiddlewareHandler<AppEnv> = async (c, next) => {
    await admit(declared.access, c);
    if (declared.limit) await limitCalls(declared.limit, c);
    await next();
    if (declared.permission && c.res.ok && !c.var.isTeamAsked) {
      throw new Error(
        `${c.req.method} ${c.req.path} declares ${declared.permission}, and nothing asked for it`,
      );
    }
  };
  declarations.set(gate, declared);
  return gate;
}

/** Makes the function that declares a resource's calls. @param shared what all of them have in common */
export function routes(shared: Declaration & { tags: string[] }) {
  return <P extends string, R extends Declarable & { path: P }>(own: R): Route<P, R> => {
    const {
      access = "account",
      permission,
      team,
      limit,
      upload,
      strangersMayRepeat,
      versioned,
      tellFailure,
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
        versioned,
        tellFailure,
        bodyType,
      }),
      responses: { ...described.responses, ...failures },
      // The type tells of what the typed client and the handlers read; the rest is for the document and the middlewares.
    }) as unknown as Route<P, R>;
  };
}

/** What a route declares. */
export function declarationOf(route: object): Declared {
  const gate: unknown = Reflect.get(route, "middleware");
  return (typeof gate === "function" && declarations.get(gate)) || undeclared;
}

/** A route with its handler, for calls that stand at two addresses: `.openapi(...list)`. */
export const call = <R extends RouteConfig>(route: R, handler: RouteHandler<R, AppEnv>) =>
  [route, handler] as const;

/** The first middleware: finds what the call declares. */
export const findDeclaration: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.set("route", declarationIn(matchedRoutes(c as Context)) ?? undeclared);
  await next();
};

/** What the call at an address declares; undefined where there is none. */
export function declarationAt(app: Pick<Hono<AppEnv>, "router">, method: string, path: string) {
  return declarationIn(app.router.match(method, path)[0].map(([[, route]]) => route));
}

function declarationIn(matched: { handler: object }[]): Declared | undefined {
  for (const { handler } of matched) {
    const declared = declarations.get(handler);
    if (declared) return declared;
  }
}
