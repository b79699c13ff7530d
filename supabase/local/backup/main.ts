// Owns the commands `npm run backup -- FILE` and `npm run restore -- FILE [--force]`: their arguments and their output.
import { resolve } from "node:path";
import { runCommand } from "../command.ts";
import { Fatal } from "../fatal.ts";
import { readSettings } from "../settings.ts";
import { backUp } from "./backup.ts";
import { restore } from "./restore.ts";

const [command, ...rest] = process.argv.slice(2);
const force = rest.includes("--force");
const [file, ...others] = rest.filter((argument) => argument !== "--force");

await runCommand(async () => {
  const settings = readSettings(process.env);
  if (!file || others.length > 0 || (command !== "backup" && command !== "restore")) {
    throw new Fatal("Name one file: npm run backup -- FILE, or npm run restore -- FILE [--force].");
  }
  // npm runs the script in the project's folder; INIT_CWD is the folder of the person who ran it.
  const path = resolve(process.env.INIT_CWD ?? process.cwd(), file);
  if (command === "backup") await runBackUp(path);
  else await runRestore(path);

  async function runBackUp(to: string): Promise<void> {
    const { tables, rows, files, missing, unreadable } = await backUp(settings, process.env, to);
    console.log(`Backed up ${rows} rows of ${tables} tables and ${files} files to ${to}.`);
    if (missing.length > 0)
      console.warn(
        `${missing.length} files have a row but no bytes, for example ${missing[0]}: they were lost before this backup.`,
      );
    if (unreadable.length > 0)
      console.warn(
        `${unreadable.length} stored secrets open with no key in this backup, ${unreadable[0]} for one: set SECRETS_KEY as Parley is started with and back up again, or connect those sources and apps again.`,
      );
    console.log(
      "It holds the installation's secrets: whoever has it can read everything. Keep it as you keep those.",
    );
  }

  async function runRestore(from: string): Promise<void> {
    const { manifest, replaced } = await restore(settings, from, { force });
    console.log(`Restored the backup of ${manifest.createdAt}, made by release ${manifest.release}.`);
    if (replaced) console.log(`What was there before is in ${replaced}.`);
    if (process.env.SECRETS_KEY)
      console.warn(
        "SECRETS_KEY is set and stands before the restored one: unset it, unless it is the one of the backup.",
      );
    console.log("Start it with npm start.");
  }
});
