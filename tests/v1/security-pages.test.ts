// Every page of the web app: headers that keep a browser from running foreign code, and no 5xx for any URL.
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { newPerson, newTeam, type Team } from "../support/api.ts";
import { newAgent } from "../support/content.ts";
import { escapeForUrl, hostileTexts } from "../support/fuzz/hostile.ts";
import { sendTo, sixAtOnce } from "../support/fuzz/sending.ts";
import { routes } from "../support/routes.ts";
import { findStack } from "../support/stack.ts";
import { cookieOf, postLogin } from "../support/web-session.ts";

let webUrl: string;
let sdkUrl: string;
let team: Team;
let cookie: string;

beforeAll(async () => {
  ({ webUrl } = await findStack());
  sdkUrl = webUrl.replace(/:\d+$/, (port) => `:${Number(port.slice(1)) + 1}`);
  team = await newTeam();
  cookie = cookieOf(await postLogin(team.owner));
});

/** A URL of each page, with ids that do not exist. */
const addresses = () => [
  // Opening it ends the session of the others.
  ...routes
    .filter(({ page }) => page !== "logout")
    .map(({ path }) =>
      path
        .replace("{teamId}", team.codename)
        .replace("{slug}", "privacy-policy")
        .replace(/\{id\}/g, team.id),
    ),
  "/admin/teams",
  "/nowhere",
  "/teams/nowhere/agents",
];

/** Request headers: anonymous, and the team's owner. */
const readers = (): Record<string, string>[] => [{}, { cookie }];

/** A content security policy as its directives. */
const policyOf = (headers: Headers) =>
  new Map(
    (headers.get("content-security-policy") ?? "").split(";").map((directive): [string, string[]] => {
      const [name = "", ...values] = directive.trim().split(/\s+/);
      return [name, values];
    }),
  );

