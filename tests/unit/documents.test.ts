// Every guide in docs/ and at the root names only commands, settings, documents, calls and database objects that exist. docs/extending.md
// has more checks: extending.test.ts.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { permissions } from "../support/permissions.ts";

const read = (path: string) => readFileSync(path, "utf8");
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
const guides = ["", "docs", "web"].flatMap((folder) =>
  readdirSync(folder || ".")
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name)),
);
const texts = [
  ...guides,
  ...["docs/decisions", "web/content"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(folder, name)),
  ),
];

/** Capitals with an underscore: a variable, an error's code, or a name that the reader replaces. */
const namesIn = (text: string) =>
  [...text.matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)].map(([name]) => name);
const codeNames = new Set(
  [".env.example", ...["edge-functions", "web", "supabase", "tests", "deploy"].flatMap(filesIn)].flatMap(
    (path) => namesIn(read(path)),
  ),
);
/** Stand-ins for the reader's own value, and settings of other programs. */
const notOurs = new Set([
  "VERSION_ID",
  "NN_NAME",
  "ON_ERROR_STOP",
  "OTEL_TRACES_SAMPLER",
  "OLLAMA_CONTEXT_LENGTH",
]);

/** True when an ignore file has a line for a folder at the root: its name, or the name's start and a star. */
const isIgnored = (file: string, folder: string) =>
  read(file)
    .split("\n")
    .map((line) => line.replace(/\/$/, ""))
    .some((line) => (line.endsWith("*") ? folder.startsWith(line.slice(0, -1)) : folder === line));

describe.each(guides)("%s", (guide) => {
  const text = read(guide);

  // They hold an installation's secrets and everyone's rows.
  test("names folders of data and of backups that neither Git nor an image takes", () => {
    const folders = [...text.matchAll(/PARLEY_DATA_DIR=(\.[\w-]+)|npm run backup -- ([\w-]+)\//g)].map(
      ([, data, backup]) => data ?? backup ?? "",
    );
    const taken = [".gitignore", ".dockerignore"].flatMap((file) =>
      folders.filter((folder) => !isIgnored(file, folder)).map((folder) => `${file} lacks ${folder}`),
    );
    expect(taken).toEqual([]);
  });

  test("names commands that package.json has", () => {
    const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name);
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  });

  test("names settings and codes that the code has", () => {
    expect(namesIn(text).filter((name) => !codeNames.has(name) && !notOurs.has(name))).toEqual([]);
  });
});

/** A heading's own address, as GitHub writes it. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\d\s_-]/gu, "")
    .replaceAll(" ", "-");
const anchorsIn = (path: string) =>
  [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => anchorOf(title));

test("documents link to files and headings that exist", () => {
  const broken = texts.flatMap((name) =>
    [...read(name).matchAll(/\]\((?!https?:|mailto:|\/)([^)#\s]*)(?:#([^)]+))?\)/g)]
      .filter(([, path, heading]) => {
        const target = path ? join(dirname(name), path) : name;
        return !existsSync(target) || (heading !== undefined && !anchorsIn(target).includes(heading));
      })
      .map(([link]) => `${name}: ${link}`),
  );
  expect(broken).toEqual([]);
});

/** Where a path in a document may start. */
const starts = [
  ...["", "docs", "edge-functions", "edge-functions/_shared", "edge-functions/answering"],
  ...["edge-functions/indexing", "edge-functions/indexing/connectors/jira", "web", "web/client", "web/pages"],
];
/** Names to be replaced, addresses, and what a build or another package writes. */
const isNoFile = (path: string) =>
  /[{}<>…*@]|[A-Z]{4}|^NN_|^https?:|^\/|^dist\/|\.parley|^tx\.json$|^(_payload|openapi|secrets)\.json/.test(
    path,
  );

