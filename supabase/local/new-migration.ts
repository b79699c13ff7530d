// Owns `npm run migration -- NAME`: creates an empty migration, numbered by the time. Does not write its SQL: whoever changes sql/ writes
// the migration of existing databases by hand. Only generated SQL is its own migration.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "./command.ts";
import { Fatal } from "./fatal.ts";

/**
 * Creates `<14 digits>_<name>.sql` in a folder of migrations, later than every other file in it.
 * @param sql generated SQL, whose own first comment is left out
 * @returns the file's name.
 * @throws Fatal when the name is not valid for a migration.
 */
export function createMigration(dir: string, name: string | undefined, sql = "", now = new Date()): string {
  if (!name || !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)) {
    throw new Fatal(
      `A migration is named by lower case words joined by underscores, such as add_team_colors; ${name ? `"${name}" is not` : "npm run migration -- NAME"}.`,
    );
  }
  const versions = readdirSync(dir).flatMap((file) => /^(\d{14})_.+\.sql$/.exec(file)?.[1] ?? []);
  // Takes a later number than all existing ones, even when the clock is slow or another migration has the same second.
  const version = [stamp(now), ...versions.map((taken) => String(Number(taken) + 1))].sort().at(-1);
  const file = `${version}_${name}.sql`;
  const header = `-- Takes a database with data from the schema before to that of sql/: ${name.replaceAll("_", " ")}.\n`;
  writeFileSync(join(dir, file), header + sql.replace(/^(?:--.*\n)+/, ""), { flag: "wx" });
  return file;
}

function stamp(time: Date): string {
  return time.toISOString().replace(/\D/g, "").slice(0, 14);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runCommand(() => {
    const dir = fileURLToPath(new URL("../migrations", import.meta.url));
    console.log(`Created supabase/migrations/${createMigration(dir, process.argv[2])}`);
  });
}
