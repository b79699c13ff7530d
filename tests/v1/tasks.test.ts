// A team's tasks: subject, progress and message, in the reader's language and time zone.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { newMember, newPerson, newTeam, owner, type Team } from "../support/api.ts";

let team: Team;
const made: Record<string, string> = {};
beforeAll(async () => {
  team = await newTeam();
  const sql = await owner();
  const add = async (name: string, values: Record<string, unknown>) => {
    // No worker claims them: they have finished, or are not due.
    const [row] = await sql`
      insert into public.tasks ${sql({
        team_id: team.id,
        type: "index",
        key: randomUUID(),
        run_after: "2100-01-01",
        ...values,
      })} returning id`;
    made[name] = row?.id;
  };
  await add("old", {
    status: "succeeded",
    message_code: "loaded",
    type: "loadDocuments",
    created_at: "2026-01-05T23:59:59Z",
    message_params: sql.json({ documents: 1 }),
  });
  await add("done", {
    status: "succeeded",
    message_code: "indexed",
    created_at: "2026-01-06T00:00:00Z",
    done: 3,
    total: 3,
    message_params: sql.json({ documents: 3, chunks: 1200, failed: 0 }),
  });
  await add("partly", {
    status: "succeeded",
    message_code: "indexedWithFailures",
    message_params: sql.json({ documents: 3, chunks: 10, failed: 1 }),
  });
  await add("waiting", {
    status: "waiting",
    message_code: "waitingForSource",
    done: 42,
    total: 310,
    message_params: sql.json({ until: "2026-03-01T14:02:00Z" }),
  });
  await add("reading", {
    status: "stopping",
    message_code: "reading",
    done: 0,
    total: 2,
    message_params: sql.json({ title: "a.md" }),
  });
  await add("failed", { status: "failed", message_code: "failed", error: "The site is gone." });
  const until = { message_params: sql.json({ until: "2026-03-01T14:02:00Z" }) };
  const waiting = { status: "waiting", done: 22, total: 36, ...until };
  await add("import", { type: "import", message_code: "waitingForDisk", ...waiting });
  await add("tests", { type: "agentTests", message_code: "waitingForAnswers", ...waiting });
  await add("limited", { status: "queued", ...until });
  await add("stopped", { status: "stopped", message_code: "stopped", ...until });
  await add("later", { status: "queued", message_code: "a code of a later release" });
});

const list = (query = "", headers = {}) => team.owner.get(`${team.path}/tasks${query}`, { headers });
const ids = async (query: string) => (await list(query)).body.data.map(({ id }: { id: string }) => id);

test("a task shows its subject and progress", async () => {
  const { body } = await list(`?taskId=${made.done}`);
  expect(body).toMatchObject({
    data: [
      {
        id: made.done,
        teamId: team.id,
        type: "index",
        status: "succeeded",
        progress: { done: 3, total: 3 },
        attempts: 0,
        startedAt: null,
        finishedAt: null,
        error: null,
        createdAt: "2026-01-06T00:00:00.000Z",
      },
    ],
    lastKey: null,
  });
  expect((await list(`?taskId=${made.failed}`)).body.data[0].error).toBe("The site is gone.");
});

