// Owns the examples in the OpenAPI document: one value per schema, derived from the schema. Pure.

/** A JSON schema as in OpenAPI 3.1, reduced to the fields used here. */
export type Schema = {
  $ref?: string;
  example?: unknown;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  type?: string | string[];
  format?: string;
  minLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
};

const byFormat: Record<string, string> = {
  uuid: "0193a5e0-7b1a-7cc0-8f3e-2f6d0c1a9b42",
  "date-time": "2026-01-31T09:30:00.000Z",
  date: "2026-01-31",
  email: "ada@example.com",
  uri: "https://example.com/",
  password: "correct-horse-1",
  binary: "…",
};
const deepest = 8;

/**
 * Derives a value that matches a schema.
 * @param lookUp resolves a $ref
 */
export function exampleOf(schema: Schema, lookUp: (ref: string) => Schema, depth = 0): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.const !== undefined) return schema.const;
  if (schema.$ref) return depth > deepest ? null : exampleOf(lookUp(schema.$ref), lookUp, depth + 1);
  if (schema.enum) return schema.enum.find((value) => value !== null) ?? null;
  if (schema.default !== undefined) return schema.default;
  const choice = (schema.oneOf ?? schema.anyOf)?.find((one) => one.type !== "null");
  if (choice) return exampleOf(choice, lookUp, depth + 1);
  if (schema.allOf) {
    return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, lookUp, depth + 1)));
  }
  const type = [schema.type].flat().find((one) => one !== "null");
  switch (type) {
    case "object":
      return exampleObject(schema, lookUp, depth);
    case "array":
      return depth > deepest || !schema.items ? [] : [exampleOf(schema.items, lookUp, depth + 1)];
    case "string":
      return byFormat[schema.format ?? ""] ?? "text".padEnd(schema.minLength ?? 0, "-");
    case "integer":
    case "number":
      return schema.minimum ?? (schema.exclusiveMinimum ?? -1) + 1;
    case "boolean":
      return true;
    default:
      return null;
  }
}

function exampleObject(schema: Schema, lookUp: (ref: string) => Schema, depth: number): unknown {
  if (depth > deepest) return {};
  const entries = Object.entries(schema.properties ?? {});
  return Object.fromEntries(entries.map(([name, part]) => [name, exampleOf(part, lookUp, depth + 1)]));
}
