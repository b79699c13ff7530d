// An import archive is hostile input: it is rejected whole or becomes rows of its own new team only.
import type { TransactionSql } from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { anyone, as, newPerson, newTeam, owner, type Person, type Team } from "../support/api.ts";
import { newAgent, until } from "../support/content.ts";
import { systemRoleIds } from "../support/permissions.ts";
import {
  archiveOf,
  bytes,
  type Entries,
  furnishedArchive,
  importEnded,
  importTeam,
  lines,
  rowsOf,
  sendArchive,
} from "../support/team-archive.ts";

let team: Team;
let archive: Uint8Array<ArrayBuffer>;
let entries: Entries;

beforeAll(async () => {
  ({ team, archive, entries } = await furnishedArchive());
});

describe("an invalid export", () => {
  const of = (...parts: [string, string][]): Entries =>
    new Map(parts.map(([name, text]) => [name, bytes(text)]));
  const teamJson: [string, string] = ["team.json", JSON.stringify({ name: "Hostile" })];
  const zip = (...parts: [string, string][]) => archiveOf(of(teamJson, ...parts));
  const cases: [string, () => Uint8Array<ArrayBuffer>, RegExp][] = [
    ["nothing", () => new Uint8Array(), /archive is empty/],
    ["no archive", () => bytes("PK\x03\x04 and nothing more"), /not a ZIP/],
    ["an archive of something else", () => archiveOf(of(["a.txt", "x"])), /belong to an export/],
    ["a path that leads out", () => zip(["../../etc/passwd", "x"]), /belong to an export/],
    [
      "a file outside of its folder",
      () => zip([`files/${crypto.randomUUID()}/..`, "x"]),
      /belong to an export/,
    ],
    ["no team", () => archiveOf(of(["tables/agents.jsonl", ""])), /not the export/],
    ["a team without a name", () => archiveOf(of(["team.json", "{}"])), /names no team/],
    [
      "a name that hides",
      () => archiveOf(of(["team.json", JSON.stringify({ name: "\u202e" })])),
      /names no team/,
    ],
    ["a format that never was", () => archiveOf(of(teamJson), { format: 0 }), /not the export/],
    ["a newer format", () => archiveOf(of(teamJson), { format: 3 }), /newer Parley/],
    [
      "a file that the manifest does not list",
      () => archiveOf(of(teamJson), { entries: {} }),
      /manifest does not list/,
    ],
    [
      "a manifest that names what is not there",
      () =>
        archiveOf(of(teamJson), {
          entries: {
            "team.json": { size: 1, sha256: "0".repeat(64) },
            "tables/a.jsonl": { size: 1, sha256: "0".repeat(64) },
          },
        }),
      /does not hold/,
    ],
    [
      "a checksum that differs",
      () => archiveOf(of(teamJson), { entries: { "team.json": { size: 18, sha256: "0".repeat(64) } } }),
      /checksum|larger/,
    ],
  ];

  test.each(cases)("%s is refused before a team is created", async (_name, make, words) => {
    const who = await newPerson();
    const answer = await sendArchive(who, make());
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(words)]);
    expect((await who.get("/v1/teams")).body.total).toBe(0);
  });

  test("gives 415 for another kind of body, 403 for an API key and 401 without a login", async () => {
    const who = await newPerson();
    const headers = { "Content-Type": "multipart/form-data; boundary=x" };
    expect((await who.call("POST", "/v1/teams/import", archive, { headers })).status).toBe(415);
    const { body: key } = await team.owner.post(`${team.path}/apiKeys`, { name: "Key" });
    expect((await sendArchive(as(key.key), archive)).status).toBe(403);
    expect((await sendArchive(anyone, archive)).status).toBe(401);
    expect((await who.get(`${team.path}/import`)).status).toBe(404);
    expect((await team.owner.get(`${team.path}/import`)).status).toBe(404);
  });
});

