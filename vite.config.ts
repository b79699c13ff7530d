// Builds the web app: dist/client (hashed assets), dist/server/entry.mjs (vike) and dist/server/main.mjs (our server).
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import vike from "vike/plugin";
import { defineConfig } from "vite";
import { newBuildId } from "./web/build/build-id.ts";
import { islandsManifest } from "./web/build/islands-manifest.ts";
import { markedLexer } from "./web/build/marked-lexer.ts";
import { precompress } from "./web/build/precompress.ts";
import { scriptBudget } from "./web/build/script-budget.ts";
import { widgetScript } from "./web/build/widget-script.ts";

const REACT = /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store)[\\/]/;

export default defineConfig({
  root: "web",
  plugins: [
    react(),
    vike(),
    tailwindcss(),
    markedLexer(),
    islandsManifest(),
    scriptBudget(),
    widgetScript(),
    precompress(),
  ],
  define: { __BUILD_ID__: JSON.stringify(newBuildId()) },
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    // Tokens use light-dark(); for an older target it would be rewritten into two sets of variables.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // Pages are rendered only on the server, so no browser module imports their styles.
          input: { styles: "/ui/styles.css" },
          output: {
            // Every page's script names the chunks that may follow, and hashes do not compress: the shortest that is allowed.
            chunkFileNames: "assets/chunks/chunk-[hash:7].js",
            codeSplitting: { groups: [{ name: "react", test: REACT }] },
          },
        },
      },
    },
    ssr: {
      build: { rolldownOptions: { input: { main: "/request/main.ts" } } },
    },
  },
});
