// There is one way to do a thing: each of these is done by one module, and the others call it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const modules = ["edge-functions", "web", "supabase"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|tsx|mjs)$/.test(name))
    .map((name) => join(folder, name)),
);
const texts = new Map(modules.map((path) => [path, readFileSync(path, "utf8")]));

/** What only one module does, and how a second copy would look. */
const ways: [what: string, sign: RegExp, owner?: string][] = [
  ["reads Retry-After", /\.get\(["'`]retry-after/i, "edge-functions/_shared/outbound/retry.ts"],
  [
    "computes a back-off between attempts",
    /\*\* *\(?(Math\.\w+\([^)]*)?\(?(attempt|tries|tried|failures?)\b/,
    "edge-functions/_shared/outbound/retry.ts",
  ],
  [
    "estimates tokens",
    /Math\.\w+\([^)\n]*\.length \/ [345]\b|\brunTokens\(/,
    "edge-functions/_shared/models/tokens.ts",
  ],
  ["reads a cursor of the API", /\b(last)?key\b[^;\n]*["']base64url/i, "edge-functions/v1/cursors.ts"],
  [
    "knows which addresses are public",
    /["'`](169\.254\.0\.0|100\.64\.0\.0|fc00::)\/\d/,
    "edge-functions/_shared/outbound/addresses.ts",
  ],
  // The package eventsource-parser does.
  ["splits server-sent events, and none of ours", /\.startsWith\(["']data:/],
];

test.each(ways)("one module %s", (_what, sign, owner) => {
  const doing = [...texts].filter(([, text]) => sign.test(text)).map(([path]) => path);
  expect(doing).toEqual(owner ? [owner] : []);
});
