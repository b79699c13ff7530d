// No server code reaches a browser: no module of web/request, no name of a secret, in dist/client.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";

const client = "dist/client";
let scripts: { name: string; body: string }[] = [];

beforeAll(() => {
  if (!existsSync(`${client}/islands.json`)) {
    // The shipped build, which must not detect a test.
    const { VITEST: _, NODE_ENV: __, MODE: ___, ...env } = process.env;
    execFileSync("npx", ["vite", "build", "--logLevel", "error"], { env });
  }
  scripts = readdirSync(client, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .map((name) => ({ name, body: readFileSync(join(client, name), "utf8") }));
});

// Strings in server-only modules that survive minifying.
const serverOnly = [
  "sb-parley-auth-token",
  "parley-toast",
  "COOKIE_SECRET",
  "SUPABASE_URL",
  "PARLEY_MODELS",
  "/functions/v1",
  "x-forwarded-for",
  "node:crypto",
  "node:fs",
  "process.env.",
  "is for server-rendered components only",
  'needs a page with access "team"',
  "renderToString",
];

test("the bundle has the parts that are searched", () => {
  expect(scripts.length).toBeGreaterThan(3);
});

test.each(serverOnly)("no browser file contains %s", (marker) => {
  expect(scripts.filter(({ body }) => body.includes(marker)).map(({ name }) => name)).toEqual([]);
});

test("the server's build contains the markers", () => {
  const server = readdirSync("dist/server", { recursive: true, encoding: "utf8" })
    .filter((name) => /\.m?js$/.test(name))
    .map((name) => readFileSync(join("dist/server", name), "utf8"))
    .join("\n");
  const proof = ["sb-parley-auth-token", "parley-toast", "COOKIE_SECRET", "/functions/v1", "renderToString"];
  expect(proof.filter((marker) => !server.includes(marker))).toEqual([]);
});

test("the gallery is in neither build", () => {
  const built = readdirSync("dist", { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(m?js|json|css|html)$/.test(name))
    .filter((name) => /gallery-(state|lang|theme)/.test(readFileSync(join("dist", name), "utf8")));
  expect(built).toEqual([]);
});

test("React is in one chunk, and the entry does not import it", () => {
  const withReact = scripts.filter(({ body }) => body.includes("react.transitional.element"));
  expect(withReact.length).toBe(1);
  const entry = scripts.find(({ name }) => name.includes("renderer_client"));
  const imports = [...(entry?.body ?? "").matchAll(/(?:from|import)\s*"([^"]+)"/g)].map(([, path]) => path);
  expect(
    imports.some((path) => withReact.some(({ name }) => path?.endsWith(name.split("/").at(-1) ?? "?"))),
  ).toBe(false);
});
