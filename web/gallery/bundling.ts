// Owns Vite's configuration for the gallery: the app's own modules, except the one that reads the built files.
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import type { InlineConfig, Plugin } from "vite";

export const webFolder = fileURLToPath(new URL("..", import.meta.url));

export interface GalleryFiles {
  style: string;
  font: string;
  script: string;
  imports: string[];
}

const ownClientFiles: Plugin = {
  name: "parley:gallery-files",
  enforce: "pre",
  resolveId: (source, importer) =>
    importer && source.endsWith("/request/client-files.ts")
      ? fileURLToPath(new URL("./client-files.ts", import.meta.url))
      : null,
};

/** @param files what every page loads */
export const bundling = (files: GalleryFiles): InlineConfig => ({
  configFile: false,
  root: webFolder,
  logLevel: "warn",
  plugins: [ownClientFiles, react(), tailwindcss()],
  define: { __BUILD_ID__: '"gallery"', __GALLERY_FILES__: JSON.stringify(files) },
});