describe("a hostile archive", () => {
  let who: Person;
  beforeAll(async () => {
    who = await newPerson("Hostile");
  });

  const table = (name: string) => `tables/${name}.jsonl`;
  /** The team's own export with one table's rows changed. */
  const withChange = (name: string, change: (rows: ReturnType<typeof rowsOf>) => unknown[]) =>
    archiveOf(new Map(entries).set(table(name), lines(change(structuredClone(rowsOf(entries, name))))));
  const first = (name: string, values: Record<string, unknown>) =>
    withChange(name, ([row, ...rest]) => [{ ...row, ...values }, ...rest]);

  const refused: [string, () => Uint8Array<ArrayBuffer>, RegExp][] = [
    ["an id twice", () => withChange("agents", (rows) => [...rows, ...rows]), /one id twice/],
    ["an id that is none", () => first("agents", { id: "1' or '1" }), /“id” is not valid/],
    ["a setting outside what a client may write", () => first("agents", { temperature: 9 }), /temperature/],
    [
      "an origin that breaks a header",
      () => first("agents", { allowedOrigins: ["https://a b\r\nx"] }),
      /agents_allowed/,
    ],
    ["a permission that there is not", () => first("roles", { permissions: ["admin"] }), /not allowed here/],
    ["a role by a system role's codename", () => first("roles", { codename: "owner" }), /not allowed here/],
    [
      "a script for an address",
      () => withChange("documents", (rows) => rows.map((row) => ({ ...row, url: "javascript:alert(1)" }))),
      /“url”/,
    ],
    [
      "a citation that leads to a script",
      () =>
        withChange("messages", (rows) =>
          rows.map((row) => ({
            ...row,
            citations: row.citations.map((one: object) => ({ ...one, url: "javascript:alert(1)" })),
          })),
        ),
      /url/,
    ],
    [
      "settings of another type of source",
      () =>
        withChange("sources", (rows) =>
          rows.map((row) => (row.type === "jira" ? { ...row, config: { fileIds: [] } } : row)),
        ),
      /sources_config/,
    ],
    ["a NUL", () => first("agents", { description: "a\0b" }), /not allowed here/],
    [
      "a line that is not JSON",
      () => archiveOf(new Map(entries).set(table("chats"), bytes("{"))),
      /not JSON/,
    ],
    [
      "a line that is nested deeply",
      () =>
        archiveOf(
          new Map(entries).set(table("chats"), bytes(`{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`)),
        ),
      /not JSON/,
    ],
    [
      "a line of a million empty objects",
      () => archiveOf(new Map(entries).set(table("chats"), bytes(`{"a":[${"{},".repeat(1_000_000)}1]}`))),
      /not JSON/,
    ],
    [
      "a file that is not what its row says",
      () =>
        archiveOf(
          new Map(
            [...entries].map(([name, data]) => [name, name.startsWith("files/") ? bytes("swapped") : data]),
          ),
        ),
      /not the file that its row describes/,
    ],
    [
      "a table that expands to far more than its size",
      () => archiveOf(new Map(entries).set(table("chats"), bytes(" ".repeat(30_000_000)))),
      /expands/,
    ],
    [
      "text that is not UTF-8",
      () => archiveOf(new Map(entries).set(table("chats"), new Uint8Array([0xff, 0xfe, 0x0a]))),
      /UTF-8/,
    ],
  ];

  test("is refused with a sentence and leaves an empty team, whatever is wrong with it", async () => {
    const sql = await owner();
    const started = await Promise.all(
      refused.map(async ([name, make, words]) => ({ name, words, answer: await sendArchive(who, make()) })),
    );
    for (const { name, words, answer } of started) {
      expect([name, answer.status]).toEqual([name, 202]);
      const task = await importEnded(who, answer.body);
      expect([name, task.status, task.error]).toEqual([name, "failed", expect.stringMatching(words)]);
      const path = `/v1/teams/${answer.body.teamId}`;
      for (const of of ["agents", "knowledges", "sources", "files", "chats", "apps"])
        expect([name, of, (await who.get(`${path}/${of}`)).body.data]).toEqual([name, of, []]);
      expect((await who.get(`${path}/import`)).body.report).toBeNull();
      await until(
        async () =>
          (await sql`select 1 from private.import_rows where team_id = ${answer.body.teamId}`).length,
        (count) => count === 0,
      );
      expect((await who.delete(path)).status).toBe(204);
    }
  });

  test("reaches no other team's rows, whatever ids it names", async () => {
    const victim = await newTeam("Victim");
    const { body: secret } = await victim.owner.upload(
      `${victim.path}/files/upload`,
      "secret.txt",
      "Secret.",
    );
    const victimAgent = await newAgent(victim, { name: "Theirs" });
    const { body: chat } = await victim.owner.post(`/v1/agents/${victimAgent}/chats`, {});
    const foreign = new Map(entries);
    const put = (name: string, rows: unknown[]) => foreign.set(table(name), lines(rows));
    const [message] = rowsOf(entries, "messages");
    const [knowledgeLink] = rowsOf(entries, "knowledge_sources");
    put(
      "sources",
      rowsOf(entries, "sources").map((row) => {
        if (row.type === "file") return { ...row, config: { fileIds: [secret.id, ...row.config.fileIds] } };
        return row.type === "agentChat" ? { ...row, config: { agentId: victimAgent } } : row;
      }),
    );
    put("messages", [{ ...message, chatId: chat.id, teamId: victim.id }]);
    put(
      "chats",
      rowsOf(entries, "chats").map((row) => ({ ...row, agentId: victimAgent, teamId: victim.id })),
    );
    put(
      "files",
      rowsOf(entries, "files").map((row) => ({ ...row, path: secret.path, teamId: victim.id })),
    );
    put("agent_knowledges", [{ agentId: victimAgent, knowledgeId: knowledgeLink.knowledgeId }]);
    put("team_users", [
      {
        id: crypto.randomUUID(),
        userId: victim.owner.id,
        email: victim.owner.email,
        roleId: systemRoleIds.owner,
        status: "accepted",
      },
    ]);
    const made = await importTeam(who, archiveOf(foreign));
    const report = (await who.get(`${made.path}/import`)).body.report;
    expect(report.brought).toMatchObject({ sources: 2, chats: 0, messages: 0, files: 1 });
    expect(report.toDo.skipped).toBeGreaterThan(0);
    const [source] = (await who.get(`${made.path}/sources?type=file`)).body.data;
    const [file] = (await who.get(`${made.path}/files`)).body.data;
    expect(source.config.fileIds).toEqual([file.id]);
    expect(file.path).toBe(`teams/${made.id}/${file.id}`);
    expect((await victim.owner.get(`/v1/chats/${chat.id}/messages`)).body.data).toEqual([]);
    expect((await victim.owner.get(made.path)).status).toBe(404);
    expect((await who.get(victim.path)).status).toBe(404);
  });
});

