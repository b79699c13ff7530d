// Owns deriving a platform admins' endpoint for every team from a team's endpoint. Method, permission, schemas and handler are the same.
// The path does not name the team: it comes from a filter, a body field or the row.
import type { RouteConfig, RouteHandler } from "@hono/zod-openapi";
import type { Context } from "hono";
import { z } from "zod";
import { asCaller } from "../../_shared/database/db.ts";
import { declarationOf, routes } from "../route.ts";
import { type AppEnv, claimsOf, oneById } from "../router.ts";
import { filteredTeam, teamOf } from "./place.ts";

const route = routes({ tags: ["Admin"], access: "platformAdmin" });

type Own = Pick<RouteConfig, "path" | "summary" | "description">;
type Asked = Pick<RouteConfig, "request">;
type Call<R extends RouteConfig> = readonly [R, RouteHandler<R, AppEnv>];
type Kept<R extends RouteConfig> = Pick<R, "method" | "responses">;
type Of<R> = R extends { request: infer Request } ? Request : object;

/** For an endpoint that names the team itself, or none. Only its summary and description change. */
export function samePath<const R extends RouteConfig, const O extends Own>(
  [teamRoute, handler]: Call<R>,
  own: O,
) {
  return derive<R, O & Kept<R> & { request: Of<R> }>(teamRoute, handler, {
    request: teamRoute.request,
    ...own,
  });
}

/** For an endpoint of one row, /{teamId}/apiKeys/{id}: its team is looked up in the table that the path names, public.api_keys. */
export function anyRow<const R extends RouteConfig, const O extends Own>(
  [teamRoute, handler]: Call<R>,
  own: O,
) {
  const table = tableOf(teamRoute.path);
  const find = (c: Context<AppEnv>) =>
    asCaller(claimsOf(c), (tx) => teamOf(tx, table, c.req.param("id") ?? ""));
  const request = { ...teamRoute.request, params: oneById };
  return derive<R, O & Kept<R> & { request: Omit<Of<R>, "params"> & { params: typeof oneById } }>(
    teamRoute,
    inTeamFrom(find, handler),
    { request, ...own },
  );
}

function tableOf(path: string): string {
  const [, name] = /^\/\{teamId\}\/(\w+)\/\{id\}/.exec(path) ?? [];
  if (!name) throw new Error(`${path} is not the path of a team's row`);
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** For an endpoint that names its team as `teamId`: an optional filter of a list, or a field of a body. */
export function everyTeam<const R extends RouteConfig, const O extends Own & Asked>(
  [teamRoute, handler]: Call<R>,
  place: "query" | "json",
  own: O,
) {
  const find = async (c: Context<AppEnv>) => {
    // The validators stored it there. The handler does not know the field and receives the rest.
    const { teamId, ...rest } = named.parse(c.req.valid(place as never));
    c.req.addValidatedData(place, rest);
    return place === "json"
      ? (teamId ?? null)
      : await asCaller(claimsOf(c), (tx) => filteredTeam(tx, teamId));
  };
  return derive<R, O & Kept<R>>(teamRoute, inTeamFrom(find, handler), own);
}

const named = z.looseObject({ teamId: z.string().optional() });

function inTeamFrom(find: (c: Context<AppEnv>) => Promise<string | null>, handler: unknown) {
  return async (c: Context<AppEnv>, next: () => Promise<void>) => {
    c.set("team", { id: await find(c) });
    // The two endpoints' types differ in where the team is named, which a handler does not read.
    return await (handler as (c: Context<AppEnv>, next: () => Promise<void>) => Promise<Response>)(c, next);
  };
}

function derive<R extends RouteConfig, D extends RouteConfig>(
  teamRoute: R,
  handler: unknown,
  own: Own & Asked,
) {
  const { method, responses } = teamRoute;
  const { permission, versioned } = declarationOf(teamRoute);
  const derived = route({ permission, versioned, ...own, method, responses });
  // The callers assemble the types: TypeScript does not infer those of a derived route.
  return [derived, handler] as unknown as readonly [
    D & { getRoutingPath(): string },
    RouteHandler<D, AppEnv>,
  ];
}
