// Owns reading docs/deploy.md: the commands for people to type. Does not run them.
import { readFileSync } from "node:fs";

interface Step {
  /** The heading above it, without its number. */
  heading: string;
  language: string;
  text: string;
}

/** Every fenced block of the guide, in order. */
function readGuide(path = "docs/deploy.md"): Step[] {
  const steps: Step[] = [];
  let heading = "";
  let open: { language: string; lines: string[] } | undefined;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const fence = /^```(\w*)$/.exec(line);
    if (fence && open) {
      steps.push({ heading, language: open.language, text: open.lines.join("\n") });
      open = undefined;
    } else if (fence) open = { language: fence[1] ?? "", lines: [] };
    else if (open) open.lines.push(line);
    else heading = /^#+ (?:\d+\. )?(.+)$/.exec(line)?.[1] ?? heading;
  }
  return steps;
}

/** The guide's blocks under a heading. @throws when there is none: the test would run nothing */
export function stepsOf(heading: string, language: string): string[] {
  const found = readGuide().filter((step) => step.heading === heading && step.language === language);
  if (found.length === 0) throw new Error(`docs/deploy.md has no ${language} block under "${heading}"`);
  return found.map(({ text }) => text);
}

/** The commands of a shell block: a line that ends with \ continues on the next. */
export function commandsIn(block: string): string[] {
  return block
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"));
}
