// Owns requests for each API operation: a valid one, two inputs for each parameter and body field, and as many random ones as a test
// wants. Built from the API's description. The test sends them and judges the answers.

import type { Operation, Parameter } from "../../../edge-functions/v1/openapi.ts";
import type { Schema } from "../../../edge-functions/v1/openapi-examples.ts";
import fc from "../property-cases.ts";
import { arbitraryOf, type LookUp } from "./arbitrary.ts";
import { escapeForUrl, hostileJson, hostileTexts } from "./hostile.ts";

export type Described = { method: string; path: string; operation: Operation };

export interface FuzzRequest {
  call: Described;
  /** Describes the request. */
  what: string;
  /** By name and escaped; a missing one becomes the id of something that exists. */
  inPath: Partial<Record<string, string>>;
  /** Escaped, with "?". */
  query: string;
  headers: Record<string, string>;
  body?: string;
}

const json = { "Content-Type": "application/json" };

/** Cycles through a list, so that every input is used in some place and no place needs them all. */
function turning<T>(list: readonly T[]): () => T {
  let at = 0;
  return () => {
    const one = list[at % list.length];
    at += 7;
    return one as T; // The index is within the list, which is never empty.
  };
}

/** The request of the description's own examples. */
export function rightRequest(call: Described): FuzzRequest {
  const media = call.operation.requestBody?.content["application/json"];
  return {
    call,
    what: "as described",
    inPath: {},
    query: queryOf(requiredQuery(call)),
    headers: media ? json : {},
    body: media && JSON.stringify(media.example),
  };
}

const queryOf = (values: Partial<Record<string, string>>) => {
  const pairs = Object.entries(values).map(([name, value = ""]) => `${encodeURIComponent(name)}=${value}`);
  return pairs.length > 0 ? `?${pairs.join("&")}` : "";
};

const parametersIn = ({ operation }: Described, place: string): Parameter[] =>
  (operation.parameters ?? []).filter((one) => one.in === place);

const requiredQuery = (call: Described) =>
  Object.fromEntries(
    parametersIn(call, "query")
      .filter(({ required }) => required)
      .map(({ name, schema }) => [name, encodeURIComponent(String(schema?.example ?? "text"))]),
  );

/** Two requests for each parameter and each field of the body: one at the limit, and one beyond. */
export function twoForEach(calls: Described[], lookUp: LookUp): FuzzRequest[] {
  const text = turning(hostileTexts);
  const value = turning(hostileJson);
  return calls.flatMap((call) => {
    const right = rightRequest(call);
    const both = (what: string, edge: string, make: (input: string) => Partial<FuzzRequest>) =>
      [edge, escapeForUrl(text())].map((input) => ({ ...right, what, ...make(input) }));
    return [
      ...parametersIn(call, "path").flatMap(({ name, schema }) =>
        both(`{${name}}`, edgeText(schema), (input) => ({ inPath: { [name]: input } })),
      ),
      ...parametersIn(call, "query").flatMap(({ name, schema }) =>
        both(`?${name}`, edgeText(schema), (input) => ({
          query: queryOf({ ...requiredQuery(call), [name]: input }),
        })),
      ),
      ...fieldsOf(call, lookUp).flatMap(({ name, schema, others }) =>
        [edgeJson(schema, lookUp), value()].map((input) => ({
          ...right,
          what: `.${name}`,
          body: `{${[...others, `${JSON.stringify(name)}:${input}`].join()}}`,
        })),
      ),
    ];
  });
}

/** The fields of an operation's JSON body, each with the example's values for the others. */
function fieldsOf(call: Described, lookUp: LookUp): { name: string; schema: Schema; others: string[] }[] {
  const media = call.operation.requestBody?.content["application/json"];
  if (!media?.schema) return [];
  const example = typeof media.example === "object" && media.example !== null ? media.example : {};
  return Object.entries(lookUp(media.schema).properties ?? {}).map(([name, schema]) => ({
    name,
    schema,
    others: Object.entries(example)
      .filter(([other]) => other !== name)
      .map(([other, value]) => `${JSON.stringify(other)}:${JSON.stringify(value)}`),
  }));
}

type Bounds = Schema & { maxLength?: number; maximum?: number; maxItems?: number };

const edgeText = (schema: Bounds = {}) =>
  schema.maximum !== undefined ? String(schema.maximum) : "a".repeat(Math.min(schema.maxLength ?? 100, 2000));

function edgeJson(schema: Bounds, lookUp: LookUp): string {
  const { maximum, maxLength, maxItems, items } = lookUp(schema) as Bounds;
  if (maximum !== undefined) return String(maximum);
  if (maxItems !== undefined)
    return `[${Array(Math.min(maxItems, 200))
      .fill(items ? edgeJson(items, lookUp) : "0")
      .join()}]`;
  return JSON.stringify("é".repeat(Math.min(maxLength ?? 100, 20_000)));
}

/** Random requests, the same for the same seed and ids. @param ids of things that exist */
export function randomRequests(
  calls: Described[],
  lookUp: LookUp,
  ids: string[],
  count: number,
  seed: number,
): FuzzRequest[] {
  const hostile = fc.constantFrom(...hostileTexts).map(escapeForUrl);
  const inAddress = (schema: Schema = {}) =>
    fc.oneof(
      { weight: 3, arbitrary: arbitraryOf(schema, lookUp, ids).map((value) => escapeForUrl(textOf(value))) },
      { weight: 1, arbitrary: hostile },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 30 }).map(escapeForUrl) },
    );
  const request = (call: Described): fc.Arbitrary<FuzzRequest> => {
    const media = call.operation.requestBody?.content["application/json"];
    const some = (place: string) =>
      fc.record(
        Object.fromEntries(parametersIn(call, place).map(({ name, schema }) => [name, inAddress(schema)])),
        { requiredKeys: [] },
      );
    const body = media?.schema
      ? fc.oneof(
          {
            weight: 8,
            arbitrary: arbitraryOf(media.schema, lookUp, ids).map((value) => JSON.stringify(value)),
          },
          { weight: 1, arbitrary: fc.json() },
          { weight: 1, arbitrary: fc.constantFrom(...hostileJson) },
        )
      : fc.constant(undefined);
    return fc.record({ inPath: rarely(some("path")), query: some("query"), body }).map((made) => ({
      call,
      what: "random",
      inPath: made.inPath,
      query: queryOf(made.query),
      headers: made.body === undefined ? {} : json,
      body: made.body,
    }));
  };
  return fc.sample(fc.constantFrom(...calls).chain(request), { seed, numRuns: count });
}

/** Rarely picks a wrong id, which ends most calls at once. */
const rarely = <T extends object>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<Partial<T>> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant<Partial<T>>({}) }, { weight: 1, arbitrary });

const textOf = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
