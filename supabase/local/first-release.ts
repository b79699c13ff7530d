// Owns supabase/migrations/ while there has been no release: one migration, made of sql/*.sql (`npm run migrations`).
// Must not touch a migration that has been released: from then on a change is a new migration, written by hand.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const projectDir = fileURLToPath(new URL("../..", import.meta.url));
const migrationsDir = join(projectDir, "supabase/migrations");
const firstRelease = "20261121000000_first_release.sql";

/** The schema's source files in the order in which they are read: their names and texts. */
export function readSchema(): { name: string; text: string }[] {
  const dir = join(projectDir, "sql");
  return readdirSync(dir)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(dir, name), "utf8") }));
}

/** The one migration that makes the schema of sql/. */
export function firstMigration(): string {
  const header =
    "-- Generated from sql/ by `npm run migrations`, until the first release. Change sql/ and run it again.\n";
  return (
    header +
    readSchema()
      .map(({ name, text }) => `\n-- sql/${name}\n${text.trimEnd()}\n`)
      .join("")
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(join(migrationsDir, firstRelease), firstMigration());
  console.log(`Wrote supabase/migrations/${firstRelease}`);
  for (const name of readdirSync(migrationsDir)) {
    if (!name.endsWith(".sql") || name === firstRelease) continue;
    rmSync(join(migrationsDir, name));
    console.log(
      `Removed supabase/migrations/${name}: what it changes is part of sql/ and so of the first release`,
    );
  }
}
