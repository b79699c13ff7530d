// Builds the web app: dist/client (hashed assets), dist/server/entry.mjs (vike) and dist/server/main.mjs (our server).
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import vike from "vike/plugin";
import { defineConfig } from "vite";
import { newBuildId } from "./web/renderer/build-id.ts";
import { islandsManifest } from "./web/renderer/islands-manifest.ts";
import { precompress } from "./web/renderer/precompress.ts";
import { scriptBudget } from "./web/renderer/script-budget.ts";
import { widgetScript } from "./web/renderer/widget-script.ts";

const REACT = /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store)[\\/]/;

export default defineConfig({
  root: "web",
  plugins: [react(), vike(), tailwindcss(), islandsManifest(), scriptBudget(), widgetScript(), precompress()],
  define: { __BUILD_ID__: JSON.stringify(newBuildId()) },
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    // Tokens use light-dark(); an older target would have it rewritten into two sets of variables.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // The pages are rendered on the server alone: nothing that a browser runs would bring their styles in.
          input: { styles: "/components/styles.css" },
          output: { codeSplitting: { groups: [{ name: "react", test: REACT }] } },
        },
      },
    },
    ssr: {
      build: { rolldownOptions: { input: { main: "/server/main.ts" } } },
    },
  },
});
