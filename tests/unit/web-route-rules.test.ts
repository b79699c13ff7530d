// Route rules: redirects, the same in the server and in the browser, and additions by settings.
import { afterEach, expect, test, vi } from "vitest";
import { redirectOf } from "../../web/render/route-rules.ts";

const rule = (to: string) => ({ redirect: { to, statusCode: 302 as const } });
const rules = {
  "/help": rule("https://help.example.com/start"),
  "/old/**": rule("/new/**"),
  "/old/one": rule("/one?from=old"),
};
const target = (address: string) => redirectOf(rules, new URL(address, "http://parley.test"))?.to.href;

test("a path redirects to a page or another site, and keeps its query", () => {
  expect(target("/help?topic=agents")).toBe("https://help.example.com/start?topic=agents");
  expect(target("/old/one?from=mail&page=2")).toBe("http://parley.test/one?from=old&page=2");
});

test("/** keeps the rest of the path, and matches whole segments only", () => {
  expect(target("/old/a/b")).toBe("http://parley.test/new/a/b");
  expect(target("/old")).toBe("http://parley.test/new");
  expect(target("/older")).toBeUndefined();
  const below = redirectOf(
    { "/old/**": { redirect: { to: "/**", statusCode: 302 } } },
    new URL("http://parley.test/old//evil.example/x"),
  );
  expect(below?.to.href).toBe("http://parley.test/evil.example/x");
  expect(target("/")).toBeUndefined();
});

afterEach(() => vi.unstubAllEnvs());

async function locate(address: string, settings = ""): Promise<string | null> {
  vi.resetModules();
  vi.stubEnv("COOKIE_SECRET", "only-for-this-test");
  vi.stubEnv("ROUTE_REDIRECTS", settings);
  const { redirectLocation } = await import("../../web/request/route-rules.ts");
  return redirectLocation(new URL(address, "http://parley.test"));
}

test("an installation adds its own, and an invalid one prevents the start", async () => {
  expect(await locate("/signup")).toBe("/register");
  expect(await locate("/agents")).toBeNull();
  const settings = "/help=https://help.example.com /blog/**=https://blog.example.com/**";
  expect(await locate("/help", settings)).toBe("https://help.example.com/");
  expect(await locate("/blog/2026/one?a=b", settings)).toBe("https://blog.example.com/2026/one?a=b");
  for (const wrong of ["help=https://a.example", "/help=javascript:alert(1)", "/help=//evil.example"])
    await expect(locate("/help", wrong)).rejects.toThrow(/ROUTE_REDIRECTS/);
});
