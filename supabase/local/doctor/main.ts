// Owns the command `npm run doctor`: prints the findings, errors last, and exits with 1 when there is an error.
import { examine } from "./doctor.ts";
import type { Finding } from "./finding.ts";

const mark: Record<Finding["level"], string> = { ok: "ok     ", notice: "notice ", error: "ERROR  " };

try {
  const faults: Finding[] = [];
  for await (const finding of examine(process.env)) {
    console.log(`${mark[finding.level]} ${finding.says}`);
    if (finding.level === "error") faults.push(finding);
  }
  console.log(
    faults.length === 0
      ? "\nNothing is wrong."
      : `\n${faults.length === 1 ? "One thing is" : `${faults.length} things are`} wrong:\n${faults.map(({ says }) => `- ${says}`).join("\n")}`,
  );
  process.exitCode = faults.length > 0 ? 1 : 0;
} catch (problem) {
  console.error(problem);
  process.exitCode = 2;
}
