// A team's export by release 1.0.0 (tests/fixtures/releases), which may be all that is left of the team. Members of that team wrote values past
// /v1 that today's database refuses.
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { newPerson, type Person, type Team } from "../support/api.ts";
import {
  entriesIn,
  exportTeam,
  importEnded,
  importTeam,
  rowsOf,
  sendArchive,
} from "../support/team-archive.ts";

const exported = new Uint8Array(readFileSync("tests/fixtures/releases/1.0.0/team.zip"));
let who: Person;
let team: Team;

beforeAll(async () => {
  who = await newPerson();
  team = await importTeam(who, exported);
});

test("all of its content is imported", async () => {
  const [before, after] = [await entriesIn(exported), await entriesIn(await exportTeam(team))];
  const kinds = [
    "agents",
    "knowledges",
    "sources",
    "files",
    "documents",
    "chats",
    "messages",
    "apps",
    "roles",
  ];
  for (const kind of kinds) expect(rowsOf(after, kind), kind).toHaveLength(rowsOf(before, kind).length);
  const listMessages = (entries: typeof before) =>
    rowsOf(entries, "messages").map(({ role, content, rating, comment, createdAt }) => ({
      role,
      content,
      rating,
      comment,
      createdAt,
    }));
  expect(listMessages(after)).toEqual(listMessages(before));
  const bytesIn = (entries: typeof before) =>
    [...entries]
      .filter(([name]) => name.startsWith("files/"))
      .map(([, bytes]) => Buffer.from(bytes).toString("latin1"))
      .sort();
  expect(bytesIn(before)).toHaveLength(6);
  expect(bytesIn(after)).toEqual(bytesIn(before));
});

test("a value that today's database refuses has the form that an upgrade gives it", async () => {
  const entries = await entriesIn(await exportTeam(team));
  const findByName = (kind: string, name: string) => rowsOf(entries, kind).find((row) => row.name === name);
  expect(
    rowsOf(entries, "agents")
      .map(({ name }) => name)
      .sort(),
  ).toEqual(
    [
      "Second",
      "Unnamed",
      "ab",
      "bell",
      "handbook",
      "line break",
      "padded",
      "tab bed",
      "x".repeat(200),
    ].sort(),
  );
  expect(findByName("agents", "handbook")).toMatchObject({
    suggestedPrompts: ["Two lines?"],
    visibility: "public",
  });
  // Its list held nothing that is a site: an empty one would let every site in.
  expect(findByName("agents", "Second")).toMatchObject({ allowedOrigins: ["https://nowhere.invalid"] });
  expect(findByName("apps", "In Slack")).toMatchObject({ channels: ["C00"] });
  expect(findByName("sources", "Odd tickets")).toMatchObject({ type: "jira", config: { projects: ["A"] } });
  expect(findByName("roles", "Reviewer")?.permissions.sort()).toEqual(["agents.read", "chats.read"]);
  expect(rowsOf(entries, "documents").filter(({ type }) => type !== "file")).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ title: "Two lines", type: "page", content: "A page that a client wrote." }),
      expect.objectContaining({ title: "Untitled", type: "note", url: "https://example.com/a%20b" }),
    ]),
  );
  expect(rowsOf(entries, "chats").map(({ title }) => title)).toContain("t itle");
  const { body } = await who.get(`${team.path}/import`);
  expect(body.report.toDo.members.map(({ email }: { email: string }) => email).sort()).toEqual([
    "admin@parley.test",
    "demo@parley.test",
    "late@parley.test",
  ]);
});

/** The archive with another checksum of an entry in its directory. */
function withOtherChecksum(name: string): Uint8Array<ArrayBuffer> {
  const changed = Buffer.from(exported);
  const crc = changed.lastIndexOf(name) - 30;
  changed.writeUInt32LE((changed.readUInt32LE(crc) + 1) >>> 0, crc);
  return new Uint8Array(changed);
}

test("one that was damaged is refused by the checksums of the ZIP", async () => {
  const refused = await sendArchive(who, withOtherChecksum("team.json"));
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(/checksum/)]);
  const { body } = await sendArchive(who, withOtherChecksum("tables/chats.jsonl"));
  expect(await importEnded(who, body)).toMatchObject({
    status: "failed",
    error: expect.stringMatching(/checksum/),
  });
});
