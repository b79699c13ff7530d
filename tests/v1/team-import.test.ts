// Importing a team's export: the same team to its members, with new ids, without secrets, all or nothing.
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, newPerson, newTeam, owner, type Person, type Team } from "../support/api.ts";
import { atRest, until } from "../support/content.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { findStack } from "../support/stack.ts";
import {
  archiveOf,
  bytes,
  type Entries,
  entriesIn,
  exportTeam,
  furnishedArchive,
  importEnded,
  importTeam,
  lines,
  rowsOf,
  sendArchive,
} from "../support/team-archive.ts";
import { say } from "../support/words.ts";

let team: Team;
let archive: Uint8Array<ArrayBuffer>;
let entries: Entries;

beforeAll(async () => {
  ({ team, archive, entries } = await furnishedArchive());
});

/** A list of the API without values of another installation or moment: ids, paths, indexing progress. */
const changing =
  /^(id|.*Id|.*Ids|path|updatedAt|indexedAt|syncedAt|nextSyncAt|url|codename|config|documentsCount|chunksCount|status|error|schedule|hasCredentials|embeddingModel|dimensions|contentHash|detectedLanguage|workspace.*|createdBy|address|avatar)$/;

function lasting(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lasting);
  if (typeof value !== "object" || value === null) return value;
  // A row's version is derived from all that a client may set, ids included; a file's is a number.
  const isChanging = (key: string, one: unknown) =>
    changing.test(key) || (key === "version" && typeof one === "string");
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (isChanging(key, one) ? [] : [[key, lasting(one)]])),
  );
}

const sortRows = ({ body }: Answer) =>
  (lasting(body.data) as Record<string, unknown>[]).toSorted((a, b) =>
    JSON.stringify(a).localeCompare(JSON.stringify(b)),
  );

/** Everything that a member sees in the team. */
async function listEverything({ path, owner: who }: Team) {
  const list = async (of: string) => sortRows(await who.get(`${path}/${of}`));
  const sources = (await who.get(`${path}/sources`)).body.data as { id: string; name: string }[];
  const documents = Object.fromEntries(
    await Promise.all(
      sources.map(
        async ({ id, name }) => [name, sortRows(await who.get(`${path}/sources/${id}/documents`))] as const,
      ),
    ),
  );
  const chats = (await who.get(`${path}/chats`)).body.data as { id: string }[];
  const messages = await Promise.all(
    chats.map(async ({ id }) => lasting((await who.get(`/v1/chats/${id}/messages`)).body.data)),
  );
  return {
    agents: await list("agents"),
    knowledges: await list("knowledges"),
    sources: await list("sources"),
    files: await list("files"),
    apps: await list("apps"),
    chats: await list("chats"),
    handovers: await list("handovers"),
    documents,
    messages: messages.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
  };
}

