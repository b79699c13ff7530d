// Owns what tests of imports need: an export as its entries, archives of changed entries, and a team as its members see it.
import { createHash, randomUUID } from "node:crypto";
import { inflateEntry, zipEntries } from "../../edge-functions/indexing/parsers/zip.ts";
import { type Answer, type Client, newMember, newTeam, owner, type Person, type Team } from "./api.ts";
import { asVisitor, atRest, newAgent, newKnowledge, until } from "./content.ts";
import { makeZip } from "./files/zip.ts";
import { tinyPng } from "./pictures.ts";
import { findStack } from "./stack.ts";

export type Entries = Map<string, Uint8Array>;

/** The entries of a ZIP archive by name. */
export async function entriesIn(archive: Uint8Array): Promise<Entries> {
  const entries: Entries = new Map();
  for (const entry of zipEntries(archive, 1000) ?? []) {
    const pieces: Uint8Array[] = [];
    for await (const piece of inflateEntry(archive, entry) ?? []) pieces.push(piece);
    entries.set(entry.name, new Uint8Array(Buffer.concat(pieces)));
  }
  return entries;
}

export const bytes = (text: string) => new TextEncoder().encode(text);
export const lines = (rows: unknown[]) => bytes(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
export const rowsOf = (entries: Entries, table: string) =>
  new TextDecoder()
    .decode(entries.get(`tables/${table}.jsonl`))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** An archive of these entries with a matching manifest; `manifest` overrides its fields. */
export function archiveOf(entries: Entries, manifest: Record<string, unknown> = {}): Uint8Array<ArrayBuffer> {
  const parts = [...entries].filter(([name]) => name !== "manifest.json");
  const sums = Object.fromEntries(
    parts.map(([name, data]) => [
      name,
      { size: data.length, sha256: createHash("sha256").update(data).digest("hex") },
    ]),
  );
  const said = { format: 2, rows: {}, missingFiles: [], entries: sums, ...manifest };
  const all = [...parts, ["manifest.json", bytes(JSON.stringify(said))] as const];
  return new Uint8Array(makeZip(all.map(([name, data]) => ({ name, data }))));
}

export const sendArchive = (
  who: Client,
  archive: Uint8Array<ArrayBuffer>,
  query = "",
  headers: Record<string, string> = {},
): Promise<Answer> =>
  who.call("POST", `/v1/teams/import${query}`, archive, {
    headers: { "Content-Type": "application/zip", ...headers },
  });

/** Waits until the import's task has ended. @returns the task */
export async function importEnded(who: Client, started: { teamId: string; taskId: string }) {
  const { body } = await until(
    () => who.get(`/v1/teams/${started.teamId}/tasks?taskId=${started.taskId}`),
    (answer) => ["succeeded", "failed"].includes(answer.body.data[0].status),
    60,
  );
  return body.data[0];
}

/** Imports an archive and returns the team once it is complete. */
export async function importTeam(who: Person, archive: Uint8Array<ArrayBuffer>, query = ""): Promise<Team> {
  const { status, text, body } = await sendArchive(who, archive, query);
  if (status !== 202) throw new Error(`The archive was not taken: ${text}`);
  const task = await importEnded(who, body);
  if (task.status !== "succeeded") throw new Error(`The import failed: ${task.error}`);
  return { id: body.teamId, codename: body.codename, path: `/v1/teams/${body.teamId}`, owner: who };
}

export async function exportTeam({ path, owner: who }: Team): Promise<Uint8Array<ArrayBuffer>> {
  const { apiUrl } = await findStack();
  const response = await fetch(`${apiUrl}${path}/export`, {
    headers: { Authorization: `Bearer ${who.token}` },
  });
  if (!response.ok) throw new Error(`No export: ${await response.text()}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** A team with one of everything that an export contains, and its export. */
export async function furnishedArchive() {
  const team = await newTeam("Wander & Söhne");
  const knowledge = await newKnowledge(team, {
    "leave.md": "# Leave\n\nTwenty-seven days of leave a year.\n",
  });
  const agentId = await newAgent(team, {
    knowledgeIds: [knowledge.id],
    name: "Guide",
    instructions: "Answer shortly.",
    greeting: "<b>Hello</b>",
    suggestedPrompts: ["How many days?"],
    visibility: "public",
    allowedOrigins: ["https://example.com"],
    appearance: {
      name: "Ask Wander",
      color: "#0f766e",
      launcher: { icon: "book", label: "Help" },
      position: "left",
      address: `wander-${randomUUID().slice(0, 8)}`,
    },
  });
  await team.owner.put(`${team.path}/agents/${agentId}/avatar`, { data: tinyPng });
  await team.owner.post(`${team.path}/agents/${agentId}/tests`, {
    question: "How many days of leave?",
    facts: ["27 days"],
    expectedTitle: "leave.md",
  });
  await team.owner.post(`${team.path}/agents/${agentId}/versions`, { instructions: "Answer at length." });
  const { body: chat } = await team.owner.post(`/v1/agents/${agentId}/chats`, { title: "Leave" });
  const { body: asked } = await team.owner.post(`/v1/chats/${chat.id}/messages`, {
    content: "How many days of leave?",
  });
  await team.owner.post(`/v1/chats/${chat.id}/messages/${asked.reply.id}/feedback`, {
    rating: "up",
    comment: "Right.",
  });
  const { body: first } = await asVisitor("").post(`/v1/agents/${agentId}/chats`, {});
  await asVisitor(first.visitorToken).post(`/v1/chats/${first.id}/messages`, { content: "And sick days?" });
  const { body: handover } = await asVisitor(first.visitorToken).post(`/v1/chats/${first.id}/handover`, {
    email: "left@example.com",
    message: "Please call.",
    consent: true,
  });
  await team.owner.post(`${team.path}/handovers/${handover.id}/answer`, { content: "Five." });
  // In the database: one created through the API is synced at once, and no server answers.
  const sql = await owner();
  const [tracker] = await sql`
    insert into public.sources (team_id, type, name, config, schedule)
    values (${team.id}, 'jira', 'Tracker', ${sql.json({ site: "https://acme.atlassian.net", projects: ["A"] })}, 'daily')
    returning id`;
  await team.owner.post(`${team.path}/sources/${tracker?.id}/documents`, {
    externalId: "note-1",
    type: "note",
    title: "Note",
    url: "https://example.com/note",
    content: "Written by hand.",
  });
  await sql`
    insert into public.documents (team_id, source_id, external_id, type, title, url, content, content_hash)
    values (${team.id}, ${tracker?.id}, 'A-1', 'jira', 'Issue one', 'https://acme.atlassian.net/A-1', 'Read of Jira.',
            ${"0".repeat(64)})`;
  await team.owner.post(`${team.path}/sources`, { type: "agentChat", name: "Talks", config: { agentId } });
  const role = await team.owner.post("/v1/roles", {
    teamId: team.id,
    name: "Reader",
    codename: "reader",
    permissions: ["team.read", "agents.read"],
  });
  if (role.status !== 201) throw new Error(`No role was made: ${role.text}`);
  await team.owner.post(`${team.path}/apps`, {
    name: "Help desk",
    type: "slack",
    agentId,
    channels: ["C0123"],
  });
  await team.owner.post(`${team.path}/apiKeys`, { name: "Robot" });
  await newMember(team, role.body.id);
  await atRest(team);
  const archive = await exportTeam(team);
  return { team, archive, entries: await entriesIn(archive) };
}
