// Owns reading the test tools' reports into { passed, failures: [{ name, message }] }. A suite that crashed, ran nothing or skipped a test
// has failed, whatever its tool says.
import { readFileSync } from "node:fs";

const MESSAGE_CHARACTERS = 2000;

/** One check without tests of its own: a formatter, a compiler, a build. */
export function checkReport(name, result) {
  if (result.ok) return { passed: 1, failures: [] };
  return { passed: 0, failures: [{ name, message: ending(result) }] };
}

export function vitestReport(name, path, result) {
  return withCrash(name, result, () => {
    const report = JSON.parse(readFileSync(path, "utf8"));
    let passed = 0;
    const failures = [];
    for (const file of report.testResults) {
      passed += file.assertionResults.filter((test) => test.status === "passed").length;
      failures.push(...failuresOf(file));
    }
    return { passed, failures };
  });
}

function failuresOf(file) {
  const at = relative(file.name);
  const failed = file.assertionResults.filter((test) => test.status === "failed");
  // The set-up failed: one failure, not one for every test that depends on it.
  if (file.status === "failed" && failed.length === 0)
    return [{ name: at, message: file.message || "the file failed before its tests" }];
  const left = file.assertionResults.filter((test) => !["passed", "failed"].includes(test.status));
  return [
    ...failed.map((test) => ({ name: `${at} › ${test.fullName}`, message: test.failureMessages.join("\n") })),
    ...left.map((test) => ({ name: `${at} › ${test.fullName}`, message: `was not run: ${test.status}` })),
  ];
}

export function playwrightReport(name, path, result) {
  return withCrash(name, result, () => {
    const report = JSON.parse(readFileSync(path, "utf8"));
    let passed = 0;
    const failures = report.errors.map((error) => ({ name, message: error.message ?? String(error.value) }));
    for (const { title, test } of report.suites.flatMap((suite) => tests(suite, ""))) {
      if (test.status === "expected") passed += 1;
      else {
        const messages = test.results.flatMap((attempt) => attempt.errors.map((error) => error.message));
        failures.push({ name: title, message: `${test.status}: ${messages.join("\n")}` });
      }
    }
    return { passed, failures };
  });
}

function tests(suite, prefix) {
  const title = prefix ? `${prefix} › ${suite.title}` : suite.title;
  return [
    ...(suite.specs ?? []).flatMap((spec) =>
      spec.tests.map((test) => ({ title: `${title} › ${spec.title} [${test.projectName}]`, test })),
    ),
    ...(suite.suites ?? []).flatMap((inner) => tests(inner, title)),
  ];
}

function withCrash(name, result, read) {
  let report;
  try {
    report = read();
  } catch (error) {
    return {
      passed: 0,
      failures: [{ name, message: `left no report (${error.message})\n${ending(result)}` }],
    };
  }
  if (report.failures.length === 0 && !result.ok) report.failures.push({ name, message: ending(result) });
  if (report.failures.length === 0 && report.passed === 0)
    report.failures.push({ name, message: "no test ran" });
  return report;
}

function ending(result) {
  const reason = result.timedOut ? "ran out of time" : `ended with ${result.code}`;
  return `${reason}\n${result.tail.slice(-MESSAGE_CHARACTERS)}`;
}

function relative(path) {
  return path.replace(`${process.cwd()}/`, "");
}

export function printFailures(failures) {
  for (const { name, message } of failures) {
    console.log(`\n✗ ${name}`);
    const text = message.length > MESSAGE_CHARACTERS ? `${message.slice(0, MESSAGE_CHARACTERS)} …` : message;
    console.log(text.replace(/^/gm, "    "));
  }
}
