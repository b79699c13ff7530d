// `npm run mutation`: mutates the code of each area, one small change after the other, and counts the mutants that no unit test detects;
// the database's policies against the matrix, too. `npm run mutation -- outbound` runs one area, and a file's path one file; each file's
// report is stored for the totals. It takes too long for `npm test`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../support/runner/process.mjs";
import { areas } from "./areas.mjs";

const STRYKER = "9.6.1";
/** Below it the command fails. */
const LEAST_PERCENT = 80;

process.chdir(fileURLToPath(new URL("../..", import.meta.url)));
// Below node_modules, where its tools find the project's own Vitest, but no package of the project.
const folder = "node_modules/.cache/mutation";
const stryker = join(folder, "node_modules/.bin/stryker");

async function install() {
  if (existsSync(stryker)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  const packages = ["core", "vitest-runner"].map((name) => `@stryker-mutator/${name}@${STRYKER}`);
  const flags = ["--no-audit", "--no-fund", "--legacy-peer-deps", "--prefix", folder];
  const { code } = await run("npm", ["install", ...flags, ...packages], { timeoutMs: 300_000, quiet: true });
  if (code !== 0) throw new Error("npm could not install StrykerJS.");
}

const reportOf = (file) => join(folder, "reports", `${file.replaceAll("/", "-")}.json`);

/** A file's mutants in its last run, each with its result; undefined when it never ran. */
function readReport(file) {
  if (!existsSync(reportOf(file))) return undefined;
  return JSON.parse(readFileSync(reportOf(file), "utf8")).files[file]?.mutants ?? [];
}

/** Mutates one file, one change after the other. */
async function mutate(file, tests) {
  const settings = {
    mutate: [file],
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "tests/mutation/vitest.config.ts", related: false },
    coverageAnalysis: "perTest",
    // Code that runs once at load time would need a new process for each mutant.
    ignoreStatic: true,
    // Another sentence is no other behaviour, and half of a regular expression's mutants are equivalent.
    mutator: { excludedMutations: ["StringLiteral", "Regex"] },
    concurrency: 1,
    timeoutMS: 20_000,
    reporters: ["json"],
    jsonReporter: { fileName: reportOf(file) },
    // Not needed by these unit tests, so not copied for the mutants.
    ignorePatterns: [
      "docs",
      "deploy",
      "dist",
      "sql",
      "supabase/migrations",
      "tests/{bench,e2e,fixtures,sql,v1}",
      ".parley*",
    ],
    tempDirName: join(tmpdir(), `parley-mutation-${process.pid}`),
    disableTypeChecks: false,
    // StrykerJS would rewrite it with an older TypeScript than the project's.
    tsconfigFile: "none.json",
    logLevel: "warn",
    allowConsoleColors: false,
  };
  const config = join(folder, `stryker-${process.pid}.json`);
  writeFileSync(config, JSON.stringify(settings));
  const { code } = await run("nice", ["-n", "19", stryker, "run", config], {
    timeoutMs: 3_600_000,
    // In CI property tests draw the same cases each time, so that a score can be repeated.
    env: { MUTATION_TESTS: tests.join(","), CI: "1" },
  });
  if (code !== 0) throw new Error(`StrykerJS failed at ${file}.`);
  return readReport(file) ?? [];
}

const isNoticed = ({ status }) => status === "Killed" || status === "Timeout";
const isUnnoticed = ({ status }) => status === "Survived" || status === "NoCoverage";

const asked = process.argv.slice(2);
/** The database's policies: no file, and not mutated by StrykerJS. */
const ROW_SECURITY = "row-security";
const isAsked = (area, file) => asked.length === 0 || asked.includes(area) || asked.includes(file);
const isCodeAsked = asked.join() !== ROW_SECURITY;
if (isCodeAsked) await install();
for (const [area, files] of Object.entries(areas)) {
  for (const [file, tests] of Object.entries(files)) {
    if (!isAsked(area, file)) continue;
    const mutants = await mutate(file, tests);
    for (const { location, mutatorName, replacement, status } of mutants.filter(isUnnoticed))
      console.log(
        `${file}:${location.start.line}:${location.start.column} ${status} ${mutatorName} ${replacement}`,
      );
    console.log(
      `${file}: ${mutants.filter(isNoticed).length} noticed, ${mutants.filter(isUnnoticed).length} not`,
    );
  }
}

/** By area, from each file's last report; a file without one is named. */
let isEnough = true;
for (const [area, files] of isCodeAsked ? Object.entries(areas) : []) {
  const mutants = Object.keys(files).flatMap((file) => readReport(file) ?? []);
  const missing = Object.keys(files).filter((file) => readReport(file) === undefined);
  const [good, bad] = [mutants.filter(isNoticed).length, mutants.filter(isUnnoticed).length];
  const percent = (100 * good) / Math.max(1, good + bad);
  console.log(
    `${area.padEnd(10)} ${percent.toFixed(1).padStart(5)} % ${good} of ${good + bad}${missing.map((file) => `, without ${file}`).join("")}`,
  );
  if (missing.length === 0 && percent < LEAST_PERCENT) isEnough = false;
}
if (asked.length === 0 || asked.includes(ROW_SECURITY)) {
  const { code } = await run("node_modules/.bin/tsx", ["tests/mutation/policies.ts"], {
    timeoutMs: 1_800_000,
  });
  if (code !== 0) isEnough = false;
}
process.exit(isEnough ? 0 : 1);
