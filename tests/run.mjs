// `npm test`: everything that must hold, on a machine with Node and nothing else. The last line is the count.
// `npm test -- sql unit` runs some parts alone. Plain Node: it runs before anything is installed.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { embeddedSql, faultsByEngine } from "./support/runner/engines.mjs";
import { startHosted } from "./support/runner/hosted.mjs";
import { ensureChromium, ensurePackages } from "./support/runner/machine.mjs";
import { createDatabase, startNativePostgres } from "./support/runner/native-postgres.mjs";
import { startStack } from "./support/runner/one-stack.mjs";
import { killEverything, run } from "./support/runner/process.mjs";
import { checkReport, playwrightReport, printFailures, vitestReport } from "./support/runner/reports.mjs";

const MINUTE = 60_000;
const STARTED = Date.now();
// Two cores take less than half of this: limits end what hangs, they don't judge a slow machine.
const DEADLINE = STARTED + 75 * MINUTE;
const ALONE = ["lint", "types", "unit", "sql", "native", "hosted", "faults"];
const ON_STACK = ["v1", "e2e"];
/** Run only when they are named. */
const ON_DEMAND = ["native-v1"];
const PARTS = [...ALONE, ...ON_STACK, ...ON_DEMAND];

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const asked = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const unknown = asked.filter((word) => !PARTS.includes(word));
if (unknown.length > 0) {
  console.error(`Unknown part: ${unknown.join(", ")}. The parts are ${PARTS.join(", ")}.`);
  process.exit(2);
}
const wanted = (part) => (asked.length === 0 && !ON_DEMAND.includes(part)) || asked.includes(part);
const scratch = mkdtempSync(join(tmpdir(), "parley-reports-"));
const results = [];
let reports = 0;