test("documents name only source files that exist", () => {
  const files = new Set(
    ["deploy", "edge-functions", "locales", "sql", "supabase", "tests", "web", "."].flatMap((folder) =>
      readdirSync(folder, { recursive: folder !== ".", encoding: "utf8" }).map((path) => basename(path)),
    ),
  );
  const missing = texts.flatMap((name) =>
    [...read(name).matchAll(/`([^`\n]+)`/g)]
      .flatMap(([, span = ""]) => span.split(/[\s,]+/))
      .map((word) => word.replace(/^#|[.:)]$/g, ""))
      .filter((word) => /\.(tsx?|mjs|sql|json|css)$/.test(word) && !isNoFile(word))
      .filter((word) =>
        word.includes("/")
          ? ![dirname(name), ...starts].some((start) => existsSync(join(start, word)))
          : !files.has(word),
      )
      .map((word) => `${name}: ${word}`),
  );
  expect(missing).toEqual([]);
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

/** The code of a document: its spans and its blocks. */
const codeIn = (text: string) =>
  [...text.matchAll(/^```[\s\S]*?^```|^ {4}.*$|`[^`\n]+`/gm)].map(([code]) => code);

const { app } = await import("../../edge-functions/v1/app.ts");
/** A path with {} for each value and each name that the reader replaces. */
const bare = (path: string) =>
  path.replaceAll(/\{[^}]*\}|:\w+|\$\w+|\b[A-Z][A-Z_]+\b/g, "{}").replace(/(?<=.)\/$/, "");
const routes = app.openAPIRegistry.definitions.flatMap((definition) =>
  definition.type === "route"
    ? [
        {
          method: definition.route.method.toUpperCase(),
          path: bare(definition.route.path.replace(/^(?!\/v1\/)/, "/v1")),
        },
      ]
    : [],
);
/** Served beside the described calls. */
const undescribed = ["/v1/docs", "/v1/openapi.json", "/v1/health/ready"];

/** The calls in a document: a method, or "", and a path from /v1, or its end behind "…". */
const callsIn = (text: string) =>
  codeIn(text).flatMap((code) => {
    const words = code.split(/[\s`"'()]+/).map((word) => word.replace(/[?][^/]*$|[.,;:…]$/, ""));
    return words.flatMap((word, at) => {
      const path = word.replace(
        /^(…|\$\w+|\{\w+\}|https?:\/\/[\w.:]+)?(\/functions\/v1)?(?=\/v1\/(?!…))/,
        "",
      );
      if (!/^(\/v1|…)\/[a-z]/.test(path)) return [];
      const methods = /^[A-Z|]+$/.test(words[at - 1] ?? "") ? (words[at - 1] ?? "").split("|") : [""];
      return methods.map((method) => ({ method, path: bare(path) }));
    });
  });

/** Without a method, a path may also be what several calls begin with. */
const hasCall = (call: { method: string; path: string }) =>
  undescribed.includes(call.path) ||
  routes.some(({ method, path }) => {
    if (call.method && call.method !== method) return false;
    if (call.path.startsWith("…")) return path.endsWith(call.path.slice(1));
    return path === call.path || (!call.method && path.startsWith(`${call.path}/`));
  });

test("documents name only calls that the API has", () => {
  const calls = texts.flatMap((name) => callsIn(read(name)).map((call) => ({ ...call, name })));
  expect(calls.filter((call) => !hasCall(call))).toEqual([]);
  expect(calls.length).toBeGreaterThan(60);
});

test("documents name only tables, columns and functions that the schema has", () => {
  const sql = readdirSync("sql")
    .map((name) => read(join("sql", name)))
    .join("\n");
  /** Each table with the text of its creation and its changes. */
  const tables = new Map<string, string>();
  for (const [text, table = ""] of sql.matchAll(/^(?:create|alter) (?:table|view) \w+\.(\w+)\b[\s\S]*?;$/gm))
    tables.set(table, `${tables.get(table) ?? ""}\n${text}`);
  const otherNames = new RegExp(`^(${permissions.join("|")}|.*\\.(tsx?|json|sql|md))$`);

  const missing = texts.flatMap((name) =>
    codeIn(read(name))
      .flatMap((code) => [...code.matchAll(/(?<![\w./])([a-z_]+)\.([a-z_]+)\b/g)])
      .filter(([whole, owner = "", named = ""]) => {
        if (/^(public|private)$/.test(owner)) return !new RegExp(`\\b${owner}\\.${named}\\b`).test(sql);
        const table = otherNames.test(whole) ? undefined : tables.get(owner);
        return table !== undefined && !new RegExp(`\\b${named}\\b`).test(table);
      })
      .map(([whole]) => `${name}: ${whole}`),
  );
  expect(missing).toEqual([]);
  expect(tables.size).toBeGreaterThan(60);
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
