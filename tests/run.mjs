// `npm test`: every check, on a machine with only Node. The last line is the count. `npm test -- sql unit` runs some parts alone. Plain
// Node: it runs before anything is installed. Parts run in four concurrent lanes, because much of a test is waiting: those with a stack, the
// faults, the checks and units, and SQL. The first takes longest and has priority, and the last two have least: they fill two cores.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { embeddedSql, faultsByEngine } from "./support/runner/engines.mjs";
import { startHosted } from "./support/runner/hosted.mjs";
import { ensureChromium, ensurePackages } from "./support/runner/machine.mjs";
import { createDatabase, startNativePostgres } from "./support/runner/native-postgres.mjs";
import { startStack } from "./support/runner/one-stack.mjs";
import { killEverything, NICE, run } from "./support/runner/process.mjs";
import { checkReport, playwrightReport, printFailures, vitestReport } from "./support/runner/reports.mjs";
import { makeScratch } from "./support/runner/scratch.mjs";

const MINUTE = 60_000;
const STARTED = Date.now();
// Two cores need less than half of this: the limit ends hangs, it doesn't judge a slow machine.
const DEADLINE = STARTED + 75 * MINUTE;
const CODE = ["lint", "types", "hosted", "unit"];
const SQL = ["sql", "native"];
const FAULTS = ["faults"];
const ON_STACK = ["v1", "e2e"];
/** Run only when named. */
const ON_DEMAND = ["native-v1"];
const PARTS = [...CODE, ...SQL, ...FAULTS, ...ON_STACK, ...ON_DEMAND];

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const asked = process.argv.slice(2);
if (asked.includes("--help")) {
  console.log(
    `npm test -- [part …]\nThe parts are ${PARTS.join(", ")}; all but ${ON_DEMAND.join(", ")} without one.`,
  );
  process.exit(0);
}
const unknown = asked.filter((word) => !PARTS.includes(word));
if (unknown.length > 0) {
  console.error(`Unknown part: ${unknown.join(", ")}. The parts are ${PARTS.join(", ")}.`);
  process.exit(2);
}
const isWanted = (part) => (asked.length === 0 && !ON_DEMAND.includes(part)) || asked.includes(part);
const scratch = makeScratch();
const results = [];
let reports = 0;

/** True when parts run concurrently: each part's output is then held and printed at its end. */
const isMixed = [CODE, SQL, FAULTS, ON_STACK].filter((lane) => lane.some(isWanted)).length > 1;
/** The held output of unfinished parts, by name. */
const unfinished = new Map();

