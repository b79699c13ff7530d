// Who may open which page: every kind of page for every kind of reader, and the links that are offered to them.
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { PageConfig, PageDefinition } from "../../web/renderer/page-definition.ts";
import type { Viewer } from "../../web/server/viewer.ts";

let policy: typeof import("../../web/server/policy.ts");
let current: typeof import("../../web/server/current-team.ts");
let pageTable: typeof import("../../web/server/page-table.ts").pageTable;

beforeAll(async () => {
  vi.stubEnv("COOKIE_SECRET", "only-for-this-test");
  policy = await import("../../web/server/policy.ts");
  current = await import("../../web/server/current-team.ts");
  ({ pageTable } = await import("../../web/server/page-table.ts"));
});

type Reader = Pick<Viewer, "user" | "teams" | "team">;
const team = { id: "t", name: "Acme", codename: "acme", permissions: ["agents.read"] } as Viewer["teams"][0];
const user = (isAdmin: boolean) => ({ id: "u", isAdmin }) as NonNullable<Viewer["user"]>;
const readers = {
  nobody: { user: null, teams: [], team: null },
  newcomer: { user: user(false), teams: [], team: null },
  member: { user: user(false), teams: [team], team },
  /** At an address of a team that is not theirs. */
  outsider: { user: user(false), teams: [team], team: null },
  admin: { user: user(true), teams: [team], team },
} satisfies Record<string, Reader>;

const login = { redirect: "/login?next=%2Fhere" };
const create = { redirect: "/teams/create" };
const table: [PageConfig["access"], string | undefined, Record<keyof typeof readers, unknown>][] = [
  [
    "public",
    undefined,
    { nobody: "open", newcomer: "open", member: "open", outsider: "open", admin: "open" },
  ],
  [
    "loggedOutOnly",
    undefined,
    {
      nobody: "open",
      newcomer: create,
      member: { redirect: "/teams" },
      outsider: { redirect: "/teams" },
      admin: { redirect: "/teams" },
    },
  ],
  [
    "admin",
    undefined,
    { nobody: "notFound", newcomer: "notFound", member: "notFound", outsider: "notFound", admin: "open" },
  ],
  ["user", undefined, { nobody: login, newcomer: "open", member: "open", outsider: "open", admin: "open" }],
  [
    "user",
    "agents.read",
    { nobody: login, newcomer: "open", member: "open", outsider: "open", admin: "open" },
  ],
  [
    "user",
    "agents.delete",
    { nobody: login, newcomer: "open", member: "forbidden", outsider: "open", admin: "forbidden" },
  ],
  [
    "team",
    undefined,
    { nobody: login, newcomer: create, member: "open", outsider: "notFound", admin: "open" },
  ],
  [
    "team",
    "agents.read",
    { nobody: login, newcomer: create, member: "open", outsider: "notFound", admin: "open" },
  ],
  [
    "team",
    "agents.delete",
    { nobody: login, newcomer: create, member: "forbidden", outsider: "notFound", admin: "forbidden" },
  ],
];

describe("a page", () => {
  test.each(table)("for %s, with the permission %s", (access, permission, expected) => {
    const decided = Object.fromEntries(
      Object.entries(readers).map(([name, reader]) => [
        name,
        policy.decide({ access, permission }, reader, "/here"),
      ]),
    );
    expect(decided).toEqual(expected);
  });
});

test("a team's home is its agents, or its chats for a role that may not read those", () => {
  expect(policy.homeOf(team)).toBe("/teams/acme/agents");
  expect(policy.homeOf({ ...team, permissions: ["chats.read"] })).toBe("/teams/acme/chats");
});

test("a link is offered where its page is there and open to the reader", () => {
  const page = (route: string, access: PageConfig["access"]) => ({ route, access }) as PageDefinition;
  const pages = pageTable(
    [page("/about", "public"), page("/admin/users", "admin"), page("/teams/@teamId/agents", "team")],
    page("/_error", "public"),
  );
  const open = (reader: Reader) =>
    ["/about?a=b#c", "/admin/users", "/teams/acme/agents", "/nowhere"].filter((href) =>
      policy.opens(pages, reader, href),
    );
  expect(open(readers.nobody)).toEqual(["/about?a=b#c"]);
  expect(open(readers.member)).toEqual(["/about?a=b#c", "/teams/acme/agents"]);
  expect(open(readers.admin)).toEqual(["/about?a=b#c", "/admin/users", "/teams/acme/agents"]);
});

describe("the team of a page", () => {
  const at = (path: string) => ({ url: new URL(path, "http://x.test") });

  test("is the request's, and a page without one may not ask", () => {
    expect(current.currentTeam({ team })).toBe(team);
    expect(() => current.currentTeam({ team: null })).toThrow("currentTeam()");
    expect(current.may({ team }, "agents.read")).toBe(true);
    expect(current.may({ team }, "agents.delete")).toBe(false);
  });

  test("is named by the address until it is known", () => {
    expect(current.teamRef(at("/teams/a%20b/agents"))).toBe("a b");
    expect(() => current.teamRef(at("/account"))).toThrow("teamRef()");
    expect(current.teamPath({ ...at("/teams/x/agents"), team }, "chats")).toBe("/teams/acme/chats");
    expect(current.teamPath({ ...at("/teams/a%20b/agents"), team: null }, "chats")).toBe(
      "/teams/a%20b/chats",
    );
    expect(current.teamPath(at("/teams/x/agents"), "chats")).toBe("/teams/x/chats");
  });
});
