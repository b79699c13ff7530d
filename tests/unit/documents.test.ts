// Every guide in docs/ and at the root names only commands, settings and documents that exist. docs/extending.md has more checks: extending.test.ts.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const read = (path: string) => readFileSync(path, "utf8");
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
const guides = ["", "docs"].flatMap((folder) =>
  readdirSync(folder || ".")
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name)),
);

/** Capitals with an underscore: a variable, an error's code, or a name that the reader replaces. */
const namesIn = (text: string) =>
  [...text.matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)].map(([name]) => name);
const codeNames = new Set(
  [".env.example", ...["edge-functions", "web", "supabase", "tests", "deploy"].flatMap(filesIn)].flatMap(
    (path) => namesIn(read(path)),
  ),
);
/** Stand-ins for the reader's own value, and settings of other programs. */
const notOurs = new Set(["VERSION_ID", "NN_NAME", "ON_ERROR_STOP", "OTEL_TRACES_SAMPLER"]);

describe.each(guides)("%s", (guide) => {
  const text = read(guide);

  test("names commands that package.json has", () => {
    const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name);
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  });

  test("names settings and codes that the code has", () => {
    expect(namesIn(text).filter((name) => !codeNames.has(name) && !notOurs.has(name))).toEqual([]);
  });

  test("links to files that exist", () => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, path = ""]) => path);
    expect(links.filter((path) => !existsSync(join(dirname(guide), path)))).toEqual([]);
  });
});

test(".env.example lists only settings that the code reads", () => {
  const listed = [...read(".env.example").matchAll(/^(?:# ?)?([A-Z][A-Z0-9_]+)=/gm)].map(
    ([, name = ""]) => name,
  );
  const code = ["edge-functions", "web", "supabase"].flatMap(filesIn).map(read).join("\n");
  expect(listed.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
  expect(listed.length).toBeGreaterThan(20);
});

/** Set by `npm start` or the platform for its own processes, or one of OpenTelemetry's. docs/operate.md lists the last. */
const isSetByStart = (name: string) => /^(OTEL_.*|API_URL|MAILBOX_URL|DEMO_AGENT_FILE)$/.test(name);

test("every setting of the functions and of the web server is in .env.example", () => {
  const example = read(".env.example");
  const declared = ["edge-functions/_shared/env.ts", "web/request/env.ts"].flatMap((path) =>
    [...read(path).matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name = ""]) => name),
  );
  expect(
    declared.filter((name) => !new RegExp(`\\b${name}\\b`).test(example) && !isSetByStart(name)),
  ).toEqual([]);
  expect(declared.length).toBeGreaterThan(40);
});

/** The text files of a folder that hold code or settings, without what is installed or built. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return /^(node_modules|dist|fixtures|migrations|\.temp)$/.test(entry.name) ? [] : filesIn(path);
    return /\.(ts|tsx|mjs|toml|ya?ml|service)$/.test(entry.name) ? [path] : [];
  });
}