process.on("exit", () => {
  killEverything();
  rmSync(scratch, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

/** The smaller of a part's own limit and what is left of the whole run's. */
const within = (minutes) => Math.max(1000, Math.min(minutes * MINUTE, DEADLINE - Date.now()));

async function part(name, work) {
  console.log(`\n── ${name}`);
  const started = Date.now();
  let report;
  try {
    report = await work();
  } catch (error) {
    report = { passed: 0, failures: [{ name, message: error.message }] };
  }
  results.push({ name, ...report, seconds: (Date.now() - started) / 1000 });
}

const check = (name, command, args, minutes) =>
  part(name, async () => checkReport(name, await run(command, args, { timeoutMs: within(minutes) })));

async function vitest(project, minutes, env = {}, { files = [], ...options } = {}) {
  reports += 1;
  const output = join(scratch, `${project}-${reports}.json`);
  const args = [
    "run",
    ...files,
    "--project",
    project,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${output}`,
  ];
  const result = await run("node_modules/.bin/vitest", args, { ...options, timeoutMs: within(minutes), env });
  return vitestReport(project, output, result);
}

async function playwright(minutes, env) {
  const output = join(scratch, "e2e.json");
  const result = await run("node_modules/.bin/playwright", ["test", "--reporter=list,json"], {
    timeoutMs: within(minutes),
    env: { ...env, CHROMIUM_PATH: await ensureChromium(), PLAYWRIGHT_JSON_OUTPUT_NAME: output },
  });
  return playwrightReport("e2e", output, result);
}

function functionEntries() {
  const entries = readdirSync("edge-functions", { recursive: true })
    .filter((path) => /^[^_/][^/]*\/index\.ts$/.test(path))
    .map((path) => join("edge-functions", path));
  // Without a path deno would check everything that it finds.
  if (entries.length === 0) throw new Error("No edge function has an index.ts.");
  return entries;
}

let starting;
/** The native Postgres of the whole run, or what is missing for it: started at the first call, ended with this process. */
function nativePostgres() {
  starting ??= startNativePostgres(within(8));
  return starting;
}

/** Where the parts that would rather compute on a native Postgres find one: not in a run that names them without `native`. */
async function nativeUrl() {
  if (!wanted("native")) return undefined;
  // Why it did not start is told once, by the part `native`.
  return (await nativePostgres().catch(() => ({}))).url;
}

/** SQL on the embedded engine: all of it, or, where the part `native` runs all of it, what concerns the engine. */
async function sql() {
  const isRunNatively = (await nativeUrl()) !== undefined;
  if (!isRunNatively) return vitest("sql", 20);
  return vitest("sql", 20, { TEST_DATABASE_URL: "" }, { files: embeddedSql() });
}

/** Faults, each file on the engine that it is about. */
async function faults(quiet) {
  const url = (await nativeUrl()) ?? process.env.TEST_DATABASE_URL;
  if (!url) return vitest("faults", 45, {}, { quiet });
  const files = faultsByEngine();
  const one = await vitest("faults", 45, { TEST_DATABASE_URL: url }, { quiet, files: files.native });
  const other = await vitest("faults", 45, { TEST_DATABASE_URL: "" }, { quiet, files: files.embedded });
  return { passed: one.passed + other.passed, failures: [...one.failures, ...other.failures] };
}

/** All of SQL, and the races, on a native Postgres where there is one. */
async function native() {
  const server = await nativePostgres();
  if (server.missing) return { passed: 0, failures: [], skipped: server.missing };
  const report = await vitest("native", 20, { TEST_DATABASE_URL: server.url });
  const failures = report.failures.map(({ name, message }) => ({ name: `native › ${name}`, message }));
  return { ...report, failures };
}

/** The commands of docs/deploy.md against a stand-in of hosted Supabase, where the machine has what that takes. */
async function hosted() {
  const machine = await startHosted(within(8));
  if (machine.missing) return { passed: 0, failures: [], skipped: machine.missing };
  try {
    return await vitest("hosted", 15, machine.env);
  } finally {
    machine.stop();
  }
}

/** The API over HTTP on a stack whose database is a native Postgres. */
async function nativeV1() {
  const server = await startNativePostgres(within(8));
  if (server.missing) {
    await part("native-v1", async () => ({ passed: 0, failures: [], skipped: server.missing }));
    return;
  }
  try {
    const database = await createDatabase(server.url);
    try {
      const v1 = (env) => vitest("v1", 30, env);
      await onStack({ "native-v1": v1 }, { DATABASE_URL: database.url });
    } finally {
      await database.drop();
    }
  } finally {
    server.stop();
  }
}

/** Runs parts against one stack, which is started with these settings and stopped after them. */
async function onStack(parts, settings = {}) {
  let stack;
  await part("start", async () => {
    stack = await startStack(within(6), settings);
    return { passed: 1, failures: [] };
  });
  for (const [name, work] of Object.entries(parts)) {
    if (!wanted(name)) continue;
    await part(name, () => {
      if (!stack) throw new Error("not run: the stack did not start");
      return work(stack.env);
    });
  }
  if (!stack) return;
  await part("stop", async () => {
    const complaint = await stack.stop();
    return complaint
      ? { passed: 0, failures: [{ name: "stop", message: complaint }] }
      : { passed: 1, failures: [] };
  });
}

try {
  await ensurePackages();
  // Beside the others, from the first on: its tests wait most of the time, for leases to run out and for processes to end, and some
  // checks leave a core idle. The output of both would mix, and the report names what fails.
  const quiet = asked.length !== 1;
  const beside = wanted("faults") && part("faults", () => faults(quiet));
  if (wanted("lint")) await check("lint", "node_modules/.bin/biome", ["ci", "."], 4);
  if (wanted("lint")) await check("knip", "node_modules/.bin/knip", ["--no-progress"], 4);
  if (wanted("types")) {
    await check("types", "node_modules/.bin/tsc", ["-p", "."], 6);
    await check("deno check", "node_modules/.bin/deno", ["check", "--quiet", ...functionEntries()], 8);
  }
  if (wanted("unit")) await part("unit", () => vitest("unit", 15));
  if (wanted("sql")) await part("sql", sql);
  if (wanted("native")) await part("native", native);
  if (wanted("hosted")) await part("hosted", hosted);
  if (ON_STACK.some(wanted)) {
    await onStack({ v1: (env) => vitest("v1", 30, env), e2e: (env) => playwright(45, env) });
  }
  await beside;
  if (wanted("native-v1")) await nativeV1();
} catch (error) {
  results.push({
    name: "set-up",
    passed: 0,
    failures: [{ name: "set-up", message: error.message }],
    seconds: 0,
  });
}

const failures = results.flatMap((result) => result.failures);
if (failures.length > 0) console.log("\n── failures");
printFailures(failures);
console.log("\n── summary");
for (const { name, passed, failures: failed, skipped, seconds } of results)
  console.log(
    `${name.padEnd(12)} ${skipped ? `skipped. ${skipped}` : `${passed} passed, ${failed.length} failed, ${seconds.toFixed(1)} s`}`,
  );
console.log(`${"in all".padEnd(12)} ${((Date.now() - STARTED) / MINUTE).toFixed(1)} min`);
const passed = results.reduce((sum, result) => sum + result.passed, 0);
console.log(`${passed} passed, ${failures.length} failed`);
const onlySkipped = results.length > 0 && results.every((result) => result.skipped);
process.exit(failures.length > 0 || (passed === 0 && !onlySkipped) ? 1 : 0);
