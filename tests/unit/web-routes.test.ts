// Every route of the specification has its page, with its layout and access, and a browser test opens it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { routes } from "../support/routes.ts";

const specs = readdirSync("tests/e2e")
  .filter((name) => name.endsWith(".spec.ts"))
  .map((name) => readFileSync(`tests/e2e/${name}`, "utf8"));

test.each(routes)("$path", ({ page, layout, access, opened }) => {
  const folder = [page, `${page}/index`].find((one) => existsSync(`web/pages/${one}/+Page.tsx`));
  expect(folder, `web/pages/${page} has no +Page.tsx`).toBeDefined();
  expect(said(folder, "layout")).toBe(layout);
  expect(said(folder, "access")).toBe(access);
  expect(
    specs.some((spec) => opened.test(spec)),
    "no browser test opens it",
  ).toBe(true);
});

/** The value in the nearest +config.ts: the page's own, or a folder's above. */
function said(folder: string | undefined, setting: string): string | undefined {
  const names = folder?.split("/") ?? [];
  const configs = names.map(
    (_name, at) => `web/pages/${names.slice(0, names.length - at).join("/")}/+config.ts`,
  );
  return configs
    .filter((path) => existsSync(path))
    .flatMap((path) => new RegExp(`${setting}: "(\\w+)"`).exec(readFileSync(path, "utf8"))?.[1] ?? [])[0];
}
