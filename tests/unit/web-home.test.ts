// The front page names every service whose documents a team can add.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { declarations } from "../../edge-functions/indexing/connectors/registry.ts";
import en from "../../locales/en/home.json" with { type: "json" };
import { origins } from "../../web/pages/index/points.ts";

test("the front page names every service that a source syncs", () => {
  const texts = new Map<string, unknown>(Object.entries(en.origins));
  const shown = origins.map(({ key }) => JSON.stringify(texts.get(key))).join("\n");
  const services = declarations.filter(({ origin }) => origin !== "team");
  expect(services.length).toBeGreaterThan(5);
  for (const { type } of services) {
    const { name } = JSON.parse(readFileSync(`locales/en/source-${type}.json`, "utf8"));
    const advice = "`origins` of locales/*/home.json and web/pages/index/points.ts name each service";
    expect(shown, advice).toContain(name);
  }
});