process.on("exit", () => {
  killEverything();
  for (const [name, held] of unfinished) console.log(`\n── ${name}, not ended\n${held.join("")}`);
  scratch.remove();
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

/** The rest of the whole run's time, in ms. */
const remaining = () => Math.max(1000, DEADLINE - Date.now());

/** @param work receives the target of its output: an array, or undefined to print it. @param held its earlier output */
async function part(name, work, held = isMixed ? [] : undefined) {
  console.log(`\n── ${name}${held ? " begins" : ""}`);
  if (held) unfinished.set(name, held);
  const started = Date.now();
  let report;
  try {
    report = await work(held);
  } catch (error) {
    report = { passed: 0, failures: [{ name, message: error.message }] };
  }
  unfinished.delete(name);
  if (held) console.log(`\n── ${name}\n${held.splice(0).join("")}`);
  results.push({ name, ...report, seconds: (Date.now() - started) / 1000 });
}

const check = (name, command, args) =>
  part(name, async (held) =>
    checkReport(name, await run(command, args, { timeoutMs: remaining(), held, nice: NICE.alone })),
  );

/** The projects of a part, where it has more than one (vitest.config.ts). */
const PROJECTS = {
  unit: ["unit", "unit-own-modules", "unit-alone"],
  sql: ["sql", "sql-own-modules", "sql-alone"],
  native: ["native", "native-own-modules", "native-alone"],
  v1: ["v1", "v1-alone"],
};

async function vitest(project, { held, nice, env = {}, files = [] }) {
  reports += 1;
  const output = join(scratch.folder, `${project}-${reports}.json`);
  const args = [
    "run",
    ...files,
    ...(PROJECTS[project] ?? [project]).flatMap((name) => ["--project", name]),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${output}`,
  ];
  const options = { timeoutMs: remaining(), env, held, nice };
  const result = await run("node_modules/.bin/vitest", args, options);
  return vitestReport(project, output, result);
}

const unit = (held) => vitest("unit", { held, nice: NICE.alone });
const v1 = (where) => vitest("v1", where);

/** The browser's path: begun with the run, since an installation mostly waits for the network. */
let browser;

async function playwright({ held, env }) {
  const output = join(scratch.folder, "e2e.json");
  const result = await run("node_modules/.bin/playwright", ["test", "--reporter=list,json"], {
    timeoutMs: remaining(),
    held,
    env: { ...env, CHROMIUM_PATH: await browser, PLAYWRIGHT_JSON_OUTPUT_NAME: output },
  });
  return playwrightReport("e2e", output, result);
}

function functionEntries() {
  const entries = readdirSync("edge-functions", { recursive: true })
    .filter((path) => /^[^_/][^/]*\/index\.ts$/.test(path))
    .map((path) => join("edge-functions", path));
  // Without a path deno would check every file it finds.
  if (entries.length === 0) throw new Error("No edge function has an index.ts.");
  return entries;
}

let starting;
/** The native Postgres of the whole run, or what is missing for it: started at the first call, stopped with this process. */
function nativePostgres() {
  starting ??= startNativePostgres(remaining());
  return starting;
}

/** The native Postgres for parts that prefer one; not in a run that names parts without `native`. */
async function nativeUrl() {
  if (!isWanted("native")) return undefined;
  // The part `native` reports once why it did not start.
  return (await nativePostgres().catch(() => ({}))).url;
}

/** SQL on the embedded engine: all of it, or, when the part `native` runs all of it, only tests of the engine. */
async function sql(held) {
  const isRunNatively = (await nativeUrl()) !== undefined;
  if (!isRunNatively) return vitest("sql", { held, nice: NICE.alone });
  const env = { TEST_DATABASE_URL: "", MATRIX_WITHOUT_REST: isWanted("v1") ? "yes" : "" };
  return vitest("sql", { held, nice: NICE.alone, env, files: embeddedSql() });
}

/** Faults, each file on its own engine. */
async function faults(held) {
  const url = (await nativeUrl()) ?? process.env.TEST_DATABASE_URL;
  if (!url) return vitest("faults", { held, nice: NICE.faults });
  const files = faultsByEngine();
  const on = (url, files) =>
    vitest("faults", { held, nice: NICE.faults, env: { TEST_DATABASE_URL: url }, files });
  // Concurrently, since both mostly wait: for leases to expire, and for processes to end.
  const [one, other] = await Promise.all([on(url, files.native), on("", files.embedded)]);
  return { passed: one.passed + other.passed, failures: [...one.failures, ...other.failures] };
}

/** All of SQL, and the races, on a native Postgres if there is one. */
async function native(held) {
  const server = await nativePostgres();
  if (server.missing) return { passed: 0, failures: [], skipped: server.missing };
  const env = { TEST_DATABASE_URL: server.url };
  const report = await vitest("native", { held, nice: NICE.alone, env });
  const failures = report.failures.map(({ name, message }) => ({ name: `native › ${name}`, message }));
  return { ...report, failures };
}

/** The commands of docs/deploy.md against a stand-in of hosted Supabase, on a machine with its requirements. */
async function runHosted(held) {
  const machine = await startHosted(remaining());
  if (machine.missing) return { passed: 0, failures: [], skipped: machine.missing };
  try {
    return await vitest("hosted", { held, env: machine.env });
  } finally {
    machine.stop();
  }
}

/** The API over HTTP on a stack whose database is a native Postgres. */
async function nativeV1() {
  const server = await startNativePostgres(remaining());
  if (server.missing) {
    await part("native-v1", async () => ({ passed: 0, failures: [], skipped: server.missing }));
    return;
  }
  try {
    const database = await createDatabase(server.url);
    try {
      await onStack({ "native-v1": v1 }, { settings: { DATABASE_URL: database.url } });
    } finally {
      await database.drop();
    }
  } finally {
    server.stop();
  }
}

/**
 * Runs parts against one stack, started with these settings and stopped afterwards.
 * @param built called when it has started, or failed to: it builds this checkout's pages and processes
 */
async function onStack(parts, { settings = {}, built = () => {} } = {}) {
  let stack;
  const written = isMixed ? [] : undefined;
  await part(
    "start",
    async () => {
      stack = await startStack(remaining(), settings, written);
      return { passed: 1, failures: [] };
    },
    written,
  );
  built();
  for (const [name, work] of Object.entries(parts)) {
    if (!isWanted(name)) continue;
    await part(name, (held) => {
      if (!stack) throw new Error("not run: the stack did not start");
      return work({ held, env: stack.env });
    });
  }
  if (!stack) return;
  const stop = async () => {
    const complaint = await stack.stop();
    return complaint
      ? { passed: 0, failures: [{ name: "stop", message: complaint }] }
      : { passed: 1, failures: [] };
  };
  await part("stop", stop, written);
}

async function checks() {
  if (isWanted("lint")) await check("lint", "node_modules/.bin/biome", ["ci", "."]);
  if (isWanted("lint")) await check("knip", "node_modules/.bin/knip", ["--no-progress"]);
  if (!isWanted("types")) return;
  // Each of several checkers infers shared types again: one takes a third of the processor time of the default four.
  await check("types", "node_modules/.bin/tsc", ["-p", ".", "--checkers", "1"]);
  await check("deno check", "node_modules/.bin/deno", ["check", "--quiet", ...functionEntries()]);
}

/** Runs those of these parts that are wanted, one after the other. */
async function inTurn(parts) {
  for (const [name, work] of Object.entries(parts)) if (isWanted(name)) await part(name, work);
}

/** Runs the requested parts. Parts that need the pages wait for the stack's build: they are built once. */
async function inLanes() {
  let stackDone;
  const built = new Promise((resolve) => {
    if (!ON_STACK.some(isWanted)) return resolve();
    const parts = { v1, e2e: playwright };
    stackDone = onStack(parts, { built: resolve });
  });
  const code = async () => {
    await checks();
    await built;
    // First, beside busy lanes: it mostly waits, and at the end a core would be idle.
    await inTurn({ hosted: runHosted, unit });
  };
  const others = [{ sql, native }, { faults }].map(async (parts) => {
    await built;
    await inTurn(parts);
  });
  await Promise.all([stackDone, code(), ...others]);
}

try {
  await ensurePackages();
  if (isWanted("e2e")) browser = ensureChromium();
  // The part e2e reports its failure.
  browser?.catch(() => {});
  await inLanes();
  if (isWanted("native-v1")) await nativeV1();
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
