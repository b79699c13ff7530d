// Every call of the product's specification has a route, every route stands in the specification or in the list beside it,
// and each has a test: a file of tests/v1 that writes the call's path and makes calls with its method. A path counts where
// it is written out, or where its end is written after a variable (`${path}/index`).
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

/** The specification, as methods and paths below /v1. */
const specified = `
GET /auth/me
POST /auth/login /auth/register /auth/refresh /auth/resendConfirm /auth/forgotPassword /auth/forgotPassword/confirm
GET /auth/confirm
GET,POST /teams
GET /teams/pending-invites
GET,PUT,DELETE /teams/{}
GET,POST /users /roles /vectors
GET,PUT,DELETE /users/{} /roles/{} /vectors/{}
GET,POST /teamUsers/{}/users
GET,PUT,DELETE /teamUsers/{}/users/{}
PUT /teamUsers/{}/users/{}/invites
GET,POST /teams/{}/agents
GET,PUT,DELETE /teams/{}/agents/{}
GET /agents /agents/{}
POST /teams/{}/files/upload
GET /teams/{}/files/signedUrl
GET,POST /teams/{}/files
GET,DELETE /teams/{}/files/{}
GET,POST /teams/{}/knowledges
GET /teams/{}/knowledges/{}/records
GET,PUT,DELETE /teams/{}/knowledges/{}
POST /teams/{}/knowledges/{}/index
GET,POST /teams/{}/sources
GET,PUT,DELETE /teams/{}/sources/{}
POST /teams/{}/sources/{}/loadDocuments
POST,DELETE /teams/{}/sources/{}/index
DELETE /teams/{}/sources/{}/indexes
GET,POST /teams/{}/sources/{}/documents/{}/index
GET,POST,DELETE /teams/{}/sources/{}/documents
GET,PUT,DELETE /teams/{}/sources/{}/documents/{}
GET /teams/{}/sources/{}/documents/external/{}
GET /teams/{}/tasks
GET,POST /agents/{}/chats
GET /agents/{}/chats/{}
GET /teams/{}/chats
POST /agents/{}/chats/{}/feedback
GET,POST /chats/{}/messages
POST /chats/{}/messages/{}/feedback
POST /agents/{}/chats/{}/title
POST,PUT,DELETE /agents/{}/chats/{}/summary
GET /teams/{}/insights/{}/chats
GET,POST /teams/{}/apps
GET,PUT,DELETE /teams/{}/apps/{}
GET,POST /teams/{}/apiKeys
GET,PUT,DELETE /teams/{}/apiKeys/{}
POST /streams /streams/openai/chat/completions
GET,POST,DELETE /integration/slack/{}
POST /beta /support/tickets
POST /sns/bounces /sns/complaints /sns/delivery
GET /health /health/public /health/debug-sentry
GET,POST /admin/agents /admin/knowledges /admin/sources /admin/teams /admin/apiKeys
GET /admin/agents/public
GET,PUT,DELETE /admin/agents/{} /admin/knowledges/{} /admin/sources/{} /admin/teams/{} /admin/apiKeys/{}
GET /admin/knowledges/{}/records
POST /admin/knowledges/{}/index
GET /admin/tasks
`;

type Call = { method: string; path: string };
const nameOf = ({ method, path }: Call) => `${method} ${path}`;

const calls: Call[] = specified
  .trim()
  .split("\n")
  .flatMap((line) => {
    const [methods = "", ...paths] = line.split(" ");
    return methods.split(",").flatMap((method) => paths.map((path) => ({ method, path })));
  });

const { app } = await import("../../edge-functions/v1/app.ts");
/** What the API really answers: the routes that its description is made of. */
const routes: Call[] = app.openAPIRegistry.definitions.flatMap((definition) =>
  definition.type === "route"
    ? [
        {
          method: definition.route.method.toUpperCase(),
          path: definition.route.path
            .replace(/^\/v1/, "")
            .replace(/\{[^}]+\}/g, "{}")
            .replace(/(?<=.)\/$/, ""),
        },
      ]
    : [],
);

/** What the official client of OpenAI calls by names of its own. */
const openAiCalls = [
  { written: "openai.chat.completions.create(", method: "POST", path: "/streams/openai/chat/completions" },
  { written: "openai.models.list(", method: "GET", path: "/streams/openai/models" },
];

interface TestFile {
  name: string;
  methods: Set<string>;
  paths: string[];
}

const files: TestFile[] = readdirSync("tests/v1")
  .filter((name) => name.endsWith(".test.ts") && name !== "bad-input.test.ts")
  .map((name) => {
    const text = readFileSync(join("tests/v1", name), "utf8");
    const methods = new Set<string>();
    for (const [, method = ""] of text.matchAll(/\.(get|post|put|delete|upload)\(/g)) {
      methods.add(method === "upload" ? "POST" : method.toUpperCase());
    }
    for (const [, method = ""] of text.matchAll(/"(GET|POST|PUT|DELETE)"/g)) methods.add(method);
    const paths = pathsIn(text);
    for (const { method, path } of openAiCalls.filter((call) => text.includes(call.written))) {
      methods.add(method);
      paths.push(path);
    }
    return { name, methods, paths };
  });

/** Paths as a file writes them, with {} for what is filled in; one that begins with {} is the end of a longer one. */
function pathsIn(text: string): string[] {
  const literals = [...text.matchAll(/"([^"\n]*\/[^"\n]*)"|`([^`]*\/[^`]*)`/g)].map(
    ([, a, b]) => a ?? b ?? "",
  );
  return literals.map((literal) =>
    literal
      .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, (filled) =>
        /\{\w*[tT]eam\w*\.path\}/.test(filled) ? "/v1/teams/{}" : "{}",
      )
      .replace(/[?#].*$/, "")
      // A query that is filled in where it stands.
      .replace(/(?<=[^/])\{\}$/, "")
      .replace(/^.*\/v1(?=\/)/, ""),
  );
}

/** Whether a path in a test is a call's: whole, or its end after a variable. */
function fits(written: string, path: string): boolean {
  const pattern = path.split("/").map((part) => (part === "{}" ? "[^/]+" : part));
  if (written.startsWith("{}/")) {
    const end = written.slice(2).split("/");
    // An end of placeholders alone would fit everything.
    if (end.every((part) => part === "" || part === "{}")) return false;
    return (
      end.length <= pattern.length &&
      new RegExp(`^${pattern.slice(1 - end.length).join("/")}$`).test(end.slice(1).join("/"))
    );
  }
  return new RegExp(`^${pattern.join("/")}$`).test(written);
}

const isTested = ({ method, path }: Call) =>
  files.some(({ methods, paths }) => methods.has(method) && paths.some((written) => fits(written, path)));

describe("the specification", () => {
  test("has a route for every call", () => {
    const answered = new Set(routes.map(nameOf));
    expect(calls.map(nameOf).filter((name) => !answered.has(name))).toEqual([]);
    expect(calls.length).toBeGreaterThan(120);
  });
});

describe("every call", () => {
  test("of the specification and of the description has a test", () => {
    const all = new Map([...calls, ...routes].map((call) => [nameOf(call), call]));
    expect([...all.values()].filter((call) => !isTested(call)).map(nameOf)).toEqual([]);
    // What is nowhere must be missed.
    expect(isTested({ method: "GET", path: "/teams/{}/nowhere" })).toBe(false);
    expect(isTested({ method: "PUT", path: "/beta" })).toBe(false);
  });
});
