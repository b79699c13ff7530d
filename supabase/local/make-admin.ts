// Owns the command `npm run admin -- EMAIL`: makes a registered user a platform admin, in this installation's data
// folder or the database at DATABASE_URL.
import { runCommand } from "./command.ts";
import { withLogin } from "./database-login.ts";
import { Fatal } from "./fatal.ts";
import { withDatabase } from "./open-database.ts";
import { readSettings } from "./settings.ts";

const [email = "", ...others] = process.argv.slice(2);

await runCommand(async () => {
  if (!email.includes("@") || others.length > 0) {
    throw new Fatal("Say whose account it is: npm run admin -- you@example.com.");
  }
  const settings = readSettings(process.env);
  const made = await withDatabase(settings, (url) =>
    withLogin(
      url,
      (sql) => sql`
        update public.users u set is_admin = true
          from auth.users a
         where a.id = u.id and lower(a.email) = lower(${email}) and a.email_confirmed_at is not null
        returning u.id`,
    ),
  );
  if (made.length === 0) {
    throw new Fatal(
      `Nobody has registered as ${email} and confirmed the address: do that first, then run this again.`,
    );
  }
  console.log(`${email} is a platform admin.`);
});
