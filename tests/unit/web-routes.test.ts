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
  expect(configOf(folder, "layout")).toBe(layout);
  expect(configOf(folder, "access")).toBe(access);
  expect(
    specs.some((spec) => opened.test(spec)),
    "no browser test opens it",
  ).toBe(true);
});

/** The value in the nearest +config.ts: the page's own, or a folder's above. */
function configOf(folder: string | undefined, setting: string): string | undefined {
  const names = folder?.split("/") ?? [];
  const configs = names.map(
    (_name, at) => `web/pages/${names.slice(0, names.length - at).join("/")}/+config.ts`,
  );
  return configs
    .filter((path) => existsSync(path))
    .flatMap((path) => new RegExp(`${setting}: "(\\w+)"`).exec(readFileSync(path, "utf8"))?.[1] ?? [])[0];
}

test("a page's settings repeat none that its folders give it", () => {
  const configs = readdirSync("web/pages", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("+config.ts"))
    .map((path) => path.split("/").slice(0, -1).join("/"));
  const repeated = configs.filter((folder) =>
    ["layout", "access", "permission"].some((setting) => {
      const own = new RegExp(`${setting}: "([\\w.]+)"`).exec(
        readFileSync(`web/pages/${folder}/+config.ts`, "utf8"),
      )?.[1];
      return own !== undefined && own === configOf(folder.split("/").slice(0, -1).join("/"), setting);
    }),
  );
  expect(repeated).toEqual([]);
  expect(configs.length).toBeGreaterThan(20);
});
