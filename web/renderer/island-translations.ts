// Gives components their words without react-i18next's cost. In the browser's files "react-i18next" is client/translations.ts, which
// spares every island 18 kB compressed; on the server it is server-translations.tsx. What those do not export fails the build.
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const instead: Record<string, string> = {
  client: pathOf("./client/translations.ts"),
  ssr: pathOf("./server-translations.tsx"),
};

export function islandTranslations(): Plugin {
  return {
    name: "parley:island-translations",
    enforce: "pre",
    resolveId(id, importer) {
      const file = instead[this.environment.name];
      // The server's own builds on the package.
      return id === "react-i18next" && importer !== file ? file : undefined;
    },
  };
}
