// Every call of the product's specification has a route, every route is in the specification or in the list beside it, and a test in
// tests/v1 makes each call with its method and path, and looks at its answer.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writtenCalls } from "../support/written-calls.ts";

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
/** The API's real routes, from which its description is built. */
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

/** Calls that OpenAI's official client makes through its own methods. */
const openAiCalls = [
  { written: "openai.chat.completions.create(", method: "POST", path: "/streams/openai/chat/completions" },
  { written: "openai.models.list(", method: "GET", path: "/streams/openai/models" },
  { written: "openai.models.retrieve(", method: "GET", path: "/streams/openai/models/{}" },
];

/** Every call in a file of tests/v1, except bad-input's, which takes its list from the description and checks only for a 5xx. */
const made: (Call & { isChecked: boolean })[] = readdirSync("tests/v1")
  .filter((name) => name.endsWith(".test.ts") && name !== "bad-input.test.ts")
  .flatMap((name) => {
    const text = readFileSync(join("tests/v1", name), "utf8");
    const byClient = openAiCalls.filter(({ written }) => text.includes(written));
    return [...writtenCalls(text), ...byClient.map((call) => ({ ...call, isChecked: true }))];
  });

const known = new Map([...calls, ...routes].map((call) => [nameOf(call), call]));

/** A placeholder matches any segment, unless the path is another call: /teams/pending-invites is not /teams/{}. */
const isTested = ({ method, path }: Call) => {
  const pattern = new RegExp(`^${path.replaceAll("{}", "[^/]+")}$`);
  return made.some(
    (call) =>
      call.isChecked &&
      call.method === method &&
      (call.path === path || (!known.has(nameOf(call)) && pattern.test(call.path))),
  );
};

describe("the specification", () => {
  test("has a route for every call", () => {
    const answered = new Set(routes.map(nameOf));
    expect(calls.map(nameOf).filter((name) => !answered.has(name))).toEqual([]);
    expect(calls.length).toBeGreaterThan(120);
  });
});

describe("every call", () => {
  test("of the specification and of the description has a test", () => {
    expect([...known.values()].filter((call) => !isTested(call)).map(nameOf)).toEqual([]);
    // A missing call must be detected.
    expect(isTested({ method: "GET", path: "/teams/{}/nowhere" })).toBe(false);
    expect(isTested({ method: "PUT", path: "/beta" })).toBe(false);
  });
});
