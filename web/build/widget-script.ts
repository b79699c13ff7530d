// Builds web/sdk/widget.ts into dist/sdk/widget.js: one classic script without imports, for customers' pages.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Plugin } from "vite";
import { languages } from "../../locales/languages.ts";
import { defaultLanguage } from "../../locales/registry.ts";

/** The script's texts in each language; English ones for those that a language lacks. */
function wordsByLanguage(): Record<string, Record<string, string>> {
  const wordsIn = (code: string): Record<string, string> => {
    const file = fileURLToPath(new URL(`../../locales/${code}/widget.json`, import.meta.url));
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  };
  const english = wordsIn(defaultLanguage);
  return Object.fromEntries(languages.map(({ code }) => [code, { ...english, ...wordsIn(code) }]));
}

export function widgetScript(): Plugin {
  return {
    name: "parley:widget-script",
    applyToEnvironment: (environment) => environment.name === "client",
    async writeBundle() {
      await build({
        entryPoints: [fileURLToPath(new URL("../sdk/widget.ts", import.meta.url))],
        outfile: fileURLToPath(new URL("../../dist/sdk/widget.js", import.meta.url)),
        bundle: true,
        minify: true,
        format: "iife",
        define: { __WIDGET_WORDS__: JSON.stringify(wordsByLanguage()) },
        target: ["chrome111", "firefox113", "safari16.4"],
        logLevel: "silent",
      });
    },
  };
}
