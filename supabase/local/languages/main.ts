// Owns `npm run languages [-- NAME]`: regenerates sql/05_languages.sql and the auth server's mails from the
// declarations and texts of the languages. With NAME it also creates the migration for existing databases.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { languages } from "../../../locales/languages.ts";
import { Fatal } from "../fatal.ts";
import { createMigration } from "../new-migration.ts";
import { declaredSql } from "./declared-sql.ts";
import { mailTemplates, withSubjects } from "./mail-templates.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

try {
  const sql = declaredSql(languages);
  writeFileSync(join(root, "sql/05_languages.sql"), sql);
  const templates = mailTemplates(languages);
  for (const { name, html } of templates) writeFileSync(join(root, `supabase/templates/${name}.html`), html);
  const config = join(root, "supabase/config.toml");
  writeFileSync(config, withSubjects(readFileSync(config, "utf8"), templates));
  console.log("Written: sql/05_languages.sql, supabase/templates/ and the subjects in supabase/config.toml");
  const [name] = process.argv.slice(2);
  if (name) {
    const dir = join(root, "supabase/migrations");
    const file = createMigration(dir, name);
    appendFileSync(join(dir, file), sql.replace(/^(?:--.*\n)+/, ""));
    console.log(`Created supabase/migrations/${file}`);
  }
} catch (error) {
  if (!(error instanceof Fatal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
