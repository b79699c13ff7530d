// Enforces the architecture's boundaries: access to the runtime, use of the service role, code in the browser, and files' names and sizes.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";

const SOURCE = /\.(ts|tsx|mjs|js|sql|css|sh)$/;
const LEFT_OUT = new Set([
  "node_modules",
  "dist",
  ".git",
  ".parley",
  "test-results",
  "playwright-report",
  "coverage",
]);
/** Generated, and checked by a test of their own. */
const GENERATED = ["supabase/migrations/20261121000000_first_release.sql"];

function walk(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    if (LEFT_OUT.has(entry.name)) return [];
    const path = join(dir, entry.name);
    return entry.isDirectory() ? walk(path) : [path];
  });
}

const files = walk(".").map((path) => relative(".", path));
const sources = files.filter((path) => SOURCE.test(path) && !GENERATED.includes(path));
const text = (path: string) => readFileSync(path, "utf8");
const under = (...dirs: string[]) => sources.filter((path) => dirs.some((dir) => path.startsWith(`${dir}/`)));
const lines = (content: string) => content.split("\n").length - (content.endsWith("\n") ? 1 : 0);

/** A module's runtime imports, without types. */
function imports(path: string): string[] {
  const found = text(path).matchAll(
    /^\s*(?:import|export)\s+(?!type\b)(?:[^"';]*?\sfrom\s+)?["']([^"']+)["']/gm,
  );
  const dynamic = text(path).matchAll(/\bimport\(\s*["']([^"']+)["']/g);
  return [...found, ...dynamic].map(([, specifier = ""]) => specifier);
}

/** The path of an imported module of ours; null for a package. */
function moduleOf(specifier: string, importer: string): string | null {
  const path = specifier.replace(/\?.*$/, "");
  if (path === "#translations") return "web/client/every-page/translations.ts";
  if (path.startsWith("#")) return path.slice(1);
  return path.startsWith(".") ? join(dirname(importer), path) : null;
}

/** A module with all that it imports, and their packages. */
function reach(entry: string): { modules: Set<string>; packages: Set<string> } {
  const modules = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string) => {
    if (modules.has(path)) return;
    modules.add(path);
    if (!/\.(ts|tsx|mjs|js)$/.test(path)) return;
    for (const specifier of imports(path)) {
      const module = moduleOf(specifier, path);
      if (module) visit(module);
      else packages.add(specifier);
    }
  };
  visit(entry);
  return { modules, packages };
}

/** Modules in an import cycle at runtime. */
function inRings(paths: string[]): string[] {
  const ours = new Map(
    paths.map((path) => [path, imports(path).flatMap((specifier) => moduleOf(specifier, path) ?? [])]),
  );
  const reaches = (from: string, to: string, seen: Set<string>): boolean =>
    (ours.get(from) ?? []).some(
      (next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
    );
  return paths.filter((path) => reaches(path, path, new Set()));
}

describe("modules", () => {
  test("import each other in one direction", () => {
    const modules = under("edge-functions", "supabase", "web", "tests");
    expect(inRings(modules.filter((path) => /\.(ts|tsx|mjs)$/.test(path)))).toEqual([]);
  });
});

describe("the runtime", () => {
  test("is independent of package.json's imports, which a hosted function lacks", () => {
    const naming = under("edge-functions").filter((path) =>
      imports(path).some((name) => name.startsWith("#")),
    );
    expect(naming).toEqual([]);
  });

  test("Deno is used only by the functions' entries and the settings", () => {
    const knowing = under("edge-functions", "web").filter((path) => /\bDeno\b\s*[.[]/.test(text(path)));
    expect(
      knowing.filter((path) => !/^edge-functions\/([^_/]+\/index|_shared\/env)\.ts$/.test(path)),
    ).toEqual([]);
    expect(knowing).toContain("edge-functions/v1/index.ts");
  });

  test("the environment is read only by the settings", () => {
    const reading = under("edge-functions").filter((path) => /\bprocess\.env\b/.test(text(path)));
    expect(reading).toEqual(["edge-functions/_shared/env.ts"]);
  });
});

describe("the service role", () => {
  /** Who may bypass row-level security, and why. */
  const allowed: Record<string, string> = {
    "edge-functions/_shared/requests/auth.ts": "looks an API key up before anybody is known",
    "edge-functions/_shared/operation/dependencies.ts": "looks whether the database answers",
    "edge-functions/_shared/queues/lease.ts": "counts what waits in queues that no client may see",
    "edge-functions/_shared/requests/limits.ts": "counts hits for people who have not logged in",
    "edge-functions/_shared/storage/unwanted-objects.ts":
      "removes bytes that no row names any more, for nobody in particular",
    "edge-functions/_shared/mail/suppressions.ts": "asks about addresses of people who have not logged in",
    "edge-functions/indexing/clock.ts": "moves what is due of every team with the clock",
    "edge-functions/indexing/operator-limits.ts": "keeps the operator's limits, which no client may",
    "edge-functions/indexing/expired-entries.ts": "ends written answers on the day that their owner set",
    "edge-functions/indexing/detached-rows.ts":
      "removes what hangs on what was deleted, for nobody in particular",
    "edge-functions/indexing/dead-replies.ts":
      "ends what a dead process was writing, for nobody in particular",
    "edge-functions/handovers/deliveries.ts": "sends what no client may queue",
    "edge-functions/handovers/slack-answer.ts":
      "looks up the thread that a chat is, which no client may read",
    "edge-functions/v1/handovers/asking.ts": "writes handovers and queues mails, which no client may",
    "edge-functions/v1/handovers/answering.ts": "writes what an assistant says, which no client may",
    "edge-functions/v1/handovers/settings.ts": "keeps webhooks' secrets, which no client may read",
    "edge-functions/indexing/queue.ts": "works on tasks, which no client may write",
    "edge-functions/indexing/retention.ts": "removes what an admin lets go, which no client may",
    "edge-functions/indexing/steps/leftovers.ts": "sweeps what dead workers left",
    "edge-functions/slack/asking.ts": "takes back what this process had begun to say",
    "edge-functions/slack/install.ts": "keeps install states, which no client may read",
    "edge-functions/slack/install-confirmation.ts":
      "reads install states and keeps tokens, which no client may, for the person who began",
    "edge-functions/slack/installations.ts": "keeps workspaces' tokens, which no client may read",
    "edge-functions/slack/queue.ts": "works on Slack's events, which no client may see",
    "edge-functions/slack/threads.ts": "sees the apps of every team in a workspace, to choose one",
    "edge-functions/v1/agent-tests/runs.ts": "begins runs of tests, which no client may write",
    "edge-functions/v1/agent-versions/publishing.ts": "writes versions, which no client may",
    "edge-functions/v1/auth/accounts.ts": "looks an e-mail up before anybody is known",
    "edge-functions/_shared/models/model-costs.ts": "counts what models take, which no client may write",
    "edge-functions/_shared/models/team-models.ts":
      "reads connections to models with their keys, which no client may",
    "edge-functions/v1/auth/guesses.ts": "counts failed logins of people who have not logged in",
    "edge-functions/v1/auth/rotation.ts": "keeps used refresh tokens, which no client may read",
    "edge-functions/v1/auth/email-change.ts":
      "asks two mailboxes, one of which may be another account's, and changes an address",
    "edge-functions/v1/beta/routes.ts": "takes sign-ups from people without an account",
    "edge-functions/v1/files/copying.ts": "copies a file's bytes, which no client reads or writes",
    "edge-functions/v1/files/registration.ts": "says where a file's bytes are, which no client may",
    "edge-functions/v1/files/replacing.ts": "says where a file's bytes are, which no client may",
    "edge-functions/v1/chats/routes.ts": "counts what people start and ask, which no client may write",
    "edge-functions/v1/chats/texts.ts": "counts what people start and ask, which no client may write",
    "edge-functions/v1/onboardings/routes.ts":
      "keeps what a team's first files became, which no client may write",
    "edge-functions/v1/gaps/answering.ts": "has questions asked again, which no client may queue",
    "edge-functions/indexing/gaps/group-waiting.ts": "groups what anybody asked, visitors too",
    "edge-functions/indexing/gaps/leaders.ts": "joins gaps of what anybody asked, visitors too",
    "edge-functions/v1/idempotency.ts": "keeps first answers, which no client may read",
    "edge-functions/v1/knowledges/searching.ts": "counts searches, which no client may write",
    "edge-functions/v1/models/connections.ts": "keeps keys of models, which no client may read",
    "edge-functions/v1/models/queries.ts": "reads and sets budgets, which no client may by itself",
    "edge-functions/v1/messages/beginning.ts": "opens the reply to a question, which no client may write",
    "edge-functions/v1/messages/reply-store.ts": "writes replies, which no client may write",
    "edge-functions/v1/sns/queries.ts": "keeps what the mail service reports",
    "edge-functions/v1/sources/changes.ts": "stores credentials with the change of their source",
    "edge-functions/v1/sources/credentials.ts": "keeps credentials, which no client may read",
    "edge-functions/v1/streams/queries.ts": "counts answers, which no client may write",
    "edge-functions/v1/support/queries.ts": "takes tickets from people without an account",
    "edge-functions/v1/teams/importing.ts": "notes where an archive is, which no client may",
    "edge-functions/v1/team-users/invited.ts": "looks up who is invited, which the inviter must not learn",
  };

  test("is imported only by the listed modules, each with its reason", () => {
    const importing = under("edge-functions", "web", "supabase").filter((path) =>
      /import\s+(?!type\b)\{[^}]*\b(?:asService|asCallerThenService|askThenServe)\b[^}]*\}\s+from\s+["'][^"']*db\.ts["']/.test(
        text(path),
      ),
    );
    expect(importing.sort()).toEqual(Object.keys(allowed).sort());
  });

  test("is opened by one module, with a login that has no rights of its own", () => {
    const connecting = under("edge-functions").filter((path) =>
      /import\s+postgres\b|import\s*\{[^}]*\bdefault as/.test(text(path)),
    );
    expect(connecting).toEqual([
      "edge-functions/_shared/database/connections.ts",
      "edge-functions/_shared/database/db.ts",
    ]);
    const running = under("edge-functions").filter((path) =>
      /import[^;]*\brunTransaction\b[^;]*from/.test(text(path)),
    );
    expect(running).toEqual(["edge-functions/_shared/database/db.ts"]);
  });

  test("the service key is never named in web, so no page can contain it", () => {
    expect(under("web").filter((path) => /SERVICE_ROLE|service_role/.test(text(path)))).toEqual([]);
  });
});

describe("browser code", () => {
  const islands = sources.filter((path) => /^web\/islands\/[^/]+\.tsx$/.test(path));
  /** Excerpts in the API and documents on a page recognise bold words and links alike, and pages, mails and Slack read Markdown alike. */
  const serverOnly =
    /^(web\/request\/|web\/pages\/.*\+(data|guard|action)\.|edge-functions\/(?!_shared\/text\/(?:inline-markup|markdown-lexer|table-text)\.ts)|supabase\/|tests\/)/;

  test.each(islands)("%s imports no server module", (island) => {
    const { modules, packages } = reach(island);
    expect([...modules].filter((path) => serverOnly.test(path))).toEqual([]);
    expect(
      [...packages].filter((name) => /^(node:|hono|postgres|openai|jose|@supabase\/)/.test(name)),
    ).toEqual([]);
    // An unresolved module would go unchecked.
    expect([...modules].filter((path) => !existsSync(path))).toEqual([]);
    expect(packages).toContain("react");
  });

  test("islands are files with one component, named after it", () => {
    const misnamed = islands.filter((path) => {
      const name = basename(path, ".tsx");
      return !new RegExp(
        `export (default )?function ${name}\\b|export const ${name}\\b|export default ${name}\\b`,
      ).test(text(path));
    });
    expect(misnamed).toEqual([]);
    expect(islands.length).toBeGreaterThan(2);
  });

  test("the design system knows no page: what only some pages show is beside them", () => {
    const knowing = under("web/ui").filter((path) =>
      imports(path).some((name) => moduleOf(name, path)?.startsWith("web/pages/")),
    );
    expect(knowing).toEqual([]);
    const folders = new Set(under("web/ui").map((path) => dirname(path)));
    expect([...folders].sort()).toEqual(["web/ui", "web/ui/charts"]);
  });

  test("only islands and their parts use React's state", () => {
    const live = new Set(islands.flatMap((island) => [...reach(island).modules]));
    const stateful = under("web/pages", "web/layouts", "web/ui").filter(
      (path) =>
        /\buse(State|Effect|Reducer|Ref|LayoutEffect|SyncExternalStore)\(/.test(text(path)) &&
        !live.has(path),
    );
    expect(stateful).toEqual([]);
  });
});

describe("parsers", () => {
  test.each(under("edge-functions/indexing/parsers"))(
    "%s is pure: no database, settings or network",
    (path) => {
      const { modules } = reach(path);
      expect(
        [...modules].filter((one) =>
          /_shared\/(env|database\/db|requests\/auth|storage\/storage|models\/models)\.ts$/.test(one),
        ),
      ).toEqual([]);
      expect(text(path)).not.toMatch(/\bfetch\(|\bprocess\./);
    },
  );
});

describe("files", () => {
  test("are at most 400 lines", () => {
    const long = sources
      .map((path) => `${path}: ${lines(text(path))}`)
      .filter((one) => Number(one.split(": ")[1]) > 400);
    expect(long).toEqual([]);
  });

  test("import distant modules through the package's imports, not by climbing", () => {
    const climbing = under("web").filter((path) => /(?:from |import\()"(?:\.\.\/){3}/.test(text(path)));
    expect(climbing).toEqual([]);
  });

  test("are named by their purpose: no utils, helpers or the like", () => {
    const vague = /^(utils?|helpers?|common|misc|shared|lib|stuff|constants)\.(ts|tsx|mjs|json|sql)$/;
    expect(files.filter((path) => vague.test(basename(path)))).toEqual([]);
  });

  test("are kebab-case; components and islands PascalCase; SQL snake_case", () => {
    const fits = (path: string) => {
      const name = basename(path);
      if (path.startsWith("sql/")) return /^\d{2}_[a-z_]+\.sql$/.test(name);
      if (path.startsWith("supabase/migrations/")) return /^\d{14}_[a-z_]+\.sql$/.test(name);
      if (/^web\/(ui|islands|layouts|pages)\/.*\.tsx$/.test(path) && !name.startsWith("+"))
        return /^[A-Z][A-Za-z0-9]*\.tsx$/.test(name);
      return (
        /^[+_]?[a-zA-Z0-9]+([.-][a-zA-Z0-9]+)*$/.test(name) &&
        !/[a-z][A-Z].*-|_/.test(name.replace(/^[+_]/, ""))
      );
    };
    expect(sources.filter((path) => !fits(path))).toEqual([]);
  });

  test("name no other machine", () => {
    // Assembled here, so that this file does not name them.
    const places = ["/wo" + "rk/", "/Us" + "ers/", "/ro" + "ot/"];
    const readable = files.filter(
      (path) => SOURCE.test(path) || /\.(md|json|html|yaml|yml|toml)$/.test(path),
    );
    const naming = readable
      .filter((path) => path !== "package-lock.json")
      .filter((path) => places.some((place) => new RegExp(`(^|[^\\w.~-])${place}`, "m").test(text(path))));
    expect(naming).toEqual([]);
  });

  test("are text: a zero byte would hide a file from every search", () => {
    expect(sources.filter((path) => text(path).includes("\0"))).toEqual([]);
  });

  test("have no unfinished work and no disabled check", () => {
    const marks = new RegExp(["TO" + "DO", "FIX" + "ME", "@ts-" + "ignore", "@ts-" + "nocheck"].join("|"));
    expect(sources.filter((path) => marks.test(text(path)))).toEqual([]);
    const skipped = /\b(test|it|describe)\.(sk[i]p|on[l]y|to[d]o|fai[l]s)\b/;
    expect(sources.filter((path) => path.startsWith("tests/") && skipped.test(text(path)))).toEqual([]);
  });

  test("use the type system", () => {
    // Each of these needs its reason in a comment on the line or the one above.
    const escapes = /\bas unknown as\b/;
    const unexplained = sources
      .filter((path) => /\.(ts|tsx)$/.test(path))
      .flatMap((path) => {
        const all = text(path).split("\n");
        return all.flatMap((line, index) => {
          const explained = line.includes("//") || /^\s*(\/\/|\*|\/\*)/.test(all[index - 1] ?? "");
          return escapes.test(line) && !explained ? [`${path}:${index + 1}`] : [];
        });
      });
    expect(unexplained).toEqual([]);
  });
});
