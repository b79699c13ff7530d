// Builds web/sdk/widget.ts into dist/sdk/widget.js: one classic script without imports, as other people's pages load it.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Plugin } from "vite";

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
        target: ["chrome111", "firefox113", "safari16.4"],
        logLevel: "silent",
      });
    },
  };
}
