// Owns malformed requests: for one operation of the API's description, requests that differ from a valid one in one place. The test sends
// them and knows what must not come back.
import type { Operation } from "../../edge-functions/v1/openapi.ts";
import type { Schema } from "../../edge-functions/v1/openapi-examples.ts";

export type Malformed = {
  /** What is wrong with it. */
  what: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** True when only a 4xx is correct. */
  refused: boolean;
};

const json = { "Content-Type": "application/json" };
const bytes = (...values: number[]) => Uint8Array.from(values);

/** Percent-encoded: a URL has them as they are. */
const brokenTexts = {
  nothing: "",
  "a NUL": "%00",
  "bytes that are no UTF-8": "%FF%FE",
  "half a character": "%ED%A0%80",
  "a broken escape": "%",
  "a slash": "%2F",
  "two dots": "%2E%2E%2F%2E%2E",
  quotes: "'%20or%20''%3D'",
  "five thousand letters": "a".repeat(5000),
  "a number beyond all": "1e999",
  "a big whole number": "9".repeat(40),
  "less than nothing": "-1",
  braces: "%7B%22%24ne%22%3Anull%7D",
  "a right-to-left mark": "%E2%80%AE%F0%9F%92%A5",
};

/** As JSON text, so that numbers beyond doubles and lone surrogates arrive unchanged. */
const brokenValues = {
  null: "null",
  "a boolean": "true",
  "a number": "12.5",
  "a number beyond all": "1e999",
  "a number below all": "-1e999",
  "a big whole number": "9".repeat(40),
  "an empty text": '""',
  "a NUL": '"\\u0000"',
  "half a character": '"\\ud800"',
  "a long text": `"${"x".repeat(30_000)}"`,
  "a text of control characters": '"\\u0007\\u001b[31m\\r\\n"',
  "an empty list": "[]",
  "a list of lists": "[[[[]]],{},null]",
  "a long list": `[${Array(2000).fill('"x"').join()}]`,
  "an empty object": "{}",
  "an object with a prototype": '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}',
};

const wholeBodies: [
  what: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers?: Record<string, string>,
][] = [
  ["half an object", '{"name": '],
  ["a bare word", "hello"],
  ["null", "null"],
  ["a list", "[]"],
  ["a text", '"text"'],
  ["a number", "1"],
  ["bytes that are no UTF-8", bytes(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d)],
  ["UTF-16", bytes(0xff, 0xfe, 0x7b, 0, 0x7d, 0)],
  ["NULs", bytes(0, 0, 0, 0)],
  ["lists in lists", "[".repeat(20_000) + "]".repeat(20_000)],
  ["objects in objects", `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`],
  ["two values", "{} {}"],
  ["a comment", "{/* name */}"],
  ["more than a mebibyte", `{"name":"${"x".repeat(1_100_000)}"}`],
  ["the wrong type: text", "{}", { "Content-Type": "text/plain" }],
  ["the wrong type: a form", "name=x", { "Content-Type": "application/x-www-form-urlencoded" }],
  ["the wrong type: an upload", "--x--", { "Content-Type": "multipart/form-data; boundary=x" }],
  ["the wrong type: nonsense", "{}", { "Content-Type": "\u00e9\u00e9" }],
  ["compression that is none", "{}", { ...json, "Content-Encoding": "gzip" }],
  ["another character set", "{}", { ...json, "Content-Type": "application/json; charset=ebcdic" }],
];

let turn = 0;

/** A different sample at each call: every kind reaches every part of the API, but not every field. */
function someOf<Kind>(all: readonly Kind[], count: number): Kind[] {
  turn += 1;
  return all.filter((_kind, index) => (index * 11 + turn) % all.length < count);
}

const some = (kinds: Record<string, string>, count: number) => someOf(Object.entries(kinds), count);

/**
 * The malformed requests for an operation.
 * @param rightPath the operation's path with existing ids
 * @param lookUp the schema behind a $ref
 */
