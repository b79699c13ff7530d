// Owns the reading of sql/, the complete schema in readable form. Does not run it: supabase/migrations/ runs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const schemaDir = fileURLToPath(new URL("../../sql", import.meta.url));

/** The schema's source files in reading order: names and texts. */
export function readSchema(): { name: string; text: string }[] {
  return readdirSync(schemaDir)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(schemaDir, name), "utf8") }));
}
