// Gives islands their words without i18next and react-i18next, which would bring 18 kB compressed to every one of them:
// in the browser's files "react-i18next" is client/translations.ts. What that file does not export fails the build.
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

export function islandTranslations(): Plugin {
  return {
    name: "parley:island-translations",
    enforce: "pre",
    applyToEnvironment: (environment) => environment.name === "client",
    resolveId: (id) =>
      id === "react-i18next"
        ? fileURLToPath(new URL("./client/translations.ts", import.meta.url))
        : undefined,
  };
}
