// Owns sample responses of /v1 for the gallery, generated from the API's own description: they contain every field that
// a page can receive, including new ones. Deterministic; does not read a database.
import { app } from "../../edge-functions/v1/app.ts";
import type { Schema } from "../../edge-functions/v1/openapi-examples.ts";
import { sourceTypes } from "../../edge-functions/v1/sources/source-types.ts";
import { textFor } from "./texts.ts";

/** The data of a page: usual rows and texts, none, or extreme names. */
export type State = "full" | "empty" | "long";

interface Described {
  paths: Record<string, Record<string, { responses: Record<string, { content?: Content }> } | undefined>>;
  components: { schemas: Record<string, Schema> };
}
type Content = Record<string, { schema?: Schema }>;

/** The gallery's current time, which near and far dates are relative to. */
export const NOW = Date.parse("2026-03-16T10:00:00Z");
const HOUR_MS = 3_600_000;
const DEEPEST = 9;
const ROWS: Record<State, number> = { full: 9, empty: 0, long: 5 };
const PARTS: Record<State, number> = { full: 3, empty: 0, long: 4 };

// The library's type allows references everywhere; this API uses them for schemas only.
const described = app.getOpenAPI31Document({
  openapi: "3.1.0",
  info: { title: "Parley", version: "1" },
}) as unknown as Described; // narrowed to the fields read here

const routes = Object.entries(described.paths).map(([path, methods]) => ({
  path,
  methods,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
}));

/** Responses that are the same for everybody. */
const fixed: Record<string, unknown> = {
  "/v1/sourceTypes": await (await sourceTypes.request("/")).json(),
};

/** Fields with a code that pages translate, which the schema only declares as text. */
const codes: [path: RegExp, field: string, code: string][] = [
  [/\/handovers/, "error", "unreachable"],
  [/\/team|\/viewer/, "codename", "editor"],
  // The team's own files are the one type without a form.
  [/\/sources\/\{id\}$/, "type", "website"],
];

interface Place {
  path: string;
  state: State;
  /** The field's name, and its index among its kind. */
  name: string;
  at: number;
  depth: number;
}

/** The id with index `at`. */
const idOf = (at: number): string => `0193a5e0-7b1a-7cc0-8f3e-${String(at).padStart(12, "0")}`;

/**
 * A sample response of the API.
 * @param path as in its description, or with parameters filled in
 * @returns undefined for an unknown call, or one without a JSON response
 */
export function sampleAnswer(method: string, path: string, state: State): unknown {
  if (fixed[path]) return fixed[path];
  const route =
    routes.find((one) => one.path === path) ??
    routes.find(({ pattern, methods }) => pattern.test(path) && methods[method.toLowerCase()]);
  const responses = route?.methods[method.toLowerCase()]?.responses ?? {};
  const [schema] = ["200", "201", "202"].flatMap(
    (status) => responses[status]?.content?.["application/json"]?.schema ?? [],
  );
  return schema && sample(schema, { path: route?.path ?? path, state, name: "", at: 0, depth: 0 });
}

const isNullable = ({ type, anyOf, oneOf }: Schema): boolean =>
  [type].flat().includes("null") || [...(anyOf ?? []), ...(oneOf ?? [])].some((one) => one.type === "null");

function sample(schema: Schema, place: Place): unknown {
  const { path, name, at, depth, state } = place;
  const code = codes.find(([pattern, field]) => field === name && pattern.test(path));
  if (code) return code[2];
  const deeper = { ...place, depth: depth + 1 };
  if (schema.const !== undefined) return schema.const;
  if (schema.$ref) {
    const named = described.components.schemas[schema.$ref.replace("#/components/schemas/", "")] ?? {};
    return depth > DEEPEST ? null : sample(named, deeper);
  }
  // Some nullable values are missing, as in real data.
  if (isNullable(schema) && (state === "empty" || (at > 0 && (at + name.length) % 4 === 0))) return null;
  if (schema.enum) {
    const values = schema.enum.filter((value) => value !== null);
    return values[at % values.length] ?? null;
  }
  const choices = (schema.oneOf ?? schema.anyOf)?.filter((one) => one.type !== "null");
  if (choices?.length) return sample(choices[at % choices.length] ?? {}, deeper);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sample(part, deeper)));
  const type = [schema.type].flat().find((one) => one !== "null");
  if (type === "object") return sampleObject(schema, place);
  if (type === "array") return sampleList(schema, place);
  if (type === "integer" || type === "number") return sampleNumber(schema, place, type === "integer");
  if (type === "boolean") return state === "long" || at % 3 !== 2;
  if (type === "string") return sampleText(schema, place);
  return null;
}

function sampleObject({ properties = {} }: Schema, place: Place): Record<string, unknown> {
  const { depth, state } = place;
  if (depth > DEEPEST) return {};
  const made = Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [
      name,
      sample(part, { ...place, name, depth: depth + 1 }),
    ]),
  );
  if ("perPage" in made && "total" in made)
    Object.assign(made, { page: 1, perPage: 20, total: { full: 187, long: 5, empty: 0 }[state] });
  return made;
}

function sampleList({ items, minItems = 0 }: Schema & { minItems?: number }, place: Place): unknown[] {
  const { state, name, depth } = place;
  if (!items || depth > DEEPEST) return [];
  const { enum: values } = items;
  if (values) return state === "empty" ? [] : values;
  const most = name === "data" || name === "" ? ROWS[state] : PARTS[state];
  const count = Math.max(most, minItems);
  return Array.from({ length: count }, (_, at) => sample(items, { ...place, at, depth: depth + 1 }));
}

function sampleNumber(
  schema: Schema & { maximum?: number },
  { state, name, at }: Place,
  isWhole: boolean,
): number {
  const { minimum = 0, maximum } = schema;
  if (maximum !== undefined && maximum <= 1) return Number((maximum * (0.92 - at * 0.11)).toFixed(2));
  const usual = { full: 14 + at * 37, empty: 0, long: 1_284_517 + at * 731 }[state];
  const value = /day|hour|rank|page|position|index|number|line|at$/i.test(name) ? at + 1 : usual;
  const within = Math.min(maximum ?? value, Math.max(minimum, value));
  return isWhole ? Math.round(within) : within;
}

function sampleText(schema: Schema & { maxLength?: number; pattern?: string }, place: Place): string {
  const { state, name, at } = place;
  const moment = new Date(NOW - at * at * 7 * HOUR_MS - HOUR_MS).toISOString();
  if (schema.format === "uuid") return idOf(at + 1);
  if (schema.format === "date-time") return moment;
  if (schema.format === "date") return moment.slice(0, 10);
  const text = textFor(name, at, state === "long", schema.format);
  return text.slice(0, schema.maxLength ?? text.length);
}
