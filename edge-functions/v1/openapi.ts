// Owns the OpenAPI document, generated from the routes' zod schemas: operation ids, examples, common headers. GET /v1/openapi.json serves
// it, GET /v1/docs displays it.
import { Buffer } from "node:buffer";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { env } from "../_shared/env.ts";
import {
  type CachedResponse,
  cacheResponse,
  compressForCache,
  replyWith,
} from "../_shared/requests/compression.ts";
import { codesOf, type ErrorStatus, wordsOf } from "../_shared/requests/errors.ts";
import { refusal } from "../_shared/requests/refusals.ts";
import { docsPage } from "./docs/page.ts";
import { describeAccess, securitySchemes } from "./openapi-access.ts";
import { exampleOf, type Schema } from "./openapi-examples.ts";
import { declarationAt, declare } from "./route.ts";
import type { AppEnv } from "./router.ts";

type Describable = Pick<OpenAPIHono<AppEnv>, "openAPIRegistry" | "getOpenAPI31Document" | "get" | "router">;

type Content = Record<string, { schema?: Schema; example?: unknown }>;
export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
};
export type Operation = {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  /** Errors are references to `components.responses`. */
  responses: Record<string, Answer | { $ref: string }>;
};
export type Answer = { description: string; headers?: Record<string, unknown>; content?: Content };
export type Description = {
  openapi: string;
  info: { title: string; version: string; description?: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Answer> };
};

/** The release, as in package.json and CHANGELOG.md. */
export const release = "1.1.0";

/** Adds GET /openapi.json and GET /docs. Call it after all routes are registered. */
export function addDescription(app: Describable): void {
  for (const [name, scheme] of Object.entries(securitySchemes))
    app.openAPIRegistry.registerComponent("securitySchemes", name, scheme);
  app.openAPIRegistry.registerComponent("headers", "RequestId", {
    description: "The id of this request in our logs. Quote it to support.",
    schema: { type: "string", pattern: "^[\\w-]{8,48}$" },
  });
  app.openAPIRegistry.registerComponent("headers", "RetryAfter", {
    description: "In how many seconds the limit resets.",
    schema: { type: "integer", minimum: 1 },
  });
  const wholeDescription = () => {
    const description = app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: {
        title: "Parley",
        version: release,
        license: { name: "Apache 2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
        description:
          "Agents that answer from a team's own knowledge bases. All requests and responses are JSON; every error has a code, a " +
          "message for people, and the id of the request.",
      },
      servers: [
        { url: `${env().SUPABASE_URL}/functions/v1`, description: "With a bearer token" },
        { url: new URL(env().WEB_URL).origin, description: "With the session's cookie, from the web app" },
      ],
      security: [{ bearer: [] }],
    });
    // The library's type allows references almost everywhere; this API uses them for schemas only.
    return complete(description as unknown as Description, app);
  };
  const json = cacheOnce(() => ({
    text: JSON.stringify(wholeDescription()),
    headers: { "Content-Type": "application/json" },
  }));
  const page = cacheOnce(() => docsPage(wholeDescription()));
  app.get("/openapi.json", declare({ access: "open" }), async (c) => reply(c, await json()));
  app.get("/docs", declare({ access: "open" }), async (c) => reply(c, await page()));
}

/** Generated and compressed on first request: most processes never serve it. */
function cacheOnce(
  write: () => { text: string; headers: Record<string, string> },
): () => Promise<CachedResponse> {
  let answer: Promise<CachedResponse> | undefined;
  const make = async () => {
    const { text, headers } = write();
    const plain = Buffer.from(text);
    return cacheResponse(
      plain,
      { ...headers, "Cache-Control": "public, max-age=300" },
      await compressForCache(plain, ["gzip"]),
    );
  };
  return () => (answer ??= make());
}

function reply(c: Context, answer: CachedResponse): Response {
  const { body, status, headers } = replyWith(answer, c.req.raw.headers);
  // Overrides the common headers, which would otherwise win over the response's own.
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  return c.newResponse(body, status);
}

function complete(description: Description, app: Pick<Describable, "router">): Description {
  const lookUp = (ref: string): Schema =>
    description.components.schemas[ref.replace("#/components/schemas/", "")] ?? {};
  const errors: Description["components"]["responses"] = {};
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      operation.operationId ??= operationId(method, path);
      const declared = declarationAt(app, method.toUpperCase(), path.replaceAll(/\{\w+\}/g, "x"));
      if (declared) {
        const { security, words } = describeAccess(declared);
        operation.security = security;
        operation.description = [operation.description ?? [], words].flat().join(" ") || undefined;
      }
      if (method === "post" && !declared?.answersAnew)
        operation.parameters = [...(operation.parameters ?? []), idempotencyKey];
      if (declared?.versioned) operation.parameters = [...(operation.parameters ?? []), ifMatch];
      if (operation.requestBody) addExamples(operation.requestBody.content, lookUp);
      for (const [status, response] of Object.entries(operation.responses)) {
        if ("$ref" in response) continue;
        response.headers = {
          ...response.headers,
          ...(status === "429" && { "Retry-After": { $ref: "#/components/headers/RetryAfter" } }),
          "X-Request-Id": { $ref: "#/components/headers/RequestId" },
        };
        if (Number(status) >= 400) {
          addErrorExamples(Number(status) as ErrorStatus, response.content);
          // Any call may answer with any of them, so each is described once: in every call they are half of the document.
          errors[`Error${status}`] = response;
          operation.responses[status] = { $ref: `#/components/responses/Error${status}` };
        } else if (response.content) addExamples(response.content, lookUp);
      }
    }
  }
  description.components.responses = errors;
  return description;
}

const idempotencyKey: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "The same key and body within 24 hours return the first response again, a stream whole, with the first request's " +
    "`requestId` in the body of an error; the X-Request-Id header is the new request's own. CONFLICT with another body, while the first " +
    "request is running, and if it took effect but its response was lost because the server was stopped. 1 to 255 visible ASCII characters.",
  schema: { type: "string", minLength: 1, example: "order-4711" },
};

const ifMatch: Parameter = {
  name: "If-Match",
  in: "header",
  required: false,
  description:
    "The `version` that was read, in quotes, or its `updatedAt`, which also changes when something is indexed. If the resource " +
    "was changed since, nothing is written: CHANGED_MEANWHILE, with the resource as it is now in `current`. Without this header " +
    "any version is changed.",
  schema: { type: "string", example: '"9a0364b9e99bb480dd25e1f0284c8555"' },
};

function addExamples(content: Content, lookUp: (ref: string) => Schema): void {
  const media = content["application/json"];
  if (media?.schema && media.example === undefined) media.example = exampleOf(media.schema, lookUp);
}

function addErrorExamples(status: ErrorStatus, content: Content | undefined): void {
  const media = content?.["application/json"];
  const code = codesOf(status)[0];
  if (!media || !code) return;
  media.example = {
    code,
    message: wordsOf(code),
    requestId: "5e0f3e9a-3c0b-4a57-9f7e-0d6a1c2b3d4e",
    ...(status === 400 && {
      details: [{ path: "name", ...refusal("required") }],
    }),
  };
}

/** GET /v1/teams/{teamId}/agents becomes getTeamsAgents, and with an id at its end getTeamsAgentsById. */
function operationId(method: string, path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== "v1");
  const words = parts.map((part, index) => {
    if (!part.startsWith("{"))
      return capital(part.replace(/\W+(\w)/g, (_all, letter: string) => letter.toUpperCase()));
    return index === parts.length - 1 ? `By${capital(part.slice(1, -1))}` : "";
  });
  return method + words.join("");
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
