// Owns random values for a JSON schema: mostly valid, sometimes not. Does not send them.

import type { Schema } from "../../../edge-functions/v1/openapi-examples.ts";
import fc from "../property-cases.ts";
import { hostileTexts } from "./hostile.ts";

/** The schema itself, or the one behind its $ref. */
export type LookUp = (schema: Schema) => Schema;

type Bounded = Schema & { maxLength?: number; maximum?: number; maxItems?: number; required?: string[] };

const deepest = 5;

export function arbitraryOf(schema: Schema, lookUp: LookUp, ids: string[], depth = 0): fc.Arbitrary<unknown> {
  const one = lookUp(schema) as Bounded;
  const inner = (part: Schema) => arbitraryOf(part, lookUp, ids, depth + 1);
  if (depth > deepest) return fc.constant(null);
  if (one.enum) return often(fc.constantFrom<unknown>(...one.enum));
  const choices = one.oneOf ?? one.anyOf;
  if (choices) return fc.oneof(...choices.map(inner));
  if (one.allOf)
    return fc.tuple(...one.allOf.map(inner)).map((parts) => Object.assign({}, ...parts) as unknown);
  const types = [one.type ?? []].flat();
  const arbitraries = types.map((type) => ofType(type, one, inner, ids));
  return arbitraries.length > 0 ? often(fc.oneof(...arbitraries)) : fc.jsonValue({ maxDepth: 2 });
}

const often = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 14, arbitrary }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) });

function ofType(
  type: string,
  schema: Bounded,
  inner: (part: Schema) => fc.Arbitrary<unknown>,
  ids: string[],
): fc.Arbitrary<unknown> {
  switch (type) {
    case "object":
      return objects(schema, inner);
    case "array":
      return fc.array(schema.items ? inner(schema.items) : fc.jsonValue(), {
        maxLength: Math.min(schema.maxItems ?? 4, 4) + 1,
      });
    case "string":
      return texts(schema, ids);
    case "integer":
    case "number":
      return numbers(schema, type === "integer");
    case "boolean":
      return fc.boolean();
    default:
      return fc.constant(null);
  }
}

function objects(schema: Bounded, inner: (part: Schema) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inner(part)])),
    { requiredKeys: required.filter((name) => name in properties) },
  );
  const unknown = fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 });
  return fc.oneof(
    { weight: 9, arbitrary: known },
    { weight: 1, arbitrary: fc.tuple(known, unknown).map(([a, b]) => ({ ...b, ...a })) },
  );
}

function texts(schema: Bounded, ids: string[]): fc.Arbitrary<string> {
  const { format, maxLength = 100, example } = schema;
  const free = fc.string({ unit: "grapheme", maxLength: Math.min(maxLength, 120) });
  const fitting: Record<string, fc.Arbitrary<string>> = {
    uuid: fc.oneof(fc.constantFrom(...ids), fc.uuid()),
    "date-time": fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    date: fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
    email: fc.emailAddress(),
    uri: fc.webUrl(),
  };
  return fc.oneof(
    { weight: 5, arbitrary: fitting[format ?? ""] ?? free },
    { weight: 2, arbitrary: fc.constantFrom(...hostileTexts) },
    { weight: 2, arbitrary: typeof example === "string" ? fc.constant(example) : free },
    { weight: 1, arbitrary: fc.constantFrom(...ids) },
  );
}

function numbers({ minimum = 0, maximum = 1000 }: Bounded, whole: boolean): fc.Arbitrary<number> {
  const within = whole
    ? fc.integer({ min: Math.ceil(minimum), max: Math.max(Math.ceil(minimum), Math.floor(maximum)) })
    : fc.double({ min: minimum, max: maximum, noNaN: true });
  return fc.oneof(
    { weight: 6, arbitrary: within },
    { weight: 1, arbitrary: fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1) },
    { weight: 1, arbitrary: fc.maxSafeInteger() },
    { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  );
}
