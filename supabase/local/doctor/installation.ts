// Owns what the doctor examines: a data folder on this machine, or a hosted installation by its environment. Changes neither.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Environment, functionEnv } from "../environments.ts";
import { supervisorOf } from "../lock.ts";
import { loadSecrets, type Secrets } from "../secrets.ts";
import { readSettings, type Settings } from "../settings.ts";

export type Installation =
  /** Parley was never started here. */
  | { kind: "none"; settings: Settings }
  | {
      kind: "folder";
      settings: Settings;
      secrets: Secrets;
      env: NodeJS.ProcessEnv;
      /** The pid of the supervisor; undefined when it is stopped. */
      supervisor: number | undefined;
      functions: Environment;
    }
  | { kind: "hosted"; functions: NodeJS.ProcessEnv; ownerUrl: string | undefined };

/** @throws Fatal when a setting or the folder's secrets are invalid */
export async function findInstallation(env: NodeJS.ProcessEnv): Promise<Installation> {
  const settings = readSettings(env);
  if (!existsSync(join(settings.dataDir, "secrets.json"))) {
    if (!env.SUPABASE_URL) return { kind: "none", settings };
    return { kind: "hosted", functions: env, ownerUrl: env.SUPABASE_DB_URL || undefined };
  }
  const secrets = await loadSecrets(settings.dataDir);
  return {
    kind: "folder",
    settings,
    secrets,
    env,
    supervisor: supervisorOf(settings.dataDir),
    functions: functionEnv({ settings, secrets, env }, "v1"),
  };
}
