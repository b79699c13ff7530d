// The web app's security: redirects, cookies, cross-origin reads, and files that are not served.
import { readdirSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { mailTo, newPerson, newTeam, type Person } from "../support/api.ts";
import { newAgent } from "../support/content.ts";
import { sendTo } from "../support/fuzz/sending.ts";
import { findStack, type Stack } from "../support/stack.ts";
import { cookieOf, postLogin } from "../support/web-session.ts";

let stack: Stack;
let webUrl: string;
let person: Person;

beforeAll(async () => {
  stack = await findStack();
  ({ webUrl } = stack);
  person = await newPerson();
});

/** URLs of another site that parsers have taken for a path of this one. */
const elsewhere = [
  "//evil.test",
  "///evil.test",
  "/\\evil.test",
  "\\\\evil.test",
  "/\t/evil.test",
  "/\n/evil.test",
  "/..//evil.test",
  "/.//evil.test/x",
  "/%2e%2e//evil.test",
  "/teams/../..//evil.test",
  "https://evil.test",
  "https:evil.test",
  "http:/evil.test",
  "javascript:alert(1)",
  "data:text/html,x",
  "%2f%2fevil.test",
  "/%2f%2fevil.test",
  "/%5cevil.test",
  "@evil.test",
  ".evil.test",
  "/x\r\nLocation: https://evil.test",
  "/x%0d%0aLocation:%20https://evil.test",
  "",
];

const staysHere = (location: string | null) =>
  location !== null && new URL(location, webUrl).origin === new URL(webUrl).origin;

describe("no redirect leads to another site", () => {
  test("by ?next= of the login", async () => {
    const led: string[] = [];
    // Each is a login with its slow hash; tests/unit/web-addresses.test.ts tries them all.
    for (const next of elsewhere.filter((_next, index) => index % 3 === 0)) {
      const { status, headers } = await postLogin(person, { next });
      if (status !== 303 || !staysHere(headers.get("location")))
        led.push(`${next}: ${headers.get("location")}`);
    }
    expect(led).toEqual([]);
  });

  test("from the page that a form or a link came from", async () => {
    const led: string[] = [];
    for (const target of elsewhere.filter((one) => !/[\t\r\n]/.test(one))) {
      for (const referer of [target, `https://evil.test${target}`, `${webUrl}${target}`]) {
        for (const [method, path] of [
          ["POST", "/preferences"],
          ["POST", "/logout"],
          ["GET", "/logout"],
        ] as const) {
          const headers = { origin: webUrl, referer };
          const answer = await fetch(webUrl + path, { method, headers, redirect: "manual" });
          if (answer.status >= 400 || !staysHere(answer.headers.get("location")))
            led.push(`${method} ${path} ${referer}: ${answer.status} ${answer.headers.get("location")}`);
        }
      }
    }
    expect(led).toEqual([]);
  });

  test("from a confirmed address, or from Slack's redirect", async () => {
    const address = `redirected-${crypto.randomUUID()}@parley.test`;
    const json = { "Content-Type": "application/json" };
    const body = { name: "Redirected", email: address, password: "a-long-enough-1", deviceId: "app" };
    await fetch(`${stack.apiUrl}/v1/auth/register`, {
      method: "POST",
      headers: json,
      body: JSON.stringify(body),
    });
    const code = /[?&]code=([^&\s]+)/.exec((await mailTo(address)).text)?.[1];
    const query = new URLSearchParams({
      code: code ?? "",
      username: address,
      redirectUrl: `${webUrl}@evil.test/`,
    });
    const confirmed = await fetch(`${stack.apiUrl}/v1/auth/confirm?${query}`, { redirect: "manual" });
    expect([confirmed.status, confirmed.headers.get("location")]).toEqual([200, null]);
    const back = await fetch(
      `${stack.apiUrl}/slack/oauth?state=${encodeURIComponent("//evil.test")}&code=x&redirect_uri=https://evil.test`,
      { redirect: "manual" },
    );
    expect(staysHere(back.headers.get("location"))).toBe(true);
  });

  test("from a page's own URL", async () => {
    for (const path of [
      "//evil.test/",
      "//evil.test",
      "/.//evil.test/",
      "///evil.test//",
      "/login//",
      "/%2f%2fevil.test/",
    ]) {
      const { status, headers } = await sendTo(webUrl, { method: "GET", path, headers: {} });
      expect(status).toBeLessThan(500);
      if (headers.location !== undefined) expect([path, staysHere(headers.location)]).toEqual([path, true]);
    }
  });
});

describe("cookies", () => {
  test("are unreadable for scripts and other sites, for this host only", async () => {
    const lines = (await postLogin(person)).headers.getSetCookie();
    expect(lines.some((line) => line.startsWith("sb-parley-auth-token"))).toBe(true);
    for (const line of lines) {
      expect(line).toMatch(/; Path=\/(;|$)/);
      expect(line).toContain("; HttpOnly");
      expect(line).toContain("; Secure");
      expect(line).toContain("; SameSite=Lax");
      expect(line).not.toMatch(/domain=/i);
    }
  });

  test("of a planted session do not survive the login, nor those of a session its end", async () => {
    const planted = cookieOf(await postLogin(await newPerson()));
    const answer = await postLogin(person, { cookie: planted });
    // A logged-in user is redirected; the form changes nothing.
    expect(answer.headers.getSetCookie().join()).not.toContain("sb-parley-auth-token");
    await fetch(`${webUrl}/logout`, {
      method: "POST",
      headers: { origin: webUrl, cookie: planted },
      redirect: "manual",
    });
    const own = cookieOf(await postLogin(person, { cookie: planted }));
    const me = async (cookie: string) =>
      (await fetch(`${webUrl}/v1/auth/me`, { headers: { cookie } })).status;
    expect([await me(own), await me(planted)]).toEqual([200, 401]);
    await fetch(`${webUrl}/logout`, {
      method: "POST",
      headers: { origin: webUrl, cookie: own },
      redirect: "manual",
    });
    expect(await me(own)).toBe(401);
  });

  test("that are malformed, foreign or too large give no 5xx and no session", async () => {
    const large = "x".repeat(3000);
    for (const cookie of [
      "sb-parley-auth-token=base64-%ff",
      "sb-parley-auth-token=base64-e30",
      "sb-parley-auth-token=base64-W10",
      "sb-parley-auth-token=base64-bnVsbA",
      `sb-parley-auth-token=base64-${Buffer.from(JSON.stringify({ access_token: "a.b.c", refresh_token: "d" })).toString("base64url")}`,
      `sb-parley-auth-token.0=base64-${large}; sb-parley-auth-token.1=${large}; sb-parley-auth-token.2=${large}`,
      "parley-toast=eyJ0aXRsZSI6IkhhY2tlZCJ9.forged; parley-team=../../x; parley-locale=xx; parley-theme=<script>",
      "parley-visitor=a.b.c",
      "__proto__=1; constructor=2",
      "a; =b; ;;; =",
    ]) {
      for (const path of ["/", "/login", "/v1/auth/me", "/palette.json"]) {
        const { status, text } = await sendTo(webUrl, { method: "GET", path, headers: { cookie } });
        expect([cookie.slice(0, 60), path, status < 500]).toEqual([cookie.slice(0, 60), path, true]);
        expect(text).not.toContain("Hacked");
      }
    }
    const { status } = await sendTo(webUrl, {
      method: "GET",
      path: "/",
      headers: { cookie: `a=${"x".repeat(20_000)}` },
    });
    expect(status).toBe(431);
  });
});

describe("an answer with private data", () => {
  test("is left in no shared cache, and in none for the next reader of a browser", async () => {
    const { apiUrl, supabaseUrl, anonKey } = stack;
    const team = await newTeam();
    const agentId = await newAgent(team, {});
    const bearer = { Authorization: `Bearer ${team.owner.token}` };
    const platform = { ...bearer, apikey: anonKey };
    const cookie = cookieOf(await postLogin(team.owner));
    const asked = { agentId, messages: [{ role: "user", content: "Hello" }] };
    const stream = {
      method: "POST",
      headers: { ...bearer, "Content-Type": "application/json" },
      body: JSON.stringify(asked),
    };
    const { body: link } = await team.owner.get(
      `${team.path}/files/signedUrl?path=a.txt&contentType=text/plain`,
    );
    const headers = { ...link.headers, "Cache-Control": "public, max-age=31536000" };
    expect((await fetch(link.url, { method: link.method, headers, body: "Bytes" })).ok).toBe(true);
    const { body: made } = await team.owner.post(`${team.path}/files`, { path: link.path, name: "a.txt" });
    const { body: file } = await team.owner.get(`${team.path}/files/${made.id}`);
    const answers: [url: string, init: RequestInit, cache: RegExp][] = [
      [`${apiUrl}/v1/auth/me`, { headers: bearer }, /^no-store$/],
      [`${apiUrl}${team.path}/export`, { headers: bearer }, /^no-store$/],
      [`${apiUrl}/v1/streams`, stream, /^no-store, no-transform$/],
      [`${webUrl}/v1/auth/me`, { headers: { cookie } }, /^no-store$/],
      [`${webUrl}/account`, { headers: { cookie } }, /^private, no-store$/],
      [`${webUrl}/nothing/there`, { headers: { cookie } }, /^private, no-store$/],
      [`${supabaseUrl}/rest/v1/users?select=id`, { headers: platform }, /^no-store$/],
      [`${supabaseUrl}/auth/v1/user`, { headers: platform }, /^no-store$/],
      // Checked with us on each use: a deleted file is gone.
      [file.url, {}, /^private, no-cache$/],
    ];
    for (const [url, init, cache] of answers) {
      const answer = await fetch(url, init);
      await answer.body?.cancel();
      expect([url, answer.headers.get("cache-control")]).toEqual([url, expect.stringMatching(cache)]);
    }
  });
});

describe("another site's page", () => {
  const origin = "https://evil.test";

  test("reads answers to a bearer token, never to cookies", async () => {
    for (const asked of [origin, "null", "https://evil.test:1", webUrl]) {
      for (const [method, headers] of [
        ["GET", {}],
        [
          "OPTIONS",
          { "access-control-request-method": "PUT", "access-control-request-headers": "authorization" },
        ],
      ] as const) {
        for (const url of [`${stack.apiUrl}/v1/agents`, `${stack.supabaseUrl}/rest/v1/teams`]) {
          const answer = await fetch(url, { method, headers: { origin: asked, ...headers } });
          expect(answer.headers.get("access-control-allow-origin")).toBe("*");
          expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
        }
        for (const path of ["/v1/agents", "/v1/auth/me", "/login", "/palette.json", "/builds/latest.json"]) {
          const answer = await fetch(webUrl + path, { method, headers: { origin: asked, ...headers } });
          expect([path, answer.headers.get("access-control-allow-origin")]).toEqual([path, null]);
          expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
        }
      }
    }
  });

  test("posts nothing, whatever content type it claims", async () => {
    const cookie = cookieOf(await postLogin(person));
    const types = [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "",
      "application/json",
    ];
    for (const type of types) {
      for (const from of [{ origin }, { origin: "null" }, { "sec-fetch-site": "cross-site" }] as Record<
        string,
        string
      >[]) {
        const headers = { cookie, "content-type": type, ...from };
        const answer = await fetch(`${webUrl}/v1/teams`, {
          method: "POST",
          headers,
          body: '{"name":"Forged"}',
        });
        expect([type, answer.status]).toEqual([type, 403]);
      }
      // From our own page, a form's types create no team either.
      if (type === "application/json") continue;
      const headers = { cookie, "content-type": type, origin: webUrl };
      const answer = await fetch(`${webUrl}/v1/teams`, {
        method: "POST",
        headers,
        body: '{"name":"Forged"}',
      });
      expect([type, answer.status]).toEqual([type, 415]);
    }
    const teams = await fetch(`${webUrl}/v1/teams`, { headers: { cookie } });
    expect(await teams.json()).toMatchObject({ total: 0 });
  });
});

describe("an internal file", () => {
  test("is not served: sources, maps, manifests, development tools", async () => {
    const built = readdirSync("dist/client/assets", { recursive: true }).map(String);
    const scripts = built.filter((name) => name.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(5);
    expect(built.filter((name) => name.endsWith(".map"))).toEqual([]);
    for (const name of scripts.slice(0, 5)) {
      const script = await fetch(`${webUrl}/assets/${name}`);
      expect(script.headers.get("x-content-type-options")).toBe("nosniff");
      expect(await script.text()).not.toContain("sourceMappingURL");
      expect((await fetch(`${webUrl}/assets/${name}.map`)).status).toBe(404);
    }
    for (const path of [
      "/.env",
      "/.git/HEAD",
      "/package.json",
      "/assets.json",
      "/islands.json",
      "/scripts.json",
      "/server/entry.mjs",
      "/dist/server/entry.mjs",
      "/@vite/client",
      "/@fs/etc/passwd",
      "/%40fs/etc/passwd",
      "/__vite_ping",
      "/favicon.ico",
      "/login/index.pageContext.json",
      "/node_modules/vike/package.json",
      "/src/main.ts",
      "/assets/../../server/entry.mjs",
      "/assets/..%2f..%2fserver%2fentry.mjs",
      "/%2e%2e/%2e%2e/etc/passwd",
      "/debug",
      "/_system/info",
    ]) {
      for (const base of [webUrl, stack.supabaseUrl]) {
        const { status, text } = await sendTo(base, { method: "GET", path, headers: {} });
        expect([path, status === 404 || (status >= 300 && status < 400)]).toEqual([path, true]);
        expect(text).not.toMatch(/root:x:|"dependencies"|\[core\]|renderPage/);
      }
    }
  });

  test("is in no error page", async () => {
    for (const path of ["/nowhere", "/chats/%00", "/teams/%ff/agents", "/v1/nowhere", "/assets/none.js"]) {
      const { text } = await sendTo(webUrl, { method: "GET", path, headers: {} });
      expect(text).not.toMatch(/node_modules|\.ts:\d|\bat \w+ \(|file:\/\/\/|postgres/i);
    }
  });
});
