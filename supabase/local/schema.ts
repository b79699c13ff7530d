// Owns the reading of sql/, the readable whole of the schema. Does not run it: supabase/migrations/ is what runs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const schemaDir = fileURLToPath(new URL("../../sql", import.meta.url));

/** The schema's source files in the order in which they are read: their names and texts. */
export function readSchema(): { name: string; text: string }[] {
  return readdirSync(schemaDir)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(schemaDir, name), "utf8") }));
}
