// What Postgres lets clients store past /v1 is also imported: nobody makes a team's export useless.
import { beforeAll, expect, test } from "vitest";
import { newPerson, newTeam, type Person, type Team } from "../support/api.ts";
import { newAgent, newKnowledge } from "../support/content.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { findStack } from "../support/stack.ts";
import { entriesIn, exportTeam, importTeam, rowsOf } from "../support/team-archive.ts";

let team: Team;
let agentId: string;

beforeAll(async () => {
  team = await newTeam();
  const knowledge = await newKnowledge(team, { "leave.md": "# Leave\n\nTwenty-seven days.\n" });
  agentId = await newAgent(team, { knowledgeIds: [knowledge.id], visibility: "public" });
});

async function write(who: Person, method: "POST" | "PATCH", path: string, row: Record<string, unknown>) {
  const { supabaseUrl, anonKey } = await findStack();
  const response = await fetch(`${supabaseUrl}/rest/v1/${path}`, {
    method,
    headers: {
      apikey: anonKey,
      authorization: `Bearer ${who.token}`,
      "content-type": "application/json",
      prefer: "return=representation",
    },
    body: JSON.stringify(row),
  });
  const text = await response.text();
  expect([path, response.ok, text]).toEqual([path, true, expect.stringMatching(/^\[\{/)]);
  return JSON.parse(text)[0] as { id: string };
}

test("is exported and imported again", async () => {
  const { owner, id: teamId } = team;
  const insert = (table: string, row: Record<string, unknown>) =>
    write(owner, "POST", `${table}?select=id`, { team_id: teamId, ...row });
  const origin = `https://${"h".repeat(400)}.example`;
  await write(owner, "PATCH", `agents?select=id&id=eq.${agentId}`, { allowed_origins: [origin] });
  // Each of these characters is two units of a JavaScript string.
  const [longName, longText] = ["🌲".repeat(200), "🌲".repeat(2000)];
  await insert("agents", { name: longName, description: longText });
  const answers = await insert("sources", { type: "qa", name: "Answers" });
  await insert("qa_entries", {
    source_id: answers.id,
    question: "When?",
    answer: "\n",
    expires_at: "9999-12-30T00:00:00Z",
  });
  const url = "https://example.com/a\u00a0b";
  await insert("documents", {
    source_id: answers.id,
    external_id: "odd",
    type: "text",
    title: "Odd",
    url,
    content: "What it says.",
  });
  const channels = [Array(5).fill("C0123456789").join(" ")];
  await insert("apps", { name: "Slack", agent_id: agentId, channels });
  await insert("team_users", { email: "somebody@intranet", role_id: systemRoleIds.viewer });
  const copy = await importTeam(await newPerson(), await exportTeam(team));
  const entries = await entriesIn(await exportTeam(copy));
  expect(rowsOf(entries, "agents")).toMatchObject([
    { allowedOrigins: [origin] },
    { name: longName, description: longText },
  ]);
  expect(rowsOf(entries, "qa_entries")).toMatchObject([{ answer: "\n" }]);
  expect(rowsOf(entries, "documents")).toContainEqual(expect.objectContaining({ externalId: "odd", url }));
});
