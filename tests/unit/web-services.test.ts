// Every text that lists the services to sync names each of them.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { declarations } from "../../edge-functions/indexing/connectors/registry.ts";
import { languageCodes } from "../../locales/registry.ts";
import { origins } from "../../web/pages/index/points.ts";

/** Services by their name, which is the same in every language. A website has none. */
const services = declarations.filter(({ origin, type }) => origin === "service" && type !== "website");

const readWords = (language: string, file: string) =>
  JSON.parse(readFileSync(`locales/${language}/${file}.json`, "utf8"));

test.each(languageCodes)(
  "the front page, the list of sources, the guide and the README name every service (%s)",
  (language) => {
    const { origins: texts } = readWords(language, "home");
    const guide = `web/content/${language}/guides/connect-a-source.md`;
    const lists = {
      "`origins` of home.json and web/pages/index/points.ts": JSON.stringify(
        origins.map(({ key }) => texts[key]),
      ),
      "`list.emptyText` of sources.json": readWords(language, "sources").list.emptyText,
      ...(existsSync(guide) ? { [guide]: readFileSync(guide, "utf8") } : {}),
      "README.md": readFileSync("README.md", "utf8"),
    };
    expect(services.length).toBeGreaterThan(5);
    for (const { name } of services)
      for (const [list, text] of Object.entries(lists)) expect(text, list).toContain(name);
  },
);
