// Owns a team whose reply cites sections of a handbook, a page of a PDF and a row of a table, for tests of citations.
import type { Page } from "@playwright/test";
import postgres from "postgres";
import { findStack } from "../../support/stack.ts";
import { register, someone } from "./accounts.ts";
import { goodFiles } from "./files.ts";

const handbook = `# Handbook

Everybody is welcome.

## Annual leave

Everybody has 27 days of annual leave. Ask your manager two weeks before you take more than three days.

## Parental leave

Parents have sixteen weeks of parental leave, which can be taken in two parts.

## Sick leave

Tell your manager before nine in the morning.
`;
const limits = `# Limits

| City | Hotel per night | Breakfast per day | Taxi per ride | Approved by |
| --- | --- | --- | --- | --- |
${["Amsterdam", "Berlin", "Ghent", "Lisbon", "Lyon", "Madrid", "Paris", "Prague", "Rome", "Vienna"]
  .map(
    (city, at) =>
      `| ${city} | ${120 + at * 10} euros | ${12 + at} euros | ${20 + at} euros | the team lead |`,
  )
  .join("\n")}

Ask before you book anything that costs more.
`;

export interface CitedReply {
  /** The team's codename. */
  team: string;
  teamId: string;
  agentId: string;
  chatId: string;
  /** Another chat of the team, with a visitor. */
  otherChatId: string;
}

/** Registers a user with a team and files, asks, and merges the citations of the replies into one reply. */
export async function citedReply(page: Page): Promise<CitedReply> {
  await register(page, someone());
  const { request } = page;
  const team = await (await request.post("/v1/teams", { data: { name: "Evidence" } })).json();
  const path = `/v1/teams/${team.id}`;
  const pdf = goodFiles().find(({ name }) => name.endsWith(".pdf"));
  if (!pdf) throw new Error("There is no PDF among the good files");
  const fileIds: string[] = [];
  for (const [name, mimeType, buffer] of [
    ["handbook.md", "text/markdown", Buffer.from(handbook)],
    ["limits.md", "text/markdown", Buffer.from(limits)],
    [pdf.name, "application/pdf", pdf.buffer],
  ] as const) {
    const file = await request.post(`${path}/files/upload`, {
      multipart: { file: { name, mimeType, buffer } },
    });
    fileIds.push((await file.json()).id);
  }
  const knowledge = await (
    await request.post(`${path}/knowledges`, { data: { name: "House rules", fileIds } })
  ).json();
  await request.post(`${path}/knowledges/${knowledge.id}/index`, { data: {} });
  for (let tries = 0; ; tries += 1) {
    const { status, documentsCount } = await (await request.get(`${path}/knowledges/${knowledge.id}`)).json();
    if (status === "ready" && documentsCount === fileIds.length) break;
    if (tries > 240) throw new Error(`The knowledge base is ${status}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const data = { name: "House agent", visibility: "public", knowledgeIds: [knowledge.id] };
  const agent = await (await request.post(`${path}/agents`, { data })).json();
  const start = async (title: string) =>
    (await (await request.post(`/v1/agents/${agent.id}/chats`, { data: { title } })).json()).id as string;
  const asked = await start("");
  const citationsOf = async (content: string) => {
    const answer = await request.post(`/v1/chats/${asked}/messages`, { data: { content } });
    return (await answer.json()).reply.citations as { title: string; quote: string; index: number }[];
  };
  const cited = [
    ...(await citationsOf("How many weeks of parental leave do parents have?")).slice(0, 1),
    ...(await citationsOf("What may a hotel in Paris cost per night?")).slice(0, 1),
    ...(await citationsOf("How many days of annual leave does everybody have?")).slice(0, 1),
  ].map((one, at) => ({ ...one, index: 7 - at }));
  const chatId = await start("Leave and hotels");
  const otherChatId = await start("Something else");
  const reply = [
    "Parents have **sixteen weeks** of parental leave [7]. A hotel in Paris may cost *180 euros* a night [6], and everybody has 27 days of annual leave [5].",
    "- [x] Ask your manager\n- [ ] Book the hotel",
    "| Destination | Accommodation allowance | Breakfast allowance | Transportation allowance | Representation | Preauthorisation |\n| --- | --- | --- | --- | --- | --- |\n| Paris | 180 euros | 18 euros | 26 euros | unreimbursable | departmental administration |",
  ].join("\n\n");
  const { databaseUrl } = await findStack();
  const sql = postgres(databaseUrl("postgres"), { max: 1 });
  await sql`
    insert into public.messages (chat_id, role, content, citations)
    values (${chatId}, 'user', 'What about leave, and hotels?', '[]'),
           (${chatId}, 'assistant', ${reply}, ${sql.json(cited)}),
           (${otherChatId}, 'user', 'And the canteen?', '[]'),
           (${otherChatId}, 'assistant', 'Nothing is known of it.', '[]')`;
  await sql.end();
  return { team: team.codename, teamId: team.id, agentId: agent.id, chatId, otherChatId };
}
