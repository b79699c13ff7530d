// docs/extending.md, docs/architecture.md and web/README.md name only files that exist, and every addition of the README's table has its
// steps. documents.test.ts checks what every document names.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import problems from "../../locales/en/problems.json" with { type: "json" };
import roles from "../../locales/en/roles.json" with { type: "json" };
import { views } from "../../web/gallery/views.ts";
import { permissionGroups } from "../../web/pages/teams/@teamId/roles/permission-groups.ts";
import { permissions } from "../support/permissions.ts";

const read = (path: string) => readFileSync(path, "utf8");

/** Where a path in a document may start, beside the document's own folder. */
const roots: Record<string, string[]> = {
  "docs/extending.md": ["", "edge-functions/indexing", "edge-functions/indexing/connectors/jira"],
  "docs/architecture.md": ["", "edge-functions", "edge-functions/_shared"],
  "web/README.md": ["", "web", "web/pages"],
};
/** Paths to be created, or with a stand-in for a name. */
const isOpen = (path: string) => /NAME|CODE|TYPE|NN_|[{}<>…*]/.test(path);
/** Named in code spans, and no path of ours: types, addresses of the API, the build, data at run time, Supabase's own packages. */
const isNoPath = (path: string) =>
  /^(\/|@|https?:|teams\/|text\/|auth\/v1)|^\w+\/\w+ |^postgres\/$|^storage\/$|^(logs\/|secrets\.json)$|^(dist|\.parley)\//.test(
    path,
  );

const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, span = ""]) => span.split(/[\s,]+/))
    .map((word) => word.replace(/^\.\/|^#/, "").replace(/[.:)]$/, ""))
    .filter((word) => /\/|\.(ts|tsx|json|md|sql|mjs)$/.test(word) && !isNoPath(word) && !isOpen(word));

/** True for a file or folder at this path, or anywhere under a root when only its name is given. */
function isThere(path: string, starts: string[]): boolean {
  if (starts.some((start) => existsSync(join(start, path)))) return true;
  if (path.includes("/")) return false;
  return starts
    .filter((start) => start !== "")
    .concat(
      "edge-functions/answering",
      "edge-functions/v1/api-keys",
      "locales/en",
      "web/pages/teams/@teamId/agents",
    )
    .some((start) =>
      readdirSync(start, { recursive: true, encoding: "utf8" }).some((one) => one.split("/").at(-1) === path),
    );
}

describe.each(Object.entries(roots))("%s", (document, starts) => {
  const text = read(document);

  test("names files and folders that exist", () => {
    const paths = pathsIn(text);
    expect(paths.filter((path) => !isThere(path, [dirname(document), ...starts]))).toEqual([]);
    expect(paths.length).toBeGreaterThan(10);
  });
});

test("every addition in the README's table has its steps", () => {
  const table = /\| to add[\s\S]*?\n\n/.exec(read("README.md"))?.[0] ?? "";
  const rows = table.trim().split("\n").slice(2);
  const steps = [...read("docs/extending.md").matchAll(/^## (.+)$/gm)].map(([, title = ""]) =>
    title.toLowerCase().replaceAll(" ", "-"),
  );
  expect(rows.length).toBeGreaterThanOrEqual(7);
  for (const row of rows) {
    const [, heading] = /\]\(docs\/extending\.md#([\w-]+)\)/.exec(row) ?? [];
    expect(steps, row).toContain(heading);
  }
});

/** Pages that the gallery does not show: words alone, one step of an account, a redirect, or another page's parts. */
const withoutView = [
  ..."/_error /admin /beta /content /shopify /support/success".split(" "),
  ..."/confirm /confirm-email /forgot-password /logout /verify".split(" "),
  ..."/c/@address /widget/@id /teams/@teamId/chats/review /teams/@teamId/source/@sourceId".split(" "),
  ..."/teams/@teamId/apps/@id/confirm /teams/@teamId/apps/@id/install".split(" "),
];

test("the gallery shows every page", () => {
  const routes = readdirSync("web/pages", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("+Page.tsx"))
    .map((name) => `/${dirname(name)}`.replace(/\/index$/, ""));
  const shown = views.map(({ path }) => path.replace(/\?.*|\/$/g, ""));
  const isShown = (route: string) => {
    const pattern = new RegExp(`^${route.replaceAll(/@\w+/g, "[^/]+")}$`);
    return shown.some((path) => pattern.test(path));
  };
  const missing = routes.filter((route) => !isShown(route));
  expect(missing.sort(), "web/gallery/views.ts has a line for each page").toEqual(withoutView.toSorted());
});

test("every permission has a group and words", () => {
  const grouped = permissionGroups.flatMap(([, names]) => names);
  expect(grouped.sort(), "web/pages/teams/@teamId/roles/permission-groups.ts").toEqual(
    [...permissions].sort(),
  );
  const worded = Object.entries(roles.permission).flatMap(([thing, acts]) =>
    Object.keys(acts).map((act) => `${thing}.${act}`),
  );
  expect(worded.sort(), "`permission` of locales/*/roles.json").toEqual([...permissions].sort());
});

test("every file format has words for its label, so that a refused file is named in each language", () => {
  const folder = "edge-functions/indexing/parsers";
  const labels = readdirSync(folder)
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) =>
      [...read(join(folder, name)).matchAll(/\blabel: "([^"]+)"/g)].map(([, label]) => label),
    );
  const worded: string[] = Object.values(problems.words);
  expect(labels.filter((label = "") => !worded.includes(label))).toEqual([]);
  expect(labels.length).toBeGreaterThan(20);
});
