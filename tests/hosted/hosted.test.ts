// docs/deploy.md, as a fact: its commands, typed one after the other with the real CLI, give a project in which people work. What
// stands for hosted Supabase is in this folder; project.ts lists what differs from a real project.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../support/content.ts";
import { machine } from "./cli.ts";
import { adminUrl, withLogin } from "./databases.ts";
import { ask, askInSlack, connectSlack, newEmail, register, teach } from "./people.ts";
import { Project } from "./project.ts";
import { type RunningWorld, startWorld } from "./world.ts";

const ref = "abcdefghijklmnopqrst";
const question = "How many days of leave are there?";

let world: RunningWorld;
let project: Project;
beforeAll(async () => {
  world = await startWorld([ref]);
  project = await Project.create(world, { ref, keys: "new", privileges: "closed" });
});
afterAll(async () => {
  await project?.stop();
  await world?.stop();
});

test("the guide names the CLI that it was tried with", () => {
  expect(readFileSync("docs/deploy.md", "utf8")).toContain(`npx ${machine("HOSTED_CLI")}`);
});

test("the settings and the database", async () => {
  project.fillInSettings();
  await project.query("The settings");
  const said = await project.type("The database");
  expect(said.at(-1)).toContain("Finished supabase db push.");
  expect(project.settings.configs["config/auth"]).toMatchObject({ site_url: project.webUrl });
  await project.query("The database");
  expect((await project.type("The database")).at(-1)).toContain("Remote database is up to date.");
});

test("the functions", async () => {
  await project.type("The functions");
  expect([...project.settings.functions.keys()].sort()).toEqual(["indexing", "slack", "v1"]);
  await project.boot();
});

test("somebody registers, uploads, asks, and leaves nothing behind", async () => {
  const person = await register(project, world, newEmail());
  const { file, agent } = await teach(project, person, "# Leave\n\nEverybody has 27 days of leave a year.\n");
  expect(await ask(person, agent.id, question)).toContain("27 days");

  await connectSlack(person, agent.id);
  expect(await askInSlack(project, world, question)).toContain("27 days");

  const stored = () =>
    withLogin(
      adminUrl(world.server, ref),
      (sql) => sql`select name from storage.objects where name = ${file.path}`,
    );
  expect(await stored()).toHaveLength(1);
  await person.json("DELETE", person.team);
  expect((await person.call("GET", `${person.team}/agents`)).status).toBe(404);
  await until(
    async () => {
      await project.tick();
      return await stored();
    },
    (left) => left.length === 0,
  );
});

test("nobody asked for what a project does not have, or with a key where it is refused", () => {
  expect(world.management.refused).toEqual([]);
  expect(project.platform.refused).toEqual([]);
  expect(project.functions.output()).not.toContain("beyond the limit");
});
