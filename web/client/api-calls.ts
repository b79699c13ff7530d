// The calls of /v1 as types, derived from the API's own routes and schemas: paths, inputs and responses. Imports only
// types from edge-functions/; no code of the API reaches a bundle.
import type { ExtractSchema } from "hono/types";
import type { Api } from "../../edge-functions/v1/app.ts";

type Calls = ExtractSchema<Api>;

/** Rewrites /v1/teams/:id as in the API's description: /v1/teams/{id}. */
type Braced<Path extends string> = Path extends `${infer Start}/:${infer Name}/${infer End}`
  ? Braced<`${Start}/{${Name}}/${End}`>
  : Path extends `${infer Start}/:${infer Name}`
    ? `${Start}/{${Name}}`
    : Path;

type ByPath = { [Path in keyof Calls & string as Braced<Path>]: Calls[Path] };

export type Method = "GET" | "POST" | "PUT" | "DELETE";
type Name<M extends Method> = `$${Lowercase<M>}`;

/** The paths that accept a method. */
export type PathOf<M extends Method> = {
  [Path in keyof ByPath]: Name<M> extends keyof ByPath[Path] ? Path : never;
}[keyof ByPath];

type CallOf<M extends Method, Path extends PathOf<M>> = ByPath[Path] extends { [Key in Name<M>]: infer Call }
  ? Call
  : never;
type Given<Call> = Call extends { input: infer Input } ? Input : never;
type Scalar = string | number | boolean | undefined;

type Params<Call> = Given<Call> extends { param: infer Values } ? { [Key in keyof Values]: string } : unknown;
type Query<Call> = Given<Call> extends { query: infer Values } ? { [Key in keyof Values]?: Scalar } : unknown;
type Input<Call> = Params<Call> & Query<Call>;

/** The path parameters and the query in one object: { teamId, name, page }. */
export type InputOf<M extends Method, Path extends PathOf<M>> =
  unknown extends Input<CallOf<M, Path>> ? Record<string, never> : Input<CallOf<M, Path>>;
/** The input, optional when all its fields are. */
type InputArgument<M extends Method, Path extends PathOf<M>> =
  Record<never, never> extends InputOf<M, Path> ? [input?: InputOf<M, Path>] : [input: InputOf<M, Path>];

/** A body as a form has it: types check the field names and their kinds, the API checks the values. */
type Typed<Value> = Value extends string
  ? string
  : Value extends number
    ? number
    : Value extends readonly (infer Item)[]
      ? Typed<Item>[]
      : Value extends object
        ? { [Key in keyof Value]: Typed<Value[Key]> }
        : Value;
export type BodyOf<M extends Method, Path extends PathOf<M>> =
  Given<CallOf<M, Path>> extends { json: infer Body } ? Typed<Body> : Record<string, never>;
type SentArguments<M extends Method, Path extends PathOf<M>> =
  Record<never, never> extends BodyOf<M, Path>
    ? [body?: BodyOf<M, Path>, version?: string]
    : [body: BodyOf<M, Path>, version?: string];

type Output<Call> = Call extends { status: 200 | 201 | 202; output: infer Json }
  ? Exclude<Json, string>
  : never;
/** The response's JSON; undefined for a call without a response body. */
export type AnswerOf<M extends Method, Path extends PathOf<M>> = [Output<CallOf<M, Path>>] extends [never]
  ? undefined
  : Output<CallOf<M, Path>>;

/** JSON of a GET: get("/v1/teams/{teamId}/agents", { teamId, page: 2 }). */
export type Get = <Path extends PathOf<"GET">>(
  path: Path,
  ...input: InputArgument<"GET", Path>
) => Promise<AnswerOf<"GET", Path>>;

/**
 * Sends a JSON body; undefined when the response has none. `version`: the row's version as it was read; if it has
 * changed since, the API answers CONFLICT.
 */
export type Send = <M extends Exclude<Method, "GET">, Path extends PathOf<M>>(
  method: M,
  path: Path,
  input: InputOf<M, Path>,
  ...sent: SentArguments<M, Path>
) => Promise<AnswerOf<M, Path>>;

/** Sends a POST: once("/v1/teams/{teamId}/agents", { teamId }, { name }). */
export type Once = <Path extends PathOf<"POST">>(
  path: Path,
  input: InputOf<"POST", Path>,
  ...sent: Record<never, never> extends BodyOf<"POST", Path>
    ? [body?: BodyOf<"POST", Path>]
    : [body: BodyOf<"POST", Path>]
) => Promise<AnswerOf<"POST", Path>>;

/** The paths of resources that can be deleted and restored. */
export type RestorablePath = {
  [Path in PathOf<"DELETE">]: `${Path}/restore` extends PathOf<"POST"> ? Path : never;
}[PathOf<"DELETE">];

/** A `version`, or an `updatedAt`. */
const isVersion = /^(?:[\da-f]{32}|\d{4}-\d\d-\d\dT[\d:.]{8,15}Z)$/;
/**
 * The If-Match header for the version being changed. A form may contain anything, so an invalid version becomes "none":
 * a valid header value that no row has.
 */
export const versionHeader = (version: string | undefined): Record<string, string> =>
  version ? { "if-match": `"${isVersion.test(version) ? version : "none"}"` } : {};

/**
 * The address of a call: path parameters are filled in, and the rest of the input becomes the query. A part that would
 * change the path ("", ".", "..") becomes a name that no resource has, so the API answers 404.
 */
export function addressOf(path: string, input: unknown): string {
  const query = new URLSearchParams();
  const parts = new Map(Object.entries(input ?? {}));
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const part = String(parts.get(name) ?? "");
    parts.delete(name);
    return /^\.{0,2}$/.test(part) ? "-" : encodeURIComponent(part);
  });
  for (const [name, value] of parts) if (value !== undefined && value !== "") query.set(name, String(value));
  return query.size > 0 ? `${filled}?${query}` : filled;
}