describe("its message", () => {
  const words: [string, string, string][] = [
    ["old", "Listed 1 document", "1 document recensé"],
    ["done", "Indexed 3 documents, 1,200 passages", "3 documents indexés, 1 200 passages"],
    [
      "partly",
      "Indexed 2 documents, 10 passages; 1 could not be read",
      "2 documents indexés, 10 passages ; 1 illisible",
    ],
    [
      "waiting",
      "42 of 310 documents, waiting for the source until 14:02 UTC",
      "42 sur 310 documents, en attente de la source jusqu’à 14:02 UTC",
    ],
    [
      "import",
      "Waiting for disk space on the server until 14:02 UTC",
      "En attente d’espace disque sur le serveur jusqu’à 14:02 UTC",
    ],
    [
      "tests",
      "22 of 36 tests, waiting for the answer rate limit until 14:02 UTC",
      "22 sur 36 tests, en attente à cause de la limite de réponses jusqu’à 14:02 UTC",
    ],
    ["reading", "0 of 2 documents, reading “a.md”", "0 sur 2 documents, lecture de « a.md »"],
    [
      "limited",
      "Waiting until 14:02 UTC: many tasks were started in a short time",
      "En attente jusqu’à 14:02 UTC : beaucoup de tâches ont été lancées en peu de temps",
    ],
    ["stopped", "Stopped", "Arrêtée"],
    ["later", "In progress", "En cours"],
  ];
  test("uses the reader's time zone when given", async () => {
    const message = async (zone: string, language: string) =>
      plain(
        (
          await list(`?taskId=${made.waiting}&timeZone=${encodeURIComponent(zone)}`, {
            "Accept-Language": language,
          })
        ).body.data[0].message,
      );
    expect(await message("Europe/Paris", "fr")).toBe(
      "42 sur 310 documents, en attente de la source jusqu’à 15:02",
    );
    expect(await message("Asia/Kathmandu", "en")).toBe(
      "42 of 310 documents, waiting for the source until 7:47 PM",
    );
    expect(await message("UTC", "en")).toMatch(/ until 14:02 UTC$/);
  });

  const plain = (text: string) => text.replace(/\s/gu, " ");

  test.each(words)("of %s is in words, in English and in French", async (name, english, french) => {
    const message = async (headers: object) =>
      plain((await list(`?taskId=${made[name]}`, headers)).body.data[0].message);
    expect(await message({ "Accept-Language": "en-GB,en;q=0.9" })).toBe(english);
    expect(await message({ "Accept-Language": "fr-CH, fr;q=0.9, en;q=0.8" })).toBe(french);
    expect(await message({ "Accept-Language": "en;q=0.3, fr;q=0.4" })).toBe(french);
  });

  test("is in the user's own language when the request names none of ours", async () => {
    const message = async () =>
      plain((await list(`?taskId=${made.old}`, { "Accept-Language": "de" })).body.data[0].message);
    expect(await message()).toBe("Listed 1 document");
    const sql = await owner();
    await sql`update public.users set locale = 'fr' where id = ${team.owner.id}`;
    expect(await message()).toBe("1 document recensé");
    await sql`update public.users set locale = 'en' where id = ${team.owner.id}`;
  });
});

test("the list is newest first, filtered, and pages with a key", async () => {
  expect(await ids("")).toEqual(Object.values(made).reverse());
  expect(await ids("?type=loadDocuments")).toEqual([made.old]);
  expect(await ids("?status=waiting")).toEqual([made.tests, made.import, made.waiting]);
  expect(await ids("?date=2026-01-05")).toEqual([made.old]);
  expect(await ids("?date=2026-01-06")).toEqual([made.done]);
  expect(await ids("?date=2026-01-06&status=failed")).toEqual([]);
  expect(await ids("?date=2026-01-06&timeZone=Europe/Paris")).toEqual([made.done, made.old]);
  expect(await ids("?dateStart=2026-01-05&dateEnd=2026-01-05&timeZone=America/New_York")).toEqual([
    made.done,
    made.old,
  ]);
  const { body: first } = await list("?perPage=8");
  expect(first.data).toHaveLength(8);
  expect(await ids(`?perPage=8&lastKey=${first.lastKey}`)).toEqual([made.partly, made.done, made.old]);
  for (const query of [
    "?status=done",
    "?type=x",
    "?date=yesterday",
    "?date=2026-02-30",
    "?taskId=1",
    "?lastKey=!",
    "?perPage=0",
  ])
    expect((await list(query)).status).toBe(400);
});

test("members read, outsiders do not", async () => {
  const viewer = await newMember(team, "viewer");
  expect((await viewer.get(`${team.path}/tasks`)).body.data).toHaveLength(Object.keys(made).length);
  expect((await (await newPerson()).get(`${team.path}/tasks`)).status).toBe(404);
});
