// Owns the order of the doctor's checks: skips those that depend on a failed one.
import { join } from "node:path";
import type { Env } from "../../../edge-functions/_shared/env.ts";
import { withLogin } from "../database-login.ts";
import { authenticatorUrl } from "../environments.ts";
import { Fatal } from "../fatal.ts";
import { withDatabase } from "../open-database.ts";
import {
  checkDemoAccounts,
  checkLogin,
  checkMigrations,
  checkRoles,
  checkServer,
  checkStart,
} from "./database.ts";
import { error, type Finding, notice, ok, reasonOf } from "./finding.ts";
import { findInstallation, type Installation } from "./installation.ts";
import { checkBackups, checkFolder, checkNode, checkPorts } from "./machine.ts";
import { checkFunctions, checkMail, checkModels, checkStorage, checkWeb } from "./services.ts";
import { checkSettings } from "./settings.ts";
import { checkFiles, checkQueue, checkSchedule, checkStoredSecrets, checkTicks } from "./work.ts";

type Found = Exclude<Installation, { kind: "none" }>;

/** Examines the installation that the environment names; yields each finding as it is made. */
export async function* examine(variables: NodeJS.ProcessEnv): AsyncGenerator<Finding> {
  yield checkNode();
  let installation: Installation;
  try {
    installation = await findInstallation(variables);
  } catch (problem) {
    if (problem instanceof Fatal) yield error(problem.message);
    else yield* checkFolder(variables.PARLEY_DATA_DIR || ".parley");
    return;
  }
  if (installation.kind !== "hosted") yield* checkFolder(installation.settings.dataDir);
  if (installation.kind === "none") {
    yield* await checkPorts(installation.settings);
    yield notice(
      `There is no installation in ${installation.settings.dataDir} yet: npm start makes one. For a hosted one, give its SUPABASE_URL and the functions' settings.`,
    );
    return;
  }
  const isRunning = installation.kind === "hosted" || installation.supervisor !== undefined;
  if (installation.kind === "folder") {
    yield* checkBackups(installation.settings.dataDir);
    if (isRunning) yield ok(`Parley runs (process ${installation.supervisor}).`);
    else {
      yield* await checkPorts(installation.settings);
      yield notice("Parley does not run: what answers over the network is not looked at.");
    }
  }
  const { findings, env } = checkSettings(installation.functions, installation.kind === "hosted");
  yield* findings;
  if (!env) return;
  yield* await checkDatabase(installation, env, isRunning);
  if (!isRunning) return;
  yield* await checkFunctions(env);
  yield await checkStorage(env);
  yield await checkWeb(env);
  yield* await checkModels(env);
  yield* await checkMail(env);
}

async function checkDatabase(installation: Found, env: Env, isRunning: boolean): Promise<Finding[]> {
  if (installation.kind === "hosted") {
    return await look(installation.ownerUrl ?? env.DATABASE_URL, env.DATABASE_URL, env, true);
  }
  const { settings } = installation;
  try {
    return await withDatabase(settings, async (ownerUrl) => {
      // The embedded database that is started for this check listens on its own port.
      const functionsUrl = new URL(authenticatorUrl(installation));
      functionsUrl.port = new URL(ownerUrl).port;
      return await look(ownerUrl, functionsUrl.href, env, isRunning, join(settings.dataDir, "storage"));
    });
  } catch (problem) {
    if (problem instanceof Fatal) return [error(problem.message)];
    return [
      error(
        `The database does not start (${reasonOf(problem)}): restore a backup, or ask for help with its log.`,
      ),
    ];
  }
}

/** @param storage the folder of stored files; undefined for a hosted installation */
async function look(
  ownerUrl: string,
  functionsUrl: string,
  env: Env,
  isRunning: boolean,
  storage?: string,
): Promise<Finding[]> {
  const isHosted = storage === undefined;
  const login = await checkLogin(isHosted ? "SUPABASE_DB_URL" : "DATABASE_URL", ownerUrl);
  if (login.level === "error") return [login];
  const findings = [login, ...(await checkServer(ownerUrl))];
  findings.push(await checkMigrations(ownerUrl, isHosted));
  const unstarted = isHosted || isRunning ? undefined : await checkStart(ownerUrl, functionsUrl);
  if (unstarted) return [...findings, unstarted];
  findings.push(...(await checkRoles(ownerUrl, functionsUrl)));
  // The database of another release may lack what the following checks read.
  if (findings.some(({ level }) => level === "error")) return findings;
  // The functions' login may not read accounts.
  if (ownerUrl !== functionsUrl) findings.push(...(await checkDemoAccounts(ownerUrl, env.WEB_URL)));
  findings.push(
    ...(await checkStoredSecrets(functionsUrl, env.SECRETS_KEY)),
    ...(isHosted ? [] : [await checkFiles(functionsUrl, storage)]),
    ...(await checkQueue(functionsUrl, isRunning)),
  );
  if (isRunning) findings.push(await checkTicks(functionsUrl));
  if (isHosted && (await withLogin(ownerUrl, canReadSchedule)))
    findings.push(...(await checkSchedule(ownerUrl)));
  return findings;
}

async function canReadSchedule(sql: Parameters<Parameters<typeof withLogin>[1]>[0]): Promise<boolean> {
  const [row] = await sql`
    select to_regclass('cron.job') is null or has_table_privilege(to_regclass('cron.job'), 'select') as may`;
  return row?.may === true;
}
