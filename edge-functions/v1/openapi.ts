// Owns the API's description of itself, made from the routes' zod schemas: names of operations, examples, the headers that
// every call has. GET /v1/openapi.json serves it, GET /v1/docs shows it.
import { Buffer } from "node:buffer";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { env } from "../_shared/env.ts";
import { type KeptAnswer, keepAnswer, packToKeep, replyWith } from "../_shared/requests/compression.ts";
import { codesOf, type ErrorStatus, wordsOf } from "../_shared/requests/errors.ts";
import { docsPage } from "./docs/page.ts";
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
  responses: Record<string, { description: string; headers?: Record<string, unknown>; content?: Content }>;
};
export type Description = {
  openapi: string;
  info: { title: string; version: string; description?: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** The release, as package.json and CHANGELOG.md name it. */
export const release = "1.1.0";

/** Adds GET /openapi.json and GET /docs; call it when every route is in place. */
export function addDescription(app: Describable): void {
  app.openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    description: "A user's access token, or a team's API key (prl_…).",
  });
  app.openAPIRegistry.registerComponent("headers", "RequestId", {
    description: "The name of this request in our logs; tell it to support.",
    schema: { type: "string", format: "uuid" },
  });
  const wholeDescription = () => {
    const description = app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: {
        title: "Parley",
        version: release,
        license: { name: "Apache 2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
        description:
          "Agents that answer from a team's own knowledge. Every call takes and gives JSON; every failure has a code, " +
          "words for people, and the id of the request.",
      },
      servers: [
        { url: `${env().SUPABASE_URL}/functions/v1`, description: "With a bearer token" },
        { url: new URL(env().WEB_URL).origin, description: "With the session's cookie, from the web app" },
      ],
      security: [{ bearer: [] }],
    });
    // The library's type allows references wherever it can; this API has them for schemas only.
    return complete(description as unknown as Description, app);
  };
  const json = kept(() => ({
    text: JSON.stringify(wholeDescription()),
    headers: { "Content-Type": "application/json" },
  }));
  const page = kept(() => docsPage(wholeDescription()));
  app.get("/openapi.json", declare({ access: "open" }), async (c) => reply(c, await json()));
  app.get("/docs", declare({ access: "open" }), async (c) => reply(c, await page()));
}

/** Written and packed when first asked for: most processes are never asked. */
function kept(write: () => { text: string; headers: Record<string, string> }): () => Promise<KeptAnswer> {
  let answer: Promise<KeptAnswer> | undefined;
  const make = async () => {
    const { text, headers } = write();
    const plain = Buffer.from(text);
    return keepAnswer(
      plain,
      { ...headers, "Cache-Control": "public, max-age=300" },
      await packToKeep(plain, ["gzip"]),
    );
  };
  return () => (answer ??= make());
}

function reply(c: Context, answer: KeptAnswer): Response {
  const { body, status, headers } = replyWith(answer, c.req.raw.headers);
  // Over what every call is told before: an answer's own headers would lose to those.
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  return c.newResponse(body, status);
}

function complete(description: Description, app: Pick<Describable, "router">): Description {
  const lookUp = (ref: string): Schema =>
    description.components.schemas[ref.replace("#/components/schemas/", "")] ?? {};
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      operation.operationId ??= operationId(method, path);
      if (method === "post") operation.parameters = [...(operation.parameters ?? []), idempotencyKey];
      if (declarationAt(app, method.toUpperCase(), path.replaceAll(/\{\w+\}/g, "x"))?.versioned)
        operation.parameters = [...(operation.parameters ?? []), ifMatch];
      if (operation.requestBody) addExamples(operation.requestBody.content, lookUp);
      for (const [status, response] of Object.entries(operation.responses)) {
        response.headers = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } };
        if (Number(status) >= 400) addErrorExamples(Number(status) as ErrorStatus, response.content);
        else if (response.content) addExamples(response.content, lookUp);
      }
    }
  }
  return description;
}

const idempotencyKey: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "The same key and body within 24 hours get the first answer again.",
  schema: { type: "string", minLength: 1, example: "order-4711" },
};

const ifMatch: Parameter = {
  name: "If-Match",
  in: "header",
  required: false,
  description:
    "The `version` that was read, in quotes, or its `updatedAt`, which also moves when something is indexed. Where it was changed since, " +
    "nothing is written: CHANGED_MEANWHILE, with the resource of now in `current`. Without it any version is changed.",
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
      details: [{ path: "name", message: "Too small: expected string to have >=1 characters" }],
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
