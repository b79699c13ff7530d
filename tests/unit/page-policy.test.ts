// Access to pages: every kind of page for every kind of reader, and the offered links.
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { PageConfig, PageDefinition } from "../../web/render/page-definition.ts";
import type { Viewer } from "../../web/request/viewer.ts";

let policy: typeof import("../../web/request/policy.ts");
let current: typeof import("../../web/request/current-team.ts");
let pageTable: typeof import("../../web/request/page-table.ts").pageTable;

beforeAll(async () => {
  vi.stubEnv("COOKIE_SECRET", "only-for-this-test");
  policy = await import("../../web/request/policy.ts");
  current = await import("../../web/request/current-team.ts");
  ({ pageTable } = await import("../../web/request/page-table.ts"));
});

type Reader = Pick<Viewer, "user" | "teams" | "team">;
const team = { id: "t", name: "Acme", codename: "acme", permissions: ["agents.read"] } as Viewer["teams"][0];
const user = (isAdmin: boolean) => ({ id: "u", isAdmin }) as NonNullable<Viewer["user"]>;
const readers = {
  nobody: { user: null, teams: [], team: null },
  newcomer: { user: user(false), teams: [], team: null },
  member: { user: user(false), teams: [team], team },
  /** At a team's URL that the reader is not a member of. */
  outsider: { user: user(false), teams: [team], team: null },
  admin: { user: user(true), teams: [team], team },
} satisfies Record<string, Reader>;

const login = "login";
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
    { nobody: login, newcomer: "notFound", member: "notFound", outsider: "notFound", admin: "open" },
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

test.each([
  ["/teams/acme/agents", "acme"],
  ["/teams/acme", "acme"],
  ["/teams/create/settings", "create"],
  ["/teams/create", undefined],
  ["/teams/create/", undefined],
  ["/teams", undefined],
  ["/dashboard", undefined],
])("%s is of the team %s", async (path, team) => {
  const { teamInPath } = await import("../../web/request/viewer.ts");
  expect(teamInPath(path)).toBe(team);
});

describe("a page", () => {
  test.each(table)("for %s, with the permission %s", (access, permission, expected) => {
    const decided = Object.fromEntries(
      Object.entries(readers).map(([name, reader]) => [name, policy.decide({ access, permission }, reader)]),
    );
    expect(decided).toEqual(expected);
  });
});

test("a team's home is its agents, or its chats for a role without agents.read", () => {
  expect(policy.homeOf(team)).toBe("/teams/acme/agents");
  expect(policy.homeOf({ ...team, permissions: ["chats.read"] })).toBe("/teams/acme/chats");
});

test("a link is offered when its page exists and is open to the reader", () => {
  const page = (route: string, access: PageConfig["access"]) => ({ route, access }) as PageDefinition;
  const pages = pageTable(
    [page("/about", "public"), page("/admin/users", "admin"), page("/teams/@teamId/agents", "team")],
    page("/_error", "public"),
  );
  const open = (reader: Reader) =>
    ["/about?a=b#c", "/admin/users", "/teams/acme/agents", "/nowhere"].filter((href) =>
      policy.canOpen(pages, reader, href),
    );
  expect(open(readers.nobody)).toEqual(["/about?a=b#c"]);
  expect(open(readers.member)).toEqual(["/about?a=b#c", "/teams/acme/agents"]);
  expect(open(readers.admin)).toEqual(["/about?a=b#c", "/admin/users", "/teams/acme/agents"]);
});

describe("a page's team", () => {
  const at = (path: string) => ({ url: new URL(path, "http://x.test") });

  test("is the request's; a page without a team may not read it", () => {
    expect(current.currentTeam({ team })).toBe(team);
    expect(() => current.currentTeam({ team: null })).toThrow("currentTeam()");
    expect(current.may({ team }, "agents.read")).toBe(true);
    expect(current.may({ team }, "agents.delete")).toBe(false);
  });

  test("is named by the URL until it is loaded", () => {
    expect(current.teamRef(at("/teams/a%20b/agents"))).toBe("a b");
    expect(() => current.teamRef(at("/account"))).toThrow("teamRef()");
    expect(current.teamPath({ ...at("/teams/x/agents"), team }, "chats")).toBe("/teams/acme/chats");
    expect(current.teamPath({ ...at("/teams/a%20b/agents"), team: null }, "chats")).toBe(
      "/teams/a%20b/chats",
    );
    expect(current.teamPath(at("/teams/x/agents"), "chats")).toBe("/teams/x/chats");
  });
});
