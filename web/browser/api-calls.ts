// The calls of /v1 as types, read from the API's own routes and schemas: which paths there are, what they take and what
// they answer. Types alone cross over from edge-functions/; nothing of the API reaches a bundle.
import type { ExtractSchema } from "hono/types";
import type { Api } from "../../edge-functions/v1/app.ts";

type Calls = ExtractSchema<Api>;

/** /v1/teams/:id as the API's description writes it: /v1/teams/{id}. */
type Braced<Path extends string> = Path extends `${infer Start}/:${infer Name}/${infer End}`
  ? Braced<`${Start}/{${Name}}/${End}`>
  : Path extends `${infer Start}/:${infer Name}`
    ? `${Start}/{${Name}}`
    : Path;

type ByPath = { [Path in keyof Calls & string as Braced<Path>]: Calls[Path] };

export type Method = "GET" | "POST" | "PUT" | "DELETE";
type Name<M extends Method> = `$${Lowercase<M>}`;

/** The paths that take a method. */
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

/** What stands in a path and what follows its "?", in one object: { teamId, name, page }. */
export type InputOf<M extends Method, Path extends PathOf<M>> =
  unknown extends Input<CallOf<M, Path>> ? Record<string, never> : Input<CallOf<M, Path>>;
/** The input, which may be left out where nothing in it is needed. */
type InputArgument<M extends Method, Path extends PathOf<M>> =
  Record<never, never> extends InputOf<M, Path> ? [input?: InputOf<M, Path>] : [input: InputOf<M, Path>];

/** A body as a form gives it: the fields and their kinds are checked here, the words in them by the API. */
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
/** The JSON of an answer; undefined where a call answers without any. */
export type AnswerOf<M extends Method, Path extends PathOf<M>> = [Output<CallOf<M, Path>>] extends [never]
  ? undefined
  : Output<CallOf<M, Path>>;

/** JSON of a GET: get("/v1/teams/{teamId}/agents", { teamId, page: 2 }). */
export type Get = <Path extends PathOf<"GET">>(
  path: Path,
  ...input: InputArgument<"GET", Path>
) => Promise<AnswerOf<"GET", Path>>;

/** Sends a JSON body; the answer is undefined where there is none. `version`: the row's, as it was read; another one's is a CONFLICT. */
export type Send = <M extends Exclude<Method, "GET">, Path extends PathOf<M>>(
  method: M,
  path: Path,
  input: InputOf<M, Path>,
  ...sent: SentArguments<M, Path>
) => Promise<AnswerOf<M, Path>>;

/** The paths of what can be deleted and restored. */
export type RestorablePath = {
  [Path in PathOf<"DELETE">]: `${Path}/restore` extends PathOf<"POST"> ? Path : never;
}[PathOf<"DELETE">];

const isVersion = /^[\da-f]{32}$/;
/** What a call says of the version that it changes. A form can hold anything: what no row has and a header may carry stands for it. */
export const versionHeader = (version: string | undefined): Record<string, string> =>
  version ? { "if-match": `"${isVersion.test(version) ? version : "none"}"` } : {};

/**
 * The address of a call: what the path names is put in its place, the rest of the input becomes the query.
 * A part that would lead elsewhere ("", ".", "..") becomes a name that no resource has, so that the API says 404.
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
