// An export contains everything of a team and no secret; a deleted team leaves neither a row nor a byte.
import { beforeAll, describe, expect, test } from "vitest";
import { inflateEntry, zipEntries } from "../../edge-functions/indexing/parsers/zip.ts";
import { leftOut } from "../../edge-functions/v1/teams/export.ts";
import { newMember, newPerson, newTeam, owner, type Team } from "../support/api.ts";
import { newAgent, newKnowledge, until } from "../support/content.ts";
import { findStack } from "../support/stack.ts";

/** Tables outside the API that hold rows of teams; clients read none of them. */
const neverExported: Record<string, string> = {
  source_credentials: "Secrets of other services.",
  staged_chunks: "Work of indexing that has not ended.",
  builds: "Work of indexing that has not ended.",
  document_pieces: "Work of indexing that has not ended.",
  page_readings: "What a model read of a file's pictures; the text of the document says it.",
  source_pages: "What a listing remembers of a site; the next one finds it again.",
  listings: "Work of listing a source that has not ended.",
  import_rows: "Rows of an archive that are not the team's yet.",
  models: "Keys of models.",
  model_budgets: "How much models may cost on this installation.",
  team_storage: "How much the team stores on this installation.",
  storage_changes: "The same, not added up yet.",
  unfit_documents: "Which documents did not fit there.",
  clearings: "Passages that are being removed.",
  signed_uploads: "Bytes that are not files yet.",
  model_reservations: "Calls to models that have not ended.",
  handover_settings: "An address and a secret of this installation's webhook.",
  handover_deliveries: "Calls to this installation's webhook.",
  message_words: "Made of the messages, which are exported.",
  agent_addresses: "Those that agents gave up; each agent is exported with its own.",
  deletions: "What was deleted, for the minutes in which it may be taken back.",
  kept_objects: "Bytes of what was deleted, for the same minutes.",
  roots: "Ids of rows that are in it, and of deleted ones whose rows are being removed.",
  deleted_chunk_words: "The same.",
  deleted_chunk_embeddings: "The same.",
  slack_threads: "Which of Slack's threads is which chat; the chats are exported.",
};

let team: Team;
let agentId: string;
let fileId: string;
const text = "# Congés\n\nTwenty-seven days — « à prendre ».\n";
const fileName = "..\\évil/../names.md";

beforeAll(async () => {
  team = await newTeam("Everything");
  const knowledge = await newKnowledge(team, { "leave.md": "# Leave\n\nTwenty-seven days.\n" });
  agentId = await newAgent(team, { knowledgeIds: [knowledge.id], visibility: "public" });
  const file = await team.owner.upload(`${team.path}/files/upload`, fileName, text, "text/markdown");
  fileId = file.body.id;
  const chat = await team.owner.post(`/v1/agents/${agentId}/chats`, {});
  await team.owner.post(`/v1/chats/${chat.body.id}/messages`, { content: "How many days of leave?" });
  await team.owner.post(`${team.path}/apiKeys`, { name: "Key" });
  const tracker = await team.owner.post(`${team.path}/sources`, {
    type: "jira",
    name: "Tracker",
    config: { site: "https://acme.atlassian.net", projects: ["A"] },
    credentials: { email: "a@example.com", apiToken: "do-not-tell" },
  });
  if (tracker.status !== 201) throw new Error(`No source with a secret was made: ${tracker.text}`);
  await newMember(team, "viewer");
  // More rows than one page of a paged table.
  const sql = await owner();
  await sql`insert into public.agents (team_id, name) select ${team.id}, 'Agent ' || n from generate_series(1, 450) n`;
});