describe("an imported export", () => {
  let copy: Team;
  let importer: Person;

  beforeAll(async () => {
    importer = await newPerson("Importer");
    copy = await importTeam(importer, archive, "?name=The%20copy");
  });

  test("is the same team to its members, with the files' bytes", async () => {
    await atRest(copy);
    expect(await listEverything(copy)).toEqual(await listEverything(team));
    const [file] = (await copy.owner.get(`${copy.path}/files`)).body.data;
    const { body } = await copy.owner.get(`${copy.path}/files/${file.id}`);
    expect(await (await fetch(body.url)).text()).toContain("Twenty-seven days");
    expect((await copy.owner.get(copy.path)).body).toMatchObject({ name: "The copy", role: "owner" });
    expect(copy.codename).not.toBe(team.codename);
  });

  test("has each agent's tests and versions, with the imported knowledge bases and documents", async () => {
    const [agent] = (await copy.owner.get(`${copy.path}/agents`)).body.data;
    const path = `${copy.path}/agents/${agent.id}`;
    expect((await copy.owner.get(`${path}/tests`)).body.data).toMatchObject([
      { question: "How many days of leave?", facts: ["27 days"], expectedTitle: "leave.md", author: null },
    ]);
    const [test] = (await copy.owner.get(`${path}/tests`)).body.data;
    expect(test.expectedDocumentId).not.toBeNull();
    expect((await copy.owner.get(`${path}/versions`)).body.data).toMatchObject([
      {
        number: 2,
        status: "draft",
        settings: { instructions: "Answer at length.", knowledgeIds: agent.knowledgeIds },
      },
      {
        number: 1,
        status: "live",
        settings: { instructions: "Answer shortly.", knowledgeIds: agent.knowledgeIds },
      },
    ]);
  });

  test("shows each agent as before, at its short address unless that is taken", async () => {
    const [agent] = (await copy.owner.get(`${copy.path}/agents`)).body.data;
    // The exported team still has it.
    expect(agent.appearance).toMatchObject({ name: "Ask Wander", color: "#0f766e", address: "" });
    expect((await copy.owner.get(agent.avatar)).text).not.toBe("");
    const [row] = rowsOf(entries, "agents");
    const address = `free-${randomUUID().slice(0, 8)}`;
    const moved = new Map(entries);
    moved.set("tables/agents.jsonl", bytes(`${JSON.stringify({ ...row, address })}\n`));
    const { path } = await importTeam(team.owner, archiveOf(moved));
    const [there] = (await team.owner.get(`${path}/agents`)).body.data;
    expect(there.appearance).toMatchObject({ name: "Ask Wander", address });
    expect((await team.owner.get(`/v1/agents/${address}`)).body.id).toBe(there.id);
  });

  test("shares no id with the exported team, and nothing refers back", async () => {
    const again = await entriesIn(await exportTeam(copy));
    const ids = (all: Entries) =>
      new Set(
        [...all]
          .filter(([name]) => name !== "manifest.json")
          .flatMap(
            ([name, data]) =>
              `${name}\n${new TextDecoder().decode(data)}`.match(
                /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
              ) ?? [],
          ),
      );
    const shared = new Set(Object.values(systemRoleIds) as string[]);
    const [vector] = rowsOf(entries, "knowledges").map(({ vectorId }) => vectorId);
    shared.add(vector);
    expect([...ids(again)].filter((id) => ids(entries).has(id) && !shared.has(id))).toEqual([]);
  });

  test("can be moved again, with every visitor's chats", async () => {
    const [chat] = rowsOf(entries, "chats").filter(({ visitorId }) => visitorId !== null);
    const agents = { "tables/agents.jsonl": entries.get("tables/agents.jsonl") as Uint8Array };
    // The last is an id that imports gave before: Postgres takes it, the standard does not.
    const visitors = [
      ...Array.from({ length: 12 }, () => randomUUID()),
      "6f1ed002-ab59-8c7e-0f3b-3d1c5a9e7b24",
    ];
    const chats = visitors.map((visitorId) => ({ ...chat, id: randomUUID(), visitorId }));
    const crowded: Entries = new Map(Object.entries({ ...agents, "tables/chats.jsonl": lines(chats) }));
    crowded.set("team.json", bytes(JSON.stringify({ name: "Moved twice" })));
    const moved = await importTeam(importer, archiveOf(crowded));
    const again = await importTeam(importer, await exportTeam(moved));
    const rows = await sqlRows(again, "chats");
    expect(new Set(rows.map(({ visitor_id }) => visitor_id)).size).toBe(visitors.length);
  });

  test("answers from its files once they are indexed, and old replies keep their quotes", async () => {
    await atRest(copy);
    const [agent] = (await copy.owner.get(`${copy.path}/agents`)).body.data;
    const { body: chat } = await copy.owner.post(`/v1/agents/${agent.id}/chats`, {});
    const { body } = await copy.owner.post(`/v1/chats/${chat.id}/messages`, {
      content: "How many days of leave?",
    });
    expect(body.reply.citations[0]).toMatchObject({ title: "leave.md" });
    const old = await sqlRows(copy, "messages");
    const cited = old.find(({ citations }) => citations.length > 0)?.citations[0];
    expect(cited).toMatchObject({ title: "leave.md", quote: expect.stringContaining("Twenty-seven") });
    const document = await copy.owner.get(
      `${copy.path}/sources/${cited.sourceId}/documents/${cited.documentId}`,
    );
    expect(document.body).toMatchObject({ title: "leave.md", status: "ready" });
  });

  test("activates nothing that needs a secret, and reports what needs manual work", async () => {
    const { body } = await copy.owner.get(`${copy.path}/import`);
    expect(body.report).toMatchObject({
      brought: { agents: 1, knowledges: 1, sources: 3, files: 1, roles: 1, apps: 1 },
      toDo: {
        sources: [{ name: "Tracker" }],
        apps: [{ name: "Help desk" }],
        apiKeys: [{ name: "Robot", roleId: systemRoleIds.editor }],
        missingFiles: [],
        skipped: 0,
      },
    });
    const tracker = (await copy.owner.get(`${copy.path}/sources?type=jira`)).body.data[0];
    expect(tracker).toMatchObject({
      status: "stopped",
      schedule: "manual",
      nextSyncAt: null,
      hasCredentials: false,
      config: { site: "https://acme.atlassian.net", projects: ["A"] },
      error: expect.stringContaining("without its credentials"),
    });
    expect((await copy.owner.get(`${copy.path}/apps`)).body.data[0]).toMatchObject({ status: "pending" });
    expect((await copy.owner.get(`${copy.path}/apiKeys`)).body.data).toEqual([]);
  });

  test("invites nobody, and reports the former members with their roles", async () => {
    const { body: users } = await copy.owner.get(`/v1/teamUsers/${copy.id}/users`);
    expect(users.data).toMatchObject([{ email: importer.email, role: "owner" }]);
    const { members } = (await copy.owner.get(`${copy.path}/import`)).body.report.toDo;
    const roles = (await copy.owner.get(`/v1/roles?teamId=${copy.id}`)).body.data as {
      id: string;
      codename: string;
    }[];
    const reader = roles.find(({ codename }) => codename === "reader");
    expect(members).toHaveLength(2);
    expect(members).toContainEqual({ email: team.owner.email, roleId: systemRoleIds.owner });
    expect(members).toContainEqual({ email: expect.any(String), roleId: reader?.id });
    const readers = members.filter(({ email }: { email: string }) => email !== team.owner.email);
    const invited = await copy.owner.post(`/v1/teamUsers/${copy.id}/users`, readers[0]);
    expect(invited.status).toBe(201);
  });

  test("is accessible to its owner only, and to no former member", async () => {
    const [agent] = (await copy.owner.get(`${copy.path}/agents`)).body.data;
    const [chat] = (await copy.owner.get(`${copy.path}/chats`)).body.data;
    for (const path of [
      copy.path,
      `${copy.path}/import`,
      `${copy.path}/agents`,
      `${copy.path}/chats`,
      `/v1/chats/${chat.id}/messages`,
    ])
      expect([path, (await team.owner.get(path)).status]).toEqual([path, 404]);
    const own = (await team.owner.get(`/v1/agents/${agent.id}/chats`)).body.data;
    expect(own).toEqual([]);
    const { supabaseUrl, anonKey } = await findStack();
    for (const table of ["team_imports", "chats", "messages", "files", "documents"]) {
      const at = `${supabaseUrl}/rest/v1/${table}?select=team_id&team_id=eq.${copy.id}`;
      const readRows = async (token: string) =>
        (await (await fetch(at, { headers: { apikey: anonKey, Authorization: `Bearer ${token}` } })).json())
          .length > 0;
      expect([table, await readRows(team.owner.token), await readRows(importer.token)]).toEqual([
        table,
        false,
        true,
      ]);
    }
  });

  test("leaves neither the archive nor its staged rows", async () => {
    const sql = await owner();
    await until(
      async () => (await sql`select 1 from private.import_rows where team_id = ${copy.id}`).length,
      (count) => count === 0,
    );
    const [row] = await sql`select archive, parts from public.team_imports where team_id = ${copy.id}`;
    await until(
      async () =>
        (await sql`select 1 from storage.objects where name like ${`teams/${row?.archive}/%`}`).length,
      (count) => count === 0,
    );
  });

  test("runs once per Idempotency-Key", async () => {
    const who = await newPerson();
    const small = archiveOf(new Map([["team.json", bytes(JSON.stringify({ name: "Once" }))]]));
    const key = { "Idempotency-Key": "import-once" };
    const first = await sendArchive(who, small, "", key);
    const second = await sendArchive(who, small, "", key);
    expect([second.status, second.body.teamId]).toEqual([202, first.body.teamId]);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect((await sendArchive(who, archive, "", key)).status).toBe(409);
    expect((await who.get("/v1/teams")).body.total).toBe(1);
  });
});

