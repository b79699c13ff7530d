// Untrusted and derived URLs: redirects, origins, pages, menu entries.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { currentEntry, navigationGroups } from "../../web/layouts/navigation-entries.ts";
import { localeFromHeader } from "../../web/render/locale.ts";
import { pageAddress } from "../../web/request/page-address.ts";
import { safeNext } from "../../web/request/safe-next.ts";
import fc from "../support/property-cases.ts";

describe("safeNext", () => {
  test.each(["/teams", "/teams/demo/agents?name=a b#x", "/"])("accepts %s", (next) => {
    expect(new URL(safeNext(next, "/x"), "http://a").pathname).toBe(new URL(next, "http://a").pathname);
  });
  test.each([
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/a\n/b",
    "/..//evil.example",
    "/.//evil.example",
    "/%2e%2e//evil.example",
    "/a/../..//evil.example",
    "/teams/%2E%2E/.//evil.example/?x",
    "",
    null,
    42,
  ])("rejects %j", (next) => {
    expect(safeNext(next, "/fallback")).toBe("/fallback");
  });
  test("never leaves the site, for any text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `/${text}`),
          fc
            .array(
              fc.constantFrom(
                "/",
                ".",
                "..",
                "%2e",
                "\\",
                "%5c",
                "%2f",
                "\t",
                "@",
                ":",
                "?",
                "#",
                "evil.example",
              ),
            )
            .map((parts) => `/${parts.join("")}`),
        ),
        (next) => {
          const target = safeNext(next);
          expect(target.startsWith("/")).toBe(true);
          expect(new URL(target, "http://here.example").origin).toBe("http://here.example");
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("isFromOwnOrigin", () => {
  let isFromOwnOrigin: (request: Request) => boolean;
  beforeAll(async () => {
    vi.stubEnv("WEB_URL", "http://127.0.0.1:3000");
    vi.stubEnv("COOKIE_SECRET", "only-for-this-test");
    ({ isFromOwnOrigin } = await import("../../web/request/origin.ts"));
  });
  afterAll(() => vi.unstubAllEnvs());

  test.each<[string, Record<string, string>, boolean]>([
    ["GET", { origin: "https://evil.example" }, true],
    ["POST", { origin: "http://127.0.0.1:3000" }, true],
    ["POST", { origin: "http://localhost:3000" }, true],
    ["POST", { origin: "http://127.0.0.1:3001" }, false],
    ["POST", { origin: "https://127.0.0.1:3000" }, false],
    ["POST", { origin: "https://evil.example" }, false],
    ["PUT", { origin: "null" }, false],
    ["DELETE", { origin: "http://127.0.0.1:3000.evil.example" }, false],
    ["POST", { "sec-fetch-site": "cross-site" }, false],
    ["POST", { "sec-fetch-site": "same-site" }, false],
    ["POST", { "sec-fetch-site": "same-origin" }, true],
    ["POST", {}, true],
  ])("%s with %j: %s", (method, headers, expected) => {
    expect(isFromOwnOrigin(new Request("http://127.0.0.1:3000/v1/teams", { method, headers }))).toBe(
      expected,
    );
  });
});

describe("pageAddress", () => {
  test.each([
    ["/_payload.json?abc", "/", true],
    ["/teams/demo/agents/_payload.json?abc&name=x&page=2", "/teams/demo/agents?name=x&page=2", true],
    ["/login/_payload.json", "/login", true],
    ["/login/_payload.json?next=%2Fteams", "/login?next=%2Fteams", true],
    ["/login?next=%2Fteams", "/login?next=%2Fteams", false],
  ])("%s is the page %s", (address, page, wantsPayload) => {
    const result = pageAddress(new URL(address, "http://a"));
    expect(result.url.pathname + result.url.search).toBe(page);
    expect(result.wantsPayload).toBe(wantsPayload);
  });
});

describe("navigation", () => {
  test("has the specification's groups and entries in order, whatever else it has", () => {
    const specified = {
      project: ["agents", "knowledges", "sources", "chats", "handovers", "apps"],
      playground: ["playgroundAgents", "playgroundKnowledge"],
      resources: ["files", "tasks"],
      account: ["profile", "users", "apiKeys", "models"],
    };
    const ordered = navigationGroups.map(({ key, entries }) => [
      key,
      entries.map((entry) => entry.key).filter((entry) => specified[key].includes(entry)),
    ]);
    expect(ordered).toEqual(Object.entries(specified));
  });
  test.each([
    ["/teams/demo/agents", "/teams/demo/agents"],
    ["/teams/demo/agents/123", "/teams/demo/agents"],
    ["/teams/demo/source/123/documents", "/teams/demo/sources"],
    ["/teams/demo/playground", "/teams/demo/playground"],
    ["/teams/demo/playground/knowledge", "/teams/demo/playground/knowledge"],
    ["/dashboard", "/dashboard"],
    ["/account", "/account"],
    ["/teams/demo/agentsX", null],
    ["/teams", null],
    ["/", null],
  ])("%s belongs to %s", (path, entry) => {
    expect(currentEntry(path)).toBe(entry);
  });
});

describe("localeFromHeader", () => {
  test.each([
    [undefined, "en"],
    ["", "en"],
    ["fr", "fr"],
    ["fr-CA,fr;q=0.9,en;q=0.8", "fr"],
    ["de,es;q=0.9", "en"],
    ["en;q=0.4, fr;q=0.7", "fr"],
    ["fr;q=0, en", "en"],
    ["*", "en"],
    [";;;q=x,,", "en"],
  ])("%s requests %s", (header, locale) => {
    expect(localeFromHeader(header)).toBe(locale);
  });
});
