// Stopping a task from its page and from the dashboard, as a person's form: everything that the knowledge base waits for stops, and a stop
// that came too late says so.
import { beforeAll, beforeEach, expect, test } from "vitest";
import { newTeam, owner, type Team } from "../support/api.ts";
import { filledForm, shownForms } from "../support/refused-forms.ts";
import { signIn, type WebSession } from "../support/web-forms.ts";
import { say } from "../support/words.ts";

let team: Team;
let web: WebSession;
let sources: string[];
let knowledge: string;
/** Open tasks of the knowledge base and of each of its sources, which no worker claims. */
let tasks: { id: string; knowledgeId: string | null }[];

beforeAll(async () => {
  team = await newTeam();
  web = await signIn(team.owner);
});

beforeEach(async () => {
  const create = async (path: string, body: unknown): Promise<string> =>
    (await team.owner.post(`${team.path}${path}`, body)).body.id;
  sources = [];
  for (const name of ["First", "Second", "Third"])
    sources.push(await create("/sources", { type: "qa", name }));
  knowledge = await create("/knowledges", { name: "Of three sources" });
  const sql = await owner();
  await sql`
    insert into public.knowledge_sources (team_id, knowledge_id, source_id)
    select ${team.id}, ${knowledge}, unnest(${sources}::uuid[])`;
  await sql`delete from public.tasks where team_id = ${team.id}`;
  const waiting = [
    { type: "index", source: null, knowledge },
    // The first has nothing to stop.
    ...sources.slice(1).map((source) => ({ type: "loadDocuments", source, knowledge: null })),
  ];
  tasks = [];
  for (const { type, source, knowledge: its } of waiting)
    tasks.push(
      ...(await sql<typeof tasks>`
        insert into public.tasks (team_id, type, key, source_id, knowledge_id, run_after)
        values (${team.id}, ${type}, ${`${type}:${source ?? its}`}, ${source}, ${its}, now() + interval '1 hour')
        returning id, knowledge_id as "knowledgeId"`),
    );
});

const statuses = async () => {
  const { body } = await team.owner.get(`${team.path}/tasks?perPage=100`);
  return body.data.map(({ status }: { status: string }) => status);
};

const ofKnowledge = () => tasks.find(({ knowledgeId }) => knowledgeId !== null)?.id ?? "";

/** Posts the page's form that stops a task, as it was opened. */
async function stopOn(page: string, task: string) {
  const form = shownForms((await web.get(page)).html).find(
    ({ name, fields }) => name === "stop" && fields.every((one) => one.name !== "task" || one.value === task),
  );
  if (!form) throw new Error(`${page} cannot stop ${task}`);
  return async () => await web.post(page, filledForm(form, {}));
}

test.each(["its page", "the dashboard"])("stops every task of a knowledge base from %s", async (where) => {
  const page = where === "its page" ? `/teams/${team.codename}/tasks/${ofKnowledge()}` : "/dashboard";
  const stop = await stopOn(page, ofKnowledge());
  expect((await stop()).status).toBe(303);
  expect(await statuses()).toEqual(["stopped", "stopped", "stopped"]);

  const late = await stop();
  expect(late.status).toBe(409);
  expect(late.html).toContain(say("errors:refusals.notIndexing"));
});

test("says that there is nothing to stop when the task was deleted meanwhile", async () => {
  const stop = await stopOn("/dashboard", ofKnowledge());
  const sql = await owner();
  await sql`delete from public.tasks where team_id = ${team.id}`;
  const late = await stop();
  expect(late.status).toBe(409);
  expect(late.html).toContain(say("errors:refusals.notIndexing"));
});
