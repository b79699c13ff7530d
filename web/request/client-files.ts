// The built browser files: their location, what every page loads, and the chunks of each island (for modulepreload).
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { indexStyles } from "../render/first-styles.ts";

/** dist/server. The build may put this module in one of its subfolders. */
function serverDirectory(): URL {
  let directory = new URL("./", import.meta.url);
  while (!existsSync(new URL("./entry.mjs", directory))) {
    const parent = new URL("../", directory);
    if (parent.href === directory.href)
      throw new Error("The built pages (dist/server/entry.mjs) are missing: npm run build");
    directory = parent;
  }
  return directory;
}

const server = serverDirectory();

/** Address of vike's built server entry. */
export const serverEntry = new URL("./entry.mjs", server);

/** dist/client, next to dist/server. */
export const clientDirectory = fileURLToPath(new URL("../client", server));

/** The widget's script, built next to them. */
export const widgetFile = fileURLToPath(new URL("../sdk/widget.js", server));

/** Vite's manifest of the browser files, from source to output. */
const built = JSON.parse(readFileSync(new URL("../assets.json", server), "utf8")) as Record<
  string,
  { file: string; imports?: string[]; assets?: string[] }
>;

const address = (file: string): string => `/${file}`;

/** What every page loads: the stylesheet, the font that every language needs, and the script with its imports. */
export const pageAssets = (() => {
  const [entry, styles] = [built["+client.ts"], built["ui/styles.css"]];
  const font = styles?.assets?.find((file) => file.includes("geist-latin-wght"));
  if (!entry || !styles || !font)
    throw new Error("The build's manifest (dist/assets.json) lacks the script or the styles of the pages");
  const imports = (entry.imports ?? []).flatMap((name) => built[name]?.file ?? []);
  return {
    style: address(styles.file),
    font: address(font),
    script: address(entry.file),
    imports: imports.map(address),
  };
})();

/** The rules of the stylesheet that the first paint of a page's HTML needs. */
export const firstStyles: ((html: string) => string) | null = indexStyles(
  readFileSync(`${clientDirectory}${pageAssets.style}`, "utf8"),
);

const manifest = JSON.parse(readFileSync(`${clientDirectory}/islands.json`, "utf8")) as Record<
  string,
  string[]
>;

/** Addresses of the chunks that these islands need to hydrate, React included; empty for no islands. */
export function islandPreloads(names: string[]): string[] {
  return [...new Set(names.flatMap((name) => manifest[name] ?? []))];
}
