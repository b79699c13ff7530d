// Questions computed over the rows of a table, through the API: the value, its rows, the citations, and who reads which cells.
import { beforeAll, describe, expect, test } from "vitest";
import { type Client, newTeam, type Team } from "../support/api.ts";
import { newAgent, newKnowledge } from "../support/content.ts";

/** More rows than a passage holds. */
const parts = Array.from({ length: 400 }, (_, i) => {
  const material = ["steel", "brass", "nylon"][i % 3];
  return `P-${1000 + i},Part ${i} ${material},${material},"${(5 + i / 4).toFixed(2)}"`;
});
const list = `Number,Name,Material,Price EUR\n${parts.join("\n")}\n`;
const invoices =
  "Facture;Client;Date;Montant\nF1;Martin;03/02/2026;1 234,50 €\nF2;Coop;25/03/2026;20,25 €\nF3;Martin;30/03/2026;30,00 €\n";

let team: Team;
let agentId: string;
let knowledgeId: string;
beforeAll(async () => {
  team = await newTeam();
  const knowledge = await newKnowledge(team, { "parts.csv": list, "factures.csv": invoices });
  knowledgeId = knowledge.id;
  agentId = await newAgent(team, { knowledgeIds: [knowledge.id] });
});

async function ask(content: string, as: Client = team.owner, agent = agentId) {
  const { body: chat } = await as.post(`/v1/agents/${agent}/chats`, {});
  const { status, body } = await as.post(`/v1/chats/${chat.id}/messages`, { content });
  expect(status).toBe(200);
  return body.reply;
}

describe("a question over a table", () => {
  test("is computed over all rows, and cites those it is based on", async () => {
    const reply = await ask("How many parts cost under 20 €?");
    expect(reply.content).toContain("60 rows where “Price EUR” is under 20");
    const cheapest = await ask("Which is the cheapest brass part?");
    expect(cheapest.content).toContain("is 5.25 EUR");
    expect(cheapest.content).toContain("| P-1001 | Part 1 brass | brass | 5.25 [1] |");
    const [citation] = cheapest.citations;
    expect(citation).toMatchObject({ index: 1, title: "parts.csv" });
    expect(citation.quote).toBe("Number: P-1001\nName: Part 1 brass\nMaterial: brass\nPrice EUR: 5.25");
    const { body: document } = await team.owner.get(
      `${team.path}/sources/${citation.sourceId}/documents/${citation.documentId}`,
    );
    expect(document.content).toContain(citation.quote);
  });

  test("reads French numbers and dates, and answers in French", async () => {
    const reply = await ask("Quel est le total des factures de mars ?");
    expect(reply.content).toContain("la somme de « Montant », sur 2 lignes,");
    expect(reply.content).toContain("est 50,25 EUR");
  });

  test("counts no row that sums up the others", async () => {
    const table = "Department,Budget EUR\nSales,100\nComputers,250\nOffices,50\nTotal,400\n";
    const budget = await newKnowledge(team, { "budget.csv": table });
    const agent = await newAgent(team, { knowledgeIds: [budget.id] });
    const sum = await ask("What is the total budget?", team.owner, agent);
    expect(sum.content).toContain("over 3 rows is 400 EUR");
    const largest = await ask("Which department has the largest budget?", team.owner, agent);
    expect(largest.content).toContain("| Computers | 250 [1] |");
    expect((await ask("How many departments are there?", team.owner, agent)).content).toContain("3 rows");
  });

  test("about one row shows it under the header, and that row is the first passage", async () => {
    const reply = await ask("What does Part 250 brass cost?");
    expect(reply.content).toContain("| Number | Name | Material | Price EUR |");
    expect(reply.content).toContain("67.50");
    const { body } = await team.owner.get(
      `${team.path}/knowledges/${knowledgeId}/records?query=${encodeURIComponent("Part 250 brass")}`,
    );
    expect(body.data[0].content).toContain("P-1250");
  });

  test.each([
    "What does Part 7 brass cost?",
    "How much is Part 7 brass?",
    "What is the price of Part 7 brass?",
    "Combien coûte Part 7 brass ?",
    "Quel est le prix de Part 7 brass ?",
  ])("about one of 400 rows is looked up: %s", async (question) => {
    const reply = await ask(question);
    expect(reply.content).toMatch(/^(?:Computed from table|Calculé à partir du tableau)/);
    expect(reply.content).toContain("| P-1007 | Part 7 brass | brass | 6.75 [1] |");
    expect(reply.content).not.toContain("P-1070");
    expect(reply.citations).toMatchObject([
      { index: 1, title: "parts.csv", quote: expect.stringContaining("P-1007") },
    ]);
    expect(reply.support).toMatchObject({ state: "answered" });
  });

  test("is computed per group, and ordered", async () => {
    const grouped = await ask("What is the average price per material?");
    expect(grouped.content).toContain("the average of “Price EUR” for each “Material”, over 400 rows.");
    expect(grouped.content).toContain("| steel | 54.88 EUR | 134 [2] |");
    expect(grouped.citations.length).toBeGreaterThan(0);
    const cheapest = await ask("Quelles sont les trois pièces les moins chères ?");
    expect(cheapest.content).toMatch(/P-1000 .*\n.*P-1001 .*\n.*P-1002 /);
    expect(cheapest.content).not.toContain("P-1003");
  });

  test("is computed over all rows, not over some that an ambiguous word matches", async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `${i},Thing ${i},${i}`);
    const knowledge = await newKnowledge(team, { "stock.csv": `No,Name,Price\n${rows.join("\n")}\n` });
    const agent = await newAgent(team, { knowledgeIds: [knowledge.id] });
    const reply = await ask("How many things cost under 55?", team.owner, agent);
    expect(reply.content).toContain("55 rows where “Price” is under 55");
    const one = await ask("How many Thing 7 cost under 55?", team.owner, agent);
    expect(one.content).not.toContain("50 rows");
  });

  test("is not computed when no column answers it", async () => {
    const reply = await ask("How many titanium parts are there?");
    expect(reply.content).not.toContain("Computed");
  });

  test("is computed over the agent's own team's tables only", async () => {
    const other = await newTeam();
    const knowledge = await newKnowledge(other, { "parts.csv": "Name,Price EUR\nBolt,3\nNut,4\n" });
    const agent = await newAgent(other, { knowledgeIds: [knowledge.id] });
    const reply = await ask("Which is the cheapest part?", other.owner, agent);
    expect(reply.content).toContain("is 3 EUR");
    expect(reply.content).not.toContain("P-1");
  });
});
