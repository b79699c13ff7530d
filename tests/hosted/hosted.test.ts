// Proves docs/deploy.md: its commands, typed in order with the real CLI, give a project in which people work. This folder has the stand-ins
// for hosted Supabase; project.ts lists the differences from a real project.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readCatalog } from "../sql/catalog.ts";
import { until } from "../support/content.ts";
import { releases } from "../support/releases.ts";
import { findLosses, takeSnapshot } from "../support/upgrade-losses.ts";
import { findAdvice, findLints } from "./advice.ts";
import { machine } from "./cli.ts";
import { adminUrl, withLogin } from "./databases.ts";
import {
  ask,
  askInSlack,
  connectSlack,
  logIn,
  logInWithBrowser,
  newEmail,
  type Person,
  register,
  teach,
} from "./people.ts";
import { Project } from "./project.ts";
import { type RunningWorld, startWorld } from "./world.ts";

const olderRef = "zyxwvutsrqponmlkjihg";
const ref = "abcdefghijklmnopqrst";
const handbook = "# Leave\n\nEverybody has 27 days of leave a year.\n";
const question = "How many days of leave are there?";

let world: RunningWorld;
beforeAll(async () => {
  // The servers of auth and storage log a line for each request.
  vi.spyOn(console, "log").mockImplementation(() => {});
  world = await startWorld([ref, olderRef]);
});
afterAll(() => world?.stop());

test("the guide names the tested CLI version", () => {
  expect(readFileSync("docs/deploy.md", "utf8")).toContain(`npx ${machine("HOSTED_CLI")}`);
});

describe("a new project, with keys of the newer kind only", () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.create(world, { ref, keys: "new", privileges: "closed" });
  });
  afterAll(() => project?.stop());

  test("gets its settings and database", async () => {
    project.fillInSettings();
    await project.query("The settings");
    const said = await project.type("The database");
    expect(said.at(-1)).toContain("Finished supabase db push.");
    expect(project.settings.configs["config/auth"]).toMatchObject({
      site_url: project.webUrl,
      security_update_password_require_reauthentication: true,
    });
    await project.query("The database");
    expect((await project.type("The database")).at(-1)).toContain("Remote database is up to date.");
  });

  test("has no unexplained finding of the lints and advisors", async () => {
    expect(await findAdvice(project)).toEqual([]);
    const lints = await findLints(project);
    if (!lints) process.stdout.write("db lint was left out: plpgsql_check is not installed.\n");
    expect(lints ?? []).toEqual([]);
  });

  test("gets its functions", async () => {
    await project.type("The functions");
    expect([...project.settings.functions.keys()].sort()).toEqual(["indexing", "slack", "v1"]);
    await project.boot();
  });

  let person: Person;
  let path: string;
  test("lets a person register, upload, and ask, here and in Slack", async () => {
    person = await register(project, world, newEmail());
    const { file, agent } = await teach(project, person, handbook);
    path = file.path;
    expect(await ask(person, agent.id, question)).toContain("27 days");

    await connectSlack(person, agent.id);
    expect(await askInSlack(project, world, question)).toContain("27 days");
  });

  test("has a web server that logs people in, and distinguishes its visitors", async () => {
    await project.serveWeb();
    const origins = () =>
      withLogin(adminUrl(world.server, ref), (sql) => sql`select origin from private.login_origins`);
    const before = await origins();
    expect(await logInWithBrowser(project, person.email, "89.160.20.112")).toContain("Acme");
    expect(await logInWithBrowser(project, person.email, "2.125.160.216")).toContain("Acme");
    expect((await origins()).length - before.length).toBe(2);

    // From another machine, as HOST says.
    const { port } = new URL(project.webUrl);
    expect((await fetch(`http://127.0.0.2:${port}/login`)).status).toBe(200);
    const typeOf = async (url: string) => (await fetch(`${url}/v1/docs`)).headers.get("content-type");
    expect(await typeOf(project.webUrl)).toContain("text/html");
    expect(await typeOf(`${project.platform.url}/functions/v1`)).toContain("text/plain");
  });

  test("keeps no file of a deleted team", async () => {
    const listObjects = () =>
      withLogin(
        adminUrl(world.server, ref),
        (sql) => sql`select name from storage.objects where name = ${path}`,
      );
    expect(await listObjects()).toHaveLength(1);
    await person.json("DELETE", person.team);
    expect((await person.call("GET", `${person.team}/agents`)).status).toBe(404);
    await until(
      async () => {
        await project.tick();
        return await listObjects();
      },
      (left) => left.length === 0,
    );
  });

  test("makes no call that is refused because of its key, and keeps to a function's limits", () => {
    expect(project.platform.refused).toEqual([]);
    expect(project.functions.output()).not.toContain("beyond the limit");
  });
});

describe("an older project, with legacy keys and the data of a release", () => {
  const release = releases.at(-1) ?? "";
  let project: Project;
  beforeAll(async () => {
    project = await Project.create(world, { ref: olderRef, keys: "legacy", privileges: "open", release });
  });
  afterAll(() => project?.stop());

  test("is upgraded by the same commands, and loses nothing", async () => {
    const { secretsKey } = JSON.parse(readFileSync(`${project.folder}/secrets.json`, "utf8"));
    // Without a login of their own the functions use the owner's.
    project.fillInSettings({ SECRETS_KEY: secretsKey, JWT_SECRET: project.keys.jwtSecret, DATABASE_URL: "" });
    const admin = adminUrl(world.server, olderRef);
    const before = await withLogin(admin, takeSnapshot);
    expect((await project.type("The database")).at(-1)).toContain("Finished supabase db push.");
    expect(await withLogin(admin, (sql) => findLosses(sql, before))).toEqual([]);
    expect((await project.type("The database")).at(-1)).toContain("Remote database is up to date.");
  });

  test("has the schema and the grants of a new one, whatever the default grants", async () => {
    const [older, newer] = await Promise.all(
      [olderRef, ref].map((one) => withLogin(adminUrl(world.server, one), readCatalog)),
    );
    // The schemas' own lines have the default grants.
    const { schemas: _older, ...upgraded } = older ?? {};
    const { schemas: _newer, ...fresh } = newer ?? {};
    for (const [kind, lines] of Object.entries(fresh))
      expect(comparable(upgraded[kind as keyof typeof upgraded]), kind).toEqual(comparable(lines));
  });

  test("lets its people in, and answers from their data", async () => {
    await project.query("The database");
    await project.type("The functions");
    await project.boot();
    const dana = await logIn(project, "demo@parley.test", "demo-parley-1");
    const { data } = await dana.json("GET", "/v1/teams");
    expect(data).not.toEqual([]);
    const person = await register(project, world, newEmail());
    const { agent } = await teach(project, person, handbook);
    expect(await ask(person, agent.id, question)).toContain("27 days");
    expect(project.platform.refused).toEqual([]);
  });
});

/** Catalog lines without the owner's implied grants, and without older default privileges that the service never uses. */
function comparable(lines: string[] = []): string[] {
  return lines.map((line) =>
    line
      .replaceAll(/postgres=\w+\/postgres/g, "")
      .replaceAll("service_role=arwdDxt/", "service_role=arwd/")
      // Written by migrations only.
      .replace(/^(permissions \| .*service_role=)arwd\//, "$1r/")
      .replaceAll(/ +/g, " "),
  );
}

test("the Management API got no unknown call", () => {
  expect(world.management.refused).toEqual([]);
});
