// The built browser files: where they lie, what every page loads, and which chunks an island needs (for modulepreload).
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** dist/server, though this module may be built into one of its folders. */
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

/** Address of the built server entry of vike. */
export const serverEntry = new URL("./entry.mjs", server);

/** dist/client, beside dist/server. */
export const clientDirectory = fileURLToPath(new URL("../client", server));

/** The widget's script, built beside them. */
export const widgetFile = fileURLToPath(new URL("../sdk/widget.js", server));

/** Vite's manifest of the browser's files: source to what was made of it. */
const built = JSON.parse(readFileSync(new URL("../assets.json", server), "utf8")) as Record<
  string,
  { file: string; imports?: string[]; assets?: string[] }
>;

const address = (file: string): string => `/${file}`;

/** What every page loads: the stylesheet, the one font that every language needs, and the script with its imports. */
export const pageAssets = (() => {
  const [entry, styles] = [built["renderer/+client.ts"], built["components/styles.css"]];
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

const manifest = JSON.parse(readFileSync(`${clientDirectory}/islands.json`, "utf8")) as Record<
  string,
  string[]
>;

/** Addresses of the chunks that hydrating these islands needs, React included; none for no island. */
export function islandPreloads(names: string[]): string[] {
  return [...new Set(names.flatMap((name) => manifest[name] ?? []))];
}
