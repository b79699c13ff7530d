// Owns the build for tests that run built pages or processes without a stack of their own.
import { spawnSync } from "node:child_process";

const setUp = new URL("../../../supabase/local/set-up.mjs", import.meta.url).href;

/** Builds what is outdated. Vite builds differently under a test, which vitest announces in the environment. */
export function buildOutdated() {
  const told = ["NODE_ENV", "VITEST", "VITEST_MODE", "TEST", "MODE", "DEV", "PROD"];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !told.includes(name)));
  const program = `await (await import(${JSON.stringify(setUp)})).build()`;
  const built = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
    env,
  });
  if (built.status !== 0) throw new Error(`The build failed: ${built.stderr}`);
}