async function download(
  token: string,
  at: Team,
): Promise<{ response: Response; entries: Map<string, string> }> {
  const { apiUrl } = await findStack();
  const response = await fetch(`${apiUrl}${at.path}/export`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const entries = new Map<string, string>();
  for (const entry of zipEntries(bytes, 1000) ?? []) {
    const chunks = [];
    for await (const chunk of inflateEntry(bytes, entry) ?? []) chunks.push(chunk);
    entries.set(entry.name, Buffer.concat(chunks).toString("utf8"));
  }
  return { response, entries };
}

const rowsIn = (entries: Map<string, string>, table: string) =>
  (entries.get(`tables/${table}.jsonl`) ?? "")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Counts a team's rows in each table with a team column. */
async function rowsOfTeam(teamId: string): Promise<Record<string, number>> {
  const sql = await owner();
  const tables = await sql<{ schema: string; name: string }[]>`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'private') and c.relkind in ('r', 'p')
       and exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'team_id' and not a.attisdropped)`;
  const counts: Record<string, number> = {};
  for (const { schema, name } of tables) {
    const [row] =
      await sql`select count(*)::int as count from ${sql(schema)}.${sql(name)} where team_id = ${teamId}`;
    counts[`${schema}.${name}`] = row?.count ?? 0;
  }
  return counts;
}

describe("an export", () => {
  test("contains every row of the team, every file, and no secret", async () => {
    const before = await rowsOfTeam(team.id);
    const { response, entries } = await download(team.owner.token, team);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/zip");
    expect(response.headers.get("content-disposition")).toMatch(
      new RegExp(`^attachment; filename="${team.codename}-\\d{4}-\\d{2}-\\d{2}\\.zip"$`),
    );

    const inDatabase = await rowsOfTeam(team.id);
    const manifest = JSON.parse(entries.get("manifest.json") ?? "{}");
    for (const [table, count] of Object.entries(inDatabase)) {
      const [schema, name = ""] = table.split(".");
      if (schema === "private") expect(neverExported, `${table} needs a reason`).toHaveProperty(name);
      else if (name in leftOut) expect(manifest.leftOut[name]).toBe(leftOut[name]);
      else {
        const exported = rowsIn(entries, name).length;
        expect([table, manifest.rows[name]]).toEqual([table, exported]);
        // A worker may add an attempt at the tracker's task meanwhile; where nothing is added, both bounds are the same.
        expect(exported, table).toBeGreaterThanOrEqual(before[table] ?? 0);
        expect(exported, table).toBeLessThanOrEqual(count);
      }
    }
    for (const table of ["agents", "messages", "documents", "sources", "api_keys", "team_users"])
      expect(manifest.rows[table], table).toBeGreaterThan(0);
    expect(manifest.missingFiles).toEqual([]);
    expect(JSON.parse(entries.get("team.json") ?? "{}")).toMatchObject({ id: team.id, name: "Everything" });

    expect(entries.get(`files/${fileId}/__évil_.._names.md`)).toBe(text);
    expect([...entries.keys()].filter((name) => name.startsWith("files/"))).toHaveLength(
      inDatabase["public.files"] ?? 0,
    );
    expect(rowsIn(entries, "agents").find(({ id }) => id === agentId)).toMatchObject({
      visibility: "public",
    });
    expect(new Set(rowsIn(entries, "agents").map(({ id }) => id)).size).toBe(451);

    const all = [...entries.values()].join("\n");
    expect(all).not.toContain("do-not-tell");
    expect(rowsIn(entries, "api_keys")[0]).not.toHaveProperty("secretHash");
  });

  test("is for those who may delete the team", async () => {
    const admin = await newMember(team, "admin");
    const stranger = await newPerson();
    expect((await admin.get(`${team.path}/export`)).status).toBe(403);
    expect((await stranger.get(`${team.path}/export`)).status).toBe(404);
    const { body } = await team.owner.post(`${team.path}/apiKeys`, { name: "Editor's" });
    expect((await download(body.key, team)).response.status).toBe(403);
  });

  test("lists missing bytes instead of stopping", async () => {
    const { body: file } = await team.owner.upload(`${team.path}/files/upload`, "lost.txt", "lost");
    const { supabaseUrl, serviceKey } = await findStack();
    await fetch(`${supabaseUrl}/storage/v1/object/files`, {
      method: "DELETE",
      body: JSON.stringify({ prefixes: [file.path] }),
      headers: {
        apikey: serviceKey,
        Authorization: `Bearer ${serviceKey}`,
        "Content-Type": "application/json",
      },
    });
    const { entries } = await download(team.owner.token, team);
    expect(JSON.parse(entries.get("manifest.json") ?? "{}").missingFiles).toEqual([file.path]);
  });
});

describe("unregistered bytes", () => {
  const objects = async (prefix: string) =>
    (
      await (await owner())`select 1 from storage.objects where bucket_id = 'files' and name like ${`${prefix}%`}`
    ).length;
  const waitUntilGone = (prefix: string) =>
    until(
      () => objects(prefix),
      (count) => count === 0,
    );

  test("of a file deleted past the API are deleted too, and cannot be registered meanwhile", async () => {
    const { body: file } = await team.owner.upload(`${team.path}/files/upload`, "direct.txt", "direct");
    const { supabaseUrl, anonKey } = await findStack();
    const answer = await fetch(`${supabaseUrl}/rest/v1/files?id=eq.${file.id}`, {
      method: "DELETE",
      headers: { apikey: anonKey, Authorization: `Bearer ${team.owner.token}` },
    });
    expect(answer.ok).toBe(true);
    const again = await team.owner.post(`${team.path}/files`, { path: file.path, name: "again.txt" });
    expect(again.status).toBe(404);
    await waitUntilGone(file.path);
    // A client that saw the bytes before registers them too late as well.
    const late = (await owner())`
      insert into public.files (team_id, name, type, content_type, size, path, sha256)
      values (${team.id}, 'late.txt', 'document', 'text/plain', 6, ${file.path}, ${"0".repeat(64)})`;
    await expect(late).rejects.toMatchObject({ code: "PT404" });
  });

  test("that were uploaded to a signed URL and never registered are deleted after a day", async () => {
    const send = async () => {
      const { body: to } = await team.owner.get(
        `${team.path}/files/signedUrl?path=x.txt&contentType=text/plain`,
      );
      await fetch(to.url, { method: to.method, headers: to.headers, body: "forgotten" });
      return to.path as string;
    };
    const [old, young] = [await send(), await send()];
    const sql = await owner();
    await sql`update storage.objects set created_at = now() - interval '25 hours' where name = ${old}`;
    await sql`select private.disown_unregistered_objects()`;
    await waitUntilGone(old);
    expect(await objects(young)).toBe(1);
  });

  test("a deleted team leaves no row and no byte", async () => {
    const doomed = await newTeam("Doomed");
    await newKnowledge(doomed, { "a.md": "# A\n\nText.\n", "b.md": "# B\n\nText.\n" });
    const { body: to } = await doomed.owner.get(
      `${doomed.path}/files/signedUrl?path=x&contentType=text/plain`,
    );
    await fetch(to.url, { method: to.method, headers: to.headers, body: "never registered" });
    expect(await objects(`teams/${doomed.id}/`)).toBe(3);
    expect((await doomed.owner.delete(doomed.path)).status).toBe(204);
    expect((await doomed.owner.delete(doomed.path)).status).toBe(404);
    expect(Object.values(await rowsOfTeam(doomed.id)).filter((count) => count > 0)).toEqual([]);
    await waitUntilGone(`teams/${doomed.id}/`);
    const sql = await owner();
    await until(
      async () =>
        (
          await sql`select 1 from private.unwanted_objects
                     where path like ${`teams/${doomed.id}/%`} and removed_at is null`
        ).length,
      (count) => count === 0,
    );
  });
});