const sqlRows = async ({ id }: Team, table: string) =>
  await (await owner())`select * from public.${(await owner())(table)} where team_id = ${id} order by id`;

test("a team that offers no handovers offers none where it is imported", async () => {
  const silent = await newTeam();
  const settings = ({ path }: Team) => `${path}/handovers/settings`;
  expect((await silent.owner.put(settings(silent), { isOffered: false })).status).toBe(200);
  const copy = await importTeam(silent.owner, await exportTeam(silent));
  expect((await silent.owner.get(settings(copy))).body).toMatchObject({ isOffered: false, emails: [] });
});

describe("names", () => {
  const archiveNamed = (codename: string) =>
    archiveOf(new Map([["team.json", bytes(JSON.stringify({ name: "Named", codename }))]]));

  test("uses the archive's codename if free, else one from the name; a requested one that is taken is a conflict", async () => {
    const who = await newPerson();
    const codename = `moved-${randomUUID()}`;
    const first = await sendArchive(who, archiveNamed(codename));
    expect(first.body).toMatchObject({ name: "Named", codename });
    const second = await sendArchive(who, archiveNamed(codename));
    expect([second.status, second.body.codename]).toEqual([202, expect.stringMatching(/^named/)]);
    const third = await sendArchive(who, archiveNamed(codename), `?codename=${codename}`);
    expect([third.status, third.body.code]).toEqual([409, "CONFLICT"]);
  });
});

describe("docs/operate.md", () => {
  test("moves a team with the commands on the page", async () => {
    const guide = readFileSync("docs/operate.md", "utf8");
    const part = guide.slice(guide.indexOf("## Move one team"));
    const commands = part.slice(0, part.indexOf("\n## ", 3)).match(/^ {4}.*$/gm) ?? [];
    expect(commands).toHaveLength(2);
    const who = await newPerson();
    const { webUrl } = await findStack();
    const place = mkdtempSync(join(tmpdir(), "parley-move-"));
    const { stdout } = await promisify(execFile)("sh", ["-ec", commands.join("\n")], {
      cwd: place,
      env: {
        ...process.env,
        TOKEN: team.owner.token,
        NEW_TOKEN: who.token,
        FROM: webUrl,
        TO: webUrl,
        TEAM: team.codename,
      },
    });
    rmSync(place, { recursive: true });
    const started = JSON.parse(stdout);
    expect(await importEnded(who, started)).toMatchObject({
      status: "succeeded",
      message: say("taskMessages:imported"),
    });
    expect((await who.get(`/v1/teams/${started.teamId}/agents`)).body.total).toBe(1);
  });
});
