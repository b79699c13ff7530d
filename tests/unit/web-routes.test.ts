// Every route of the specification has its page, with its layout and its access, and is opened by a browser test.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { routes } from "../support/routes.ts";

const specs = readdirSync("tests/e2e")
  .filter((name) => name.endsWith(".spec.ts"))
  .map((name) => readFileSync(`tests/e2e/${name}`, "utf8"));

test.each(routes)("$path", ({ page, layout, access, opened }) => {
  const folder = [page, `${page}/index`].find((one) => existsSync(`web/pages/${one}/+config.ts`));
  expect(folder, `web/pages/${page} has no +config.ts`).toBeDefined();
  // An address that only leads on needs no page of its own to show.
  expect(existsSync(`web/pages/${folder}/+Page.tsx`)).toBe(true);
  const config = readFileSync(`web/pages/${folder}/+config.ts`, "utf8");
  expect(/layout: "(\w+)"/.exec(config)?.[1] ?? "default").toBe(layout);
  expect(/access: "(\w+)"/.exec(config)?.[1] ?? "team").toBe(access);
  expect(
    specs.some((spec) => opened.test(spec)),
    "no browser test opens it",
  ).toBe(true);
});
