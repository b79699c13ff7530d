// An imported team does not have to decide again, and knows what its documents lack: questions that were dismissed or answered, what
// follow-ups were searched as, and the age and notes of documents of services.
import { beforeAll, expect, test } from "vitest";
import { newPerson, newTeam, owner, type Team } from "../support/api.ts";
import { atRest, newAgent, newKnowledge, until } from "../support/content.ts";
import { exportTeam, importTeam } from "../support/team-archive.ts";

const questions = {
  dismissed: "Which elephant wears a raincoat?",
  answered: "Where can I park my bicycle?",
  open: "Who waters the plants of the foyer?",
};
const searchedFor = "How many days of paid leave does everyone have?";
const syncedAt = "2026-01-02T03:04:05.678Z";
const note = "Attachments could not be read.";
let team: Team;
let copy: Team;

interface Gap {
  id: string;
  question: string;
  questions: number;
  searchedFor: string | null;
  state: string;
  entry: { id: string } | null;
}
const listGaps = async ({ owner: who, path }: Team): Promise<Gap[]> =>
  (await who.get(`${path}/gaps?perPage=100`)).body.data;
const waitForGaps = (of: Team, count: number) =>
  until(
    () => listGaps(of),
    (gaps) => gaps.length === count,
    60,
  );

async function ask({ owner: who, path }: Team, question: string) {
  const [agent] = (await who.get(`${path}/agents`)).body.data;
  const { body: chat } = await who.post(`/v1/agents/${agent.id}/chats`, {});
  return (await who.post(`/v1/chats/${chat.id}/messages`, { content: question })).body.reply as {
    id: string;
  };
}

beforeAll(async () => {
  const sql = await owner();
  team = await newTeam();
  const knowledge = await newKnowledge(team, {
    "leave.md": "# Leave\n\nEveryone has 27 days of paid leave.\n",
  });
  await newAgent(team, { knowledgeIds: [knowledge.id] });
  const reply = await ask(team, "How many days of paid leave?");
  await sql`update public.messages set searched_for = ${searchedFor} where id = ${reply.id}`;
  for (const question of [questions.dismissed, ...Object.values(questions)]) await ask(team, question);
  const gaps = await waitForGaps(team, 3);
  const idOf = (question: string) => gaps.find((one) => one.question === question)?.id;
  await team.owner.put(`${team.path}/gaps/${idOf(questions.dismissed)}`, { state: "dismissed" });
  await team.owner.post(`${team.path}/gaps/${idOf(questions.answered)}/answer`, {
    answer: "Bicycles can be parked in the yard.",
    addTest: false,
  });
  await until(
    () => listGaps(team),
    (all) => all.some(({ state }) => state === "answered"),
    60,
  );
  const [tracker] = await sql<{ id: string }[]>`
    insert into public.sources (team_id, type, name, config, schedule, synced_at)
    values (${team.id}, 'jira', 'Tracker', ${sql.json({ site: "https://acme.atlassian.net", projects: ["A"] })}, 'daily', ${syncedAt})
    returning id`;
  await sql`
    insert into public.documents (team_id, source_id, external_id, type, title, content, content_hash, synced_at, note)
    values (${team.id}, ${tracker?.id ?? null}, 'A-1', 'jira', 'Issue one', 'Read of Jira.', ${"0".repeat(64)}, ${syncedAt}, ${note})`;
  await atRest(team);
  copy = await importTeam(await newPerson(), await exportTeam(team));
});

test("dismissed and answered questions are not open again, with their answers", async () => {
  const gaps = await waitForGaps(copy, 3);
  const stateOf = (question: string) => gaps.find((one) => one.question === question)?.state;
  expect(Object.keys(questions).map((name) => stateOf(questions[name as keyof typeof questions]))).toEqual([
    "dismissed",
    "answered",
    "open",
  ]);
  expect(gaps.find(({ state }) => state === "dismissed")?.questions).toBe(2);
  const { entry } = gaps.find(({ state }) => state === "answered") ?? {};
  const [source] = (await copy.owner.get(`${copy.path}/sources?type=qa`)).body.data;
  expect((await copy.owner.get(`${copy.path}/sources/${source.id}/entries`)).body.data).toMatchObject([
    { id: entry?.id },
  ]);
});

test("a question like a dismissed one joins it", async () => {
  await ask(copy, questions.dismissed);
  const gaps = await until(
    () => listGaps(copy),
    (all) => all.some((one) => one.questions === 3),
    60,
  );
  expect(gaps.find((one) => one.questions === 3)?.state).toBe("dismissed");
  expect(gaps).toHaveLength(3);
});

test("a reply says what was searched for", async () => {
  const sql = await owner();
  const readSearches = ({ id }: Team) => sql`
    select searched_for from public.messages where team_id = ${id} and searched_for is not null`;
  expect(await readSearches(copy)).toEqual([{ searched_for: searchedFor }]);
});

test("documents of a service are as old as they were, and say what they lack", async () => {
  const [source] = (await copy.owner.get(`${copy.path}/sources?type=jira`)).body.data;
  expect(source.syncedAt).toBe(syncedAt);
  const sql = await owner();
  const documents = await sql`
    select synced_at, note from public.documents where team_id = ${copy.id} and source_id = ${source.id}`;
  expect(documents).toEqual([{ synced_at: new Date(syncedAt), note }]);
});
