// A page request's result: the page, concurrent calls and their number, and each reader's alternative.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { PageDefinition } from "../../web/render/page-definition.ts";
import type { PageAnswer } from "../../web/request/answer-page.ts";
import { startUpstream, type Upstream } from "../support/upstream.ts";

let upstream: Upstream;
let modules: {
  answerPage: typeof import("../../web/request/answer-page.ts").answerPage;
  beginScope: typeof import("../../web/request/request-scope.ts").beginScope;
  pageTable: typeof import("../../web/request/page-table.ts").pageTable;
  outcome: typeof import("../../web/render/outcome.ts");
  cookieJar: typeof import("../../web/request/cookies.ts").cookieJar;
  writeSession: typeof import("../../web/request/session.ts").writeSession;
};

const jwt = (name: string) =>
  ["{}", JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 600, name }), ""]
    .map((part) => Buffer.from(part).toString("base64url"))
    .join(".");

beforeAll(async () => {
  upstream = await startUpstream();
  vi.stubEnv("SUPABASE_URL", upstream.url);
  vi.stubEnv("COOKIE_SECRET", "only-for-this-test");
  modules = {
    ...(await import("../../web/request/answer-page.ts")),
    ...(await import("../../web/request/request-scope.ts")),
    ...(await import("../../web/request/page-table.ts")),
    ...(await import("../../web/request/cookies.ts")),
    ...(await import("../../web/request/session.ts")),
    outcome: await import("../../web/render/outcome.ts"),
  };
});
afterAll(async () => {
  await upstream.close();
  vi.unstubAllEnvs();
});

