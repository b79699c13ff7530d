// Owns `npm run connectors [-- NAME]`: regenerates sql/39_connectors.sql and the table of docs/sources.md from the
// connectors' declarations. With NAME it also creates the migration for existing databases.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { declarations } from "../../../edge-functions/indexing/connectors/registry.ts";
import { runCommand } from "../command.ts";
import { createMigration } from "../new-migration.ts";
import { declaredSql } from "./declared-sql.ts";
import { declaredTable, withTable } from "./declared-table.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const wordsOf = (type: string) => JSON.parse(read(`locales/en/source-${type}.json`));

await runCommand(() => {
  const sql = declaredSql(declarations);
  writeFileSync(join(root, "sql/39_connectors.sql"), sql);
  const page = withTable(read("docs/sources.md"), declaredTable(declarations, wordsOf));
  writeFileSync(join(root, "docs/sources.md"), page);
  console.log("Written: sql/39_connectors.sql and the table of docs/sources.md");
  const [name] = process.argv.slice(2);
  if (name)
    console.log(
      `Created supabase/migrations/${createMigration(join(root, "supabase/migrations"), name, sql)}`,
    );
});