/** What is wrong with a page's headers and markup. */
function complaints(headers: Headers, html: string, frame = false): string[] {
  const policy = policyOf(headers);
  const scripts = policy.get("script-src") ?? [];
  const nonce = scripts.map((source) => /^'nonce-([\w-]{20,})'$/.exec(source)?.[1]).find(Boolean);
  // A JSON block is data.
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const isOurs = (tag: string, text: string) =>
    tag.includes(`nonce="${nonce}"`) || /type="application\/json"/.test(tag) || scripts.includes(hash(text));
  const checks: [string, boolean][] = [
    ["default-src is 'none'", String(policy.get("default-src")) === "'none'"],
    ["base-uri is 'none'", String(policy.get("base-uri")) === "'none'"],
    ["forms stay here", String(policy.get("form-action")) === "'self'"],
    ["there is a nonce", nonce !== undefined],
    [
      "scripts are our own",
      scripts.every((source) => /^'(self|nonce-[\w-]+|sha256-[\w+/]+=)'$/.test(source)),
    ],
    ["styles are our own", String(policy.get("style-src")) === `'self','nonce-${nonce}'`],
    [
      "style elements have the nonce",
      [...html.matchAll(/<style\b[^>]*>/g)].every(([tag]) => tag === `<style nonce="${nonce}">`),
    ],
    ["objects are not opened", !policy.has("object-src")],
    [
      "scripts have the nonce or the hash",
      [...html.matchAll(/(<script\b[^>]*>)(.*?)<\/script>/gs)].every(([, tag = "", text = ""]) =>
        isOurs(tag, text),
      ),
    ],
    ["there are no handlers in the markup", !/<[a-z][^>]*\son[a-z]+\s*=/i.test(html)],
    ["there is no javascript: address", !/(href|src|action)\s*=\s*["']?\s*javascript:/i.test(html)],
    ["types are not guessed", headers.get("x-content-type-options") === "nosniff"],
    ["the referrer is short", headers.get("referrer-policy") === "strict-origin-when-cross-origin"],
    ["caches keep nothing", /^private, no-(store|cache)$/.test(headers.get("cache-control") ?? "")],
    ["nothing of the server is named", !headers.has("server") && !headers.has("x-powered-by")],
    ["nobody frames it", frame || String(policy.get("frame-ancestors")) === "'none'"],
    ["nobody frames it in old browsers", frame || headers.get("x-frame-options") === "DENY"],
    ["windows are apart", frame || headers.get("cross-origin-opener-policy") === "same-origin"],
    ["answers are told apart", frame || headers.get("vary")?.includes("Cookie") === true],
  ];
  return checks.filter(([, holds]) => !holds).map(([what]) => what);
}

describe("every page", () => {
  test("runs our scripts only, in no frame and no cache, for every reader", async () => {
    const wrong: string[] = [];
    const nonces = new Set<string>();
    let pages = 0;
    for (const headers of readers()) {
      await sixAtOnce(addresses(), async (path) => {
        const answer = await fetch(webUrl + path, { redirect: "manual", headers });
        const html = await answer.text();
        if (answer.status >= 500) wrong.push(`${path}: ${answer.status}`);
        for (const what of complaints(answer.headers, html)) wrong.push(`${path}: not: ${what}`);
        const nonce =
          /'nonce-([\w-]+)'/.exec(answer.headers.get("content-security-policy") ?? "")?.[1] ?? path;
        if (nonces.has(nonce)) wrong.push(`${path}: a nonce is used twice`);
        nonces.add(nonce);
        if (
          "cookie" in headers &&
          answer.headers.get("cache-control") !== "private, no-store" &&
          answer.status < 300
        )
          wrong.push(`${path}: a page of somebody logged in may be kept`);
        pages += 1;
      });
    }
    expect(wrong).toEqual([]);
    expect(pages).toBe(2 * (routes.length + 2));
  });

  test("answers hostile URLs with no 5xx, and shows none of them unescaped", async () => {
    let turn = 0;
    const tries = addresses().flatMap((path) =>
      Array.from({ length: 4 }, () => {
        const text = escapeForUrl(hostileTexts[turn++ % hostileTexts.length] ?? "");
        const inPath = path.replace(team.id, text).replace(team.codename, turn % 2 ? team.codename : text);
        const names = [
          "next",
          "page",
          "email",
          "name",
          "status",
          "lastKey",
          "dateStart",
          "quote",
          "chat",
          "code",
        ].filter((_name, index) => (index + turn) % 5 === 0);
        return `${inPath}?${names.map((name) => `${name}=${text}`).join("&")}`;
      }),
    );
    const wrong: string[] = [];
    await sixAtOnce(tries, async (path) => {
      for (const headers of readers()) {
        const reply = await sendTo(webUrl, { method: "GET", path, headers });
        if (reply.status >= 500) wrong.push(`${reply.status} ${path}`);
        if (/<script>alert|<img src=x/.test(reply.text)) wrong.push(`unescaped: ${path}`);
        const to = reply.headers.location;
        if (to !== undefined && new URL(to, webUrl).origin !== webUrl) wrong.push(`${path} leads to ${to}`);
      }
    });
    expect(wrong).toEqual([]);
    expect(tries.length).toBeGreaterThan(hostileTexts.length);
  });

  test("handles hostile forms with no 5xx", async () => {
    let turn = 0;
    const wrong: string[] = [];
    await sixAtOnce(["/preferences", "/onboarding/file", ...addresses()], async (path) => {
      for (const type of [
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain",
      ]) {
        const text = escapeForUrl(hostileTexts[turn++ % hostileTexts.length] ?? "");
        const names = [
          "form",
          "id",
          "name",
          "email",
          "password",
          "next",
          "theme",
          "locale",
          "roleId",
          "content",
        ];
        const headers = { cookie, origin: webUrl, "content-type": type };
        const body = names.map((name) => `${name}=${text}`).join("&");
        const reply = await sendTo(webUrl, { method: "POST", path, headers, body });
        if (reply.status >= 500) wrong.push(`${reply.status} ${path} ${type} ${text.slice(0, 60)}`);
      }
    });
    expect(wrong).toEqual([]);
  });
});

describe("the widget's frame", () => {
  test("runs our scripts only, and is framed by the sites of its agent", async () => {
    const open = await newAgent(team, { visibility: "public" });
    const allowedOrigins = ["https://shop.example", "https://*.blog.example"];
    const bound = await newAgent(team, { visibility: "public", allowedOrigins });
    for (const [id, ancestors] of [
      [open, ["*"]],
      [bound, ["'self'", webUrl, ...allowedOrigins]],
    ] as const) {
      const answer = await fetch(`${sdkUrl}/widget/${id}`, { headers: { cookie } });
      expect(complaints(answer.headers, await answer.text(), true)).toEqual([]);
      expect(policyOf(answer.headers).get("frame-ancestors")).toEqual(ancestors);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    const demo = await fetch(`${sdkUrl}/?agent=${escapeForUrl('"><script>alert(1)</script>')}`);
    expect(await demo.text()).not.toContain("<script>alert");
    expect(policyOf(demo.headers).get("base-uri")).toEqual(["'none'"]);
  });

  test("makes no call that a login would authorise, and none for another site's page", async () => {
    const stranger = await newPerson();
    const bearer = { authorization: `Bearer ${stranger.token}`, cookie };
    for (const path of ["/v1/auth/me", "/v1/teams", "/v1/agents", "/login"]) {
      const { status } = await fetch(sdkUrl + path, { headers: bearer });
      expect([path, status]).toEqual([path, 404]);
    }
    const { status } = await fetch(`${sdkUrl}/v1/agents/${team.id}/chats`, {
      method: "POST",
      headers: { origin: "https://elsewhere.test" },
    });
    expect(status).toBe(403);
  });
});