export function malformRequests(
  method: string,
  template: string,
  operation: Operation,
  rightPath: string,
  lookUp: (ref: string) => Schema,
): Malformed[] {
  const call = { method: method.toUpperCase(), path: rightPath, headers: {}, refused: false };
  const media = operation.requestBody?.content["application/json"];
  const right = media ? { headers: json, body: JSON.stringify(media.example) } : {};
  return [
    ...inPath(template, rightPath).map(({ what, path }) => ({ ...call, ...right, what, path })),
    ...inQuery(operation).map(({ what, query }) => ({ ...call, what, path: `${rightPath}?${query}` })),
    ...inHeaders().map(({ what, headers }) => ({ ...call, what, headers })),
    ...(media?.schema ? inBody(media.schema, media.example, lookUp) : []).map((one) => ({ ...call, ...one })),
  ];
}

function inPath(template: string, rightPath: string) {
  const right = rightPath.split("/");
  return template.split("/").flatMap((part, index) =>
    part.startsWith("{")
      ? some(brokenTexts, 2).map(([what, text]) => ({
          what: `${part}: ${what}`,
          path: right.map((one, at) => (at === index ? text : one)).join("/"),
        }))
      : [],
  );
}

function inQuery({ parameters = [] }: Operation) {
  const names = parameters.filter(({ in: place }) => place === "query").map(({ name }) => name);
  return names.flatMap((name) => [
    ...some(brokenTexts, 2).map(([what, text]) => ({
      what: `?${name}: ${what}`,
      query: `${name}=${text}`,
    })),
    ...someOf(
      [
        { what: `?${name}: twice`, query: `${name}=1&${name}=2` },
        { what: `?${name}: as a list`, query: `${name}[]=1&${name}[a]=2` },
        { what: `?${name}: without a value`, query: name },
      ],
      1,
    ),
  ]);
}

function inHeaders() {
  return [
    { what: "an Idempotency-Key that is too long", headers: { "Idempotency-Key": "k".repeat(300) } },
    { what: "an Accept that is none", headers: { Accept: "///;q=x" } },
    { what: "a Range that is none", headers: { Range: "bytes=-1-x" } },
    { what: "an X-Forwarded-For that is none", headers: { "X-Forwarded-For": "' or 1=1, ,999.1.1.1" } },
  ];
}

type Body = Pick<Malformed, "what" | "headers" | "body" | "refused">;

function inBody(schema: Schema, example: unknown, lookUp: (ref: string) => Schema): Body[] {
  const whole = someOf(wholeBodies, 7).map(([what, body, headers = json]) => ({
    what,
    body,
    headers,
    refused: false,
  }));
  const object = resolve(schema, lookUp);
  if (!object.properties || typeof example !== "object" || example === null) return whole;
  const fields = Object.entries(example);
  const malform = (what: string, name: string, value: string, refused = false): Body => ({
    what,
    headers: json,
    body: `{${[...fields.filter(([other]) => other !== name).map(text), `${JSON.stringify(name)}:${value}`].join()}}`,
    refused,
  });
  const strict = object.additionalProperties === false;
  return [
    ...whole,
    ...Object.keys(object.properties).flatMap((name) => [
      ...some(brokenValues, 3).map(([what, value]) => malform(`${name}: ${what}`, name, value)),
    ]),
    ...(object.required ?? []).map((name) => ({
      what: `${name}: missing`,
      headers: json,
      body: `{${fields
        .filter(([other]) => other !== name)
        .map(text)
        .join()}}`,
      refused: true,
    })),
    ...(strict
      ? ["unknownField", "teamId2", "__proto__", "constructor", "id", "createdAt"]
          .filter((name) => !(name in (object.properties ?? {})))
          .map((name) => malform(`unknown: ${name}`, name, '"x"', name !== "__proto__"))
      : []),
  ];
}

const text = ([name, value]: [string, unknown]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`;

type ObjectSchema = Schema & { required?: string[] };

/** The object behind references and parts. */
function resolve(schema: Schema, lookUp: (ref: string) => Schema): ObjectSchema {
  if (schema.$ref) return resolve(lookUp(schema.$ref), lookUp);
  const first = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (first) return resolve(first, lookUp);
  if (!schema.allOf) return schema;
  const parts = schema.allOf.map((part) => resolve(part, lookUp));
  return {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}
