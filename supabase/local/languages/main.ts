// Owns `npm run languages [-- NAME]`: regenerates sql/05_languages.sql and the auth server's mails from the
// declarations and texts of the languages. With NAME it also creates the migration for existing databases.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { languages } from "../../../locales/languages.ts";
import { runCommand } from "../command.ts";
import { createMigration } from "../new-migration.ts";
import { declaredSql } from "./declared-sql.ts";
import { mailTemplates, withSubjects } from "./mail-templates.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

await runCommand(() => {
  const sql = declaredSql(languages);
  writeFileSync(join(root, "sql/05_languages.sql"), sql);
  const templates = mailTemplates(languages);
  for (const { name, html } of templates) writeFileSync(join(root, `supabase/templates/${name}.html`), html);
  const config = join(root, "supabase/config.toml");
  writeFileSync(config, withSubjects(readFileSync(config, "utf8"), templates));
  console.log("Written: sql/05_languages.sql, supabase/templates/ and the subjects in supabase/config.toml");
  const [name] = process.argv.slice(2);
  if (name)
    console.log(
      `Created supabase/migrations/${createMigration(join(root, "supabase/migrations"), name, sql)}`,
    );
});