const team = { id: "t1", name: "Acme", codename: "acme", role: "viewer", permissions: ["agents.read"] };
const viewer = {
  user: { id: "u1", name: "Ada", email: "ada@example.com", locale: "en", isAdmin: false },
  teams: [team],
  team: team as typeof team | null,
  invitations: [],
};
/** The API's answer about the caller, and the calls it received. */
let answerOfViewer: { status: number; body: unknown };
let asked: string[];
beforeEach(() => {
  answerOfViewer = { status: 200, body: viewer };
  asked = [];
  upstream.handle((request, response) => {
    const url = request.url?.replace("/functions/v1", "") ?? "";
    asked.push(`${request.headers.authorization ? "session" : "nobody"} ${url}`);
    const { status, body } = url.startsWith("/v1/viewer")
      ? answerOfViewer
      : url.startsWith("/v1/auth/refresh")
        ? { status: 401, body: {} }
        : { status: 200, body: { url } };
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
});

const page = (route: string, more: Partial<PageDefinition> = {}): PageDefinition => ({
  route,
  layout: "default",
  access: "public",
  Page: () => null,
  ...more,
});

const errorPage = page("/_error", { layout: "home" });

/** Requests a page, as a logged-in user by default, and by POST when there is a form. */
async function ask(
  pages: PageDefinition[],
  path: string,
  {
    loggedIn = true,
    form,
    headers,
  }: { loggedIn?: boolean; form?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<PageAnswer & { setCookies: string }> {
  const jar = modules.cookieJar(null);
  if (loggedIn) modules.writeSession(jar, { accessToken: jwt("ada"), refreshToken: "refresh" });
  const cookie = jar
    .headers()
    .map((line) => line.split(";")[0])
    .join("; ");
  const method = form ? "POST" : "GET";
  const table = modules.pageTable(pages, errorPage);
  const posted = new FormData();
  for (const [name, value] of Object.entries(form ?? {})) posted.set(name, value);
  const scope = modules.beginScope({
    request: new Request(`http://web.test${path}`, { method, headers: { cookie, ...headers } }),
    requestId: "r",
    nonce: "n",
    clientAddress: "",
    url: new URL(path, "http://web.test"),
    wantsPayload: false,
    form: form ? posted : null,
    pages: table,
  });
  const answer = await modules.answerPage(table, scope);
  return { ...answer, setCookies: scope.cookies.headers().join("\n") };
}

const statusOf = (answer: PageAnswer) => (answer.kind === "page" ? answer.status : answer.location);

test("data is loaded once, beside the viewer, with the URL's team", async () => {
  const runs: string[] = [];
  let release = () => {};
  const viewerIsAsked = new Promise<void>((resolve) => {
    release = resolve;
  });
  upstream.handle(async (request, response) => {
    if (!request.url?.includes("/v1/viewer")) {
      release();
      return void response.end("{}");
    }
    // Answers only after the page's own call: in sequence, they would wait forever.
    await viewerIsAsked;
    response.end(JSON.stringify(viewer));
  });
  const data = async ({ request, routeParams }: Parameters<NonNullable<PageDefinition["data"]>>[0]) => {
    runs.push(routeParams.teamId ?? "");
    return await request.api.get("/v1/teams/{teamId}/agents", { teamId: routeParams.teamId ?? "" });
  };
  const answer = await ask([page("/teams/@teamId/agents", { access: "team", data })], "/teams/acme/agents");
  expect(statusOf(answer)).toBe(200);
  expect(runs).toEqual(["acme"]);
});

test("a page that does more than read waits for the policy", async () => {
  const data = vi.fn();
  const create = page("/teams/@teamId/apps/install", {
    access: "team",
    permission: "apps.write",
    dataWaits: true,
    data,
  });
  expect(statusOf(await ask([create], "/teams/acme/apps/install"))).toBe(403);
  expect(data).not.toHaveBeenCalled();
});

test.each([
  ["public", "/", {}, 200],
  ["loggedOutOnly", "/", {}, "/teams"],
  ["user", "/", {}, 200],
  ["admin", "/", {}, 404],
  ["team", "/teams/acme/a", {}, 200],
  ["team", "/teams/other/a", { team: null }, 404],
  ["team", "/teams/acme/a", { teams: [], team: null }, "/teams/create?from=%2Fteams%2Facme%2Fa"],
] as const)("a logged-in user, at a page for %s, %s %o: %s", async (access, path, more, expected) => {
  answerOfViewer.body = { ...viewer, ...more };
  expect(statusOf(await ask([page("/", { access }), page("/teams/@teamId/a", { access })], path))).toBe(
    expected,
  );
});

test.each([
  ["public", 200],
  ["loggedOutOnly", 200],
  ["user", "/login?next=%2Fp%3Fq%3D1"],
  ["team", "/login?next=%2Fp%3Fq%3D1"],
  ["admin", "/login?next=%2Fp%3Fq%3D1"],
] as const)("an anonymous reader, at a page for %s: %s", async (access, expected) => {
  const data = vi.fn();
  expect(statusOf(await ask([page("/p", { access, data })], "/p?q=1", { loggedIn: false }))).toBe(expected);
  expect(data).toHaveBeenCalledTimes(expected === 200 ? 1 : 0);
  expect(asked).toEqual([]);
});

test("a missing permission gives 403, whatever the data call returned", async () => {
  const pages = (permission: string) => [
    page("/teams/@teamId/x", { access: "team", permission, data: () => Promise.reject(new Error("late")) }),
  ];
  expect(statusOf(await ask(pages("agents.write"), "/teams/acme/x"))).toBe(403);
  const log = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  expect(statusOf(await ask(pages("agents.read"), "/teams/acme/x"))).toBe(500);
  expect(log.mock.calls.join()).toContain("a page failed");
  log.mockRestore();
});

test("data can redirect, be missing, or set a status, without an exception", async () => {
  const { Redirection, NotFound, WithStatus } = modules.outcome;
  const pages = [
    page("/on", { data: () => new Redirection("/there") }),
    page("/none", { data: () => new NotFound() }),
    page("/odd", { data: () => new WithStatus(404, { shown: true }) }),
  ];
  expect(statusOf(await ask(pages, "/on"))).toBe("/there");
  expect(await ask(pages, "/none")).toMatchObject({ status: 404, page: errorPage });
  expect(await ask(pages, "/odd")).toMatchObject({ status: 404, data: { shown: true }, problem: null });
});

test("a refusal of the API gives the error page with its status", async () => {
  upstream.handle((request, response) => {
    const isViewer = request.url?.includes("/v1/viewer");
    response.writeHead(isViewer ? 200 : 429, { "content-type": "application/json" });
    response.end(JSON.stringify(isViewer ? viewer : { code: "RATE_LIMITED", message: "Slow down." }));
  });
  const data: PageDefinition["data"] = ({ request }) => request.api.get("/v1/agents");
  const answer = await ask([page("/p", { data })], "/p");
  expect(answer).toMatchObject({
    status: 429,
    page: errorPage,
    problem: { failure: { code: "RATE_LIMITED" } },
  });
});

test("a problem inside a team is shown beside its sidebar, and any other on the public frame", async () => {
  const pages = [
    page("/onboarding", { access: "user", permission: "files.write" }),
    // As the texts of the site are.
    page("/*", { data: () => new modules.outcome.NotFound() }),
  ];
  const layoutAt = async (path: string, options = {}) => {
    const answer = await ask(pages, path, options);
    return answer.kind === "page" ? [answer.status, answer.page.layout] : answer.location;
  };
  expect(await layoutAt("/teams/acme/none")).toEqual([404, "default"]);
  expect(await layoutAt("/onboarding")).toEqual([403, "default"]);
  expect(await layoutAt("/open")).toEqual([404, "home"]);
  expect(await layoutAt("/none")).toEqual([404, "home"]);
  expect(await layoutAt("/teams/acme/none", { loggedIn: false })).toEqual([404, "home"]);
  answerOfViewer.body = { ...viewer, team: null };
  expect(await layoutAt("/teams/another/none")).toEqual([404, "home"]);
});

test("a page past a list's end redirects to its last one", async () => {
  const list = (page: number, total: number) => ({ data: [], page, perPage: 20, total });
  const read = async (path: string, data: unknown) => await ask([page("/list", { data: () => data })], path);
  expect(await read("/list?name=a&page=9", list(9, 41))).toMatchObject({
    kind: "redirect",
    location: "/list?name=a&page=3",
  });
  expect(await read("/list?page=2", { apps: list(2, 0), agents: list(1, 500) })).toMatchObject({
    kind: "redirect",
    location: "/list?page=1",
  });
  for (const [path, data] of [
    ["/list?page=3", list(3, 41)],
    ["/list?page=1", list(1, 0)],
    ["/list", null],
  ] as const)
    expect(await read(path, data)).toMatchObject({ kind: "page", status: 200 });
});

test("an unknown session ends: a public page is read anonymously, another redirects to the login", async () => {
  answerOfViewer = { status: 401, body: { code: "NOT_AUTHENTICATED" } };
  const reads: string[] = [];
  const data: PageDefinition["data"] = async ({ request }) => {
    const token = await request.api.token();
    reads.push(token ? "session" : "nobody");
    // As a call with the old token is answered.
    if (token) await request.api.get("/v1/viewer");
    return "read";
  };
  const pages = [page("/open", { data }), page("/own", { access: "user", data })];
  const open = await ask(pages, "/open");
  expect(open).toMatchObject({ kind: "page", status: 200, data: "read" });
  expect(reads).toEqual(["session", "nobody"]);
  expect(open.setCookies).toMatch(/sb-parley-auth-token=; Max-Age=0/);
  expect(statusOf(await ask(pages, "/own"))).toBe("/login?next=%2Fown&ended=reading");
});

test("a form that is sent after the session's end leads to a login that says so, and back", async () => {
  const own = page("/own", { access: "user", action: vi.fn() });
  const sent = { form: { name: "Typed" } };
  expect(statusOf(await ask([own], "/own?a=1", { ...sent, loggedIn: false }))).toBe(
    "/login?next=%2Fown%3Fa%3D1&ended=unsaved",
  );
  answerOfViewer = { status: 401, body: { code: "NOT_AUTHENTICATED" } };
  expect(statusOf(await ask([own], "/own", sent))).toBe("/login?next=%2Fown&ended=unsaved");
  expect(own.action).not.toHaveBeenCalled();
});

test("an unreachable API leaves public pages working", async () => {
  answerOfViewer = { status: 503, body: { code: "UNAVAILABLE" } };
  const pages = [page("/open"), page("/own", { access: "user" })];
  expect(statusOf(await ask(pages, "/open"))).toBe(200);
  expect(statusOf(await ask(pages, "/own"))).toBe(503);
});

test("a post runs the action after the policy, and loads data only when the form is shown again", async () => {
  const steps: string[] = [];
  const form = (result: "on" | "again") =>
    page("/teams/@teamId/f", {
      access: "team",
      data: () => void steps.push("data"),
      action: async ({ request }) => {
        steps.push(`action of ${request.team?.codename}`);
        return result === "on"
          ? { redirect: "/there", toast: { title: "Done" } }
          : { errors: { name: "Missing" } };
      },
    });
  const posted = { name: "x" };
  expect(await ask([form("on")], "/teams/acme/f", { form: posted })).toMatchObject({
    kind: "redirect",
    location: "/there",
    toast: { title: "Done" },
  });
  expect(steps).toEqual(["action of acme"]);
  expect(await ask([form("again")], "/teams/acme/f", { form: posted })).toMatchObject({
    status: 422,
    form: { errors: { name: "Missing" }, values: { name: ["x"] } },
  });
  expect(steps).toEqual(["action of acme", "action of acme", "data"]);
  expect(statusOf(await ask([page("/none")], "/none", { form: posted }))).toBe(405);
});

test("a form that is sent again repeats its API calls under the same keys", async () => {
  const keys: unknown[] = [];
  upstream.handle((request, response) => {
    if (request.method === "POST") keys.push(request.headers["idempotency-key"]);
    else expect(request.headers["idempotency-key"]).toBeUndefined();
    response.end(JSON.stringify(viewer));
  });
  const invite = page("/f", {
    action: async ({ request: { api } }) => {
      for (const name of ["a", "b"]) await api.send("POST", "/v1/teams", {}, { name });
      return { redirect: "/there" };
    },
  });
  const send = (key?: string) =>
    ask([invite], "/f", { form: { name: "x" }, headers: key ? { "idempotency-key": key } : {} });
  for (const key of ["one", "one", undefined]) await send(key);
  expect(keys).toEqual(["one.0", "one.1", "one.0", "one.1", undefined, undefined]);
});

test("the more specific route wins, and parameters are decoded", () => {
  const routes = [
    "/*",
    "/",
    "/teams/@teamId/agents/@id",
    "/teams/@teamId/agents/create",
    "/teams/create",
    "/teams",
  ];
  const table = modules.pageTable(
    routes.map((route) => page(route)),
    errorPage,
  );
  const at = (path: string) => table.match(path)?.page.route;
  const id = "7f0c4d52-9f5e-4c0e-8c39-0d7a3a0f6a11";
  expect(
    ["/", "/teams", "/teams/create", "/teams/a/agents/create", `/teams/a/agents/${id}`, "/x/y"].map(at),
  ).toEqual([
    "/",
    "/teams",
    "/teams/create",
    "/teams/@teamId/agents/create",
    "/teams/@teamId/agents/@id",
    "/*",
  ]);
  expect(table.match(`/teams/a%20b/agents/${id}`)?.routeParams).toEqual({ teamId: "a b", id });
  // No row has such an id, so there is no such page.
  expect(["/teams/a/agents/1", "/teams/a/agents/%zz", `/teams/a/agents/${id}0`].map(at)).toEqual([
    "/*",
    "/*",
    "/*",
  ]);
  expect(modules.pageTable([page("/teams")], errorPage).match("/team")).toBeNull();
});