describe("an importer who meanwhile", () => {
  type End = (sql: TransactionSql, teamId: string, userId: string) => Promise<unknown>;
  const ways: [how: string, end: End, error: RegExp][] = [
    [
      "was removed",
      (sql, teamId, id) => sql`delete from public.team_users where team_id = ${teamId} and user_id = ${id}`,
      /may no longer change this team/,
    ],
    [
      "became a viewer",
      (sql, teamId, id) =>
        sql`update public.team_users set role_id = ${systemRoleIds.viewer} where team_id = ${teamId} and user_id = ${id}`,
      /may no longer change this team/,
    ],
    [
      "deleted their account",
      (sql, _, id) => sql`delete from auth.users where id = ${id}`,
      /no longer has an account/,
    ],
  ];
  test.each(ways)("%s is named as the reason, not the archive", async (_how, end, error) => {
    const [importer, other, sql] = [await newPerson(), await newPerson(), await owner()];
    const { body: started } = await sendArchive(importer, archive);
    await sql.begin(async (tx) => {
      await tx`insert into public.team_users (team_id, user_id, email, role_id, status)
               values (${started.teamId}, ${other.id}, ${other.email}, ${systemRoleIds.owner}, 'accepted')`;
      await end(tx, started.teamId, importer.id);
    });
    const ended = await importEnded(other, started);
    expect(ended).toMatchObject({ status: "failed", error: expect.stringMatching(error) });
    expect((await other.get(`/v1/teams/${started.teamId}/agents`)).body.data).toEqual([]);
  });
});
