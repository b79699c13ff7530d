// A language model's table tools, through a whole answer on a real database: offered tools, results and citations, hostile or endless
// calls, and models without tools.
import type { Sql } from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnswerEvent } from "../../edge-functions/answering/answer.ts";
import { type FakeCall, type OpenAiFake, startOpenAiFake } from "../support/fakes/openai.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { makeKnowledge, makeTeam, type SearchableTeam } from "../support/searchable.ts";

let database: TestPostgres;
let fake: OpenAiFake;
let sql: Sql;
let team: SearchableTeam;
let stranger: SearchableTeam;
let answering: typeof import("../../edge-functions/answering/answer.ts");
let db: typeof import("../../edge-functions/_shared/database/db.ts");

const columns = [
  { name: "Name", kind: "text", unit: "" },
  { name: "Material", kind: "text", unit: "", values: ["brass", "steel"] },
  { name: "Price EUR", kind: "number", unit: "EUR" },
  { name: "Since", kind: "date", unit: "", range: [20_000, 20_059] },
];
const parts = Array.from({ length: 60 }, (_, i) => ({
  cells: [`Valve ${i}`, i % 2 ? "steel" : "brass", `${i + 1}.50`, `day ${i}`],
  numbers: [null, null, i + 1.5, 20_000 + i],
}));

/** A sheet of parts, each row of which is a line of its one passage. */
async function makeSheet(of: SearchableTeam, title: string): Promise<void> {
  const lines = parts.map(({ cells }) => `| ${cells.join(" | ")} |`);
  const content = `Price list of all valves\n${lines.join("\n")}`;
  const knowledge = await makeKnowledge(sql, of, [{ title, content }]);
  const [document] =
    await sql`select document_id as id from public.document_indexes where knowledge_id = ${knowledge}`;
  const [table] = await sql`
    insert into public.document_tables (team_id, knowledge_id, document_id, position, columns, rows_count)
    values (${of.id}, ${knowledge}, ${document?.id}, 0, ${sql.json(columns)}, ${parts.length}) returning id`;
  let start = content.indexOf("\n") + 1;
  for (const [position, { cells, numbers }] of parts.entries()) {
    const end = start + (lines[position]?.length ?? 0);
    await sql`insert into public.table_rows (team_id, knowledge_id, table_id, position, cells, numbers, start_offset, end_offset)
              values (${of.id}, ${knowledge}, ${table?.id}, ${position}, ${cells}, ${numbers}::float8[], ${start}, ${end})`;
    start = end + 1;
  }
}

beforeAll(async () => {
  [database, fake] = await Promise.all([startTestPostgres(), startOpenAiFake()]);
  sql = database.connect("postgres", { max: 1 });
  team = await makeTeam(sql);
  stranger = await makeTeam(sql);
  await makeSheet(team, "valves.csv");
  await makeSheet(stranger, "secret valves.csv");
  const settings = {
    DATABASE_URL: database.url("authenticator"),
    SUPABASE_URL: "http://127.0.0.1:9",
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: "service",
    WEB_URL: "http://127.0.0.1:9",
    SECRETS_KEY: "a key of this test alone that is long enough",
    OPENAI_BASE_URL: fake.baseUrl,
    OPENAI_API_KEY: "sk-test",
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  answering = await import("../../edge-functions/answering/answer.ts");
  db = await import("../../edge-functions/_shared/database/db.ts");
});
afterAll(async () => {
  await db?.closeDatabase();
  vi.unstubAllEnvs();
  await Promise.all([database?.stop(), fake?.stop()]);
});
let asked = 0;
beforeEach(() => {
  fake.requests.length = 0;
  fake.calls = () => [];
  fake.reply = "The sum is in the list.";
  // A model's refusal is remembered by its name.
  asked += 1;
});
afterEach(() => {
  fake.refusesTools = false;
  fake.saysBeforeCalls = "";
});

const question = "What do all the brass valves cost together?";

async function ask(content = question) {
  const [row] = await sql`select private.answering_agent(${team.agentId}) as agent`;
  const agent = { ...row?.agent, retrievalMode: "text", model: `gpt-test-${asked}` };
  const events: AnswerEvent[] = [];
  const { signal } = new AbortController();
  for await (const event of answering.answer({
    agent,
    channel: "web",
    history: [],
    question: content,
    signal,
  }))
    events.push(event);
  const text = events.map((event) => (event.type === "delta" ? event.text : "")).join("");
  const cited = events.flatMap((event) => (event.type === "citations" ? event.citations : []));
  const end = events.findLast((event) => event.type === "end");
  const passages = events.findLast((event) => event.type === "passages")?.passages ?? [];
  return { text, cited, end, passages };
}

type Said = { role: string; content: string; tool_calls?: unknown[]; tool_call_id?: string };
/** The requests for replies; the judge's request has no tools, and no agent's name. */
const replies = () =>
  fake.requests
    .map(({ body }) => body as { tools?: unknown[]; tool_choice?: string; messages: Said[] })
    .filter(({ messages }) => messages[0]?.content.startsWith("You are"));
/** The tool results in the last request. */
const toolResults = () =>
  (replies().at(-1)?.messages ?? []).filter(({ role }) => role === "tool").map(({ content }) => content);

/** Calls once, then answers with the result's first number. */
function callsOnce(...calls: FakeCall[]) {
  const isTold = (body: Record<string, unknown>) =>
    (body.messages as Said[]).some(({ role }) => role === "tool");
  fake.calls = (body) => (isTold(body) ? [] : calls);
}
const sum = (more: object = {}) => ({
  name: "query_table",
  arguments: JSON.stringify({
    table: "T1",
    operation: "sum",
    column: "Price EUR",
    where: [{ column: "Material", is: ["brass"] }],
    ...more,
  }),
});

describe("a model with tools", () => {
  it("is offered the team's own tables, and cites the rows of a result", async () => {
    callsOnce(sum());
    const said = "All brass valves cost 915 EUR [2].";
    // The last call is the judge's.
    fake.reply = (body) => (body.temperature === 0 ? "1: yes" : said);
    const { text, cited, end, passages } = await ask();
    const [first, second] = replies();
    expect(first?.tools).toHaveLength(1);
    expect(first?.messages[0]?.content).toContain(
      "T1: “valves.csv”, 60 rows. Columns: “Name” text; “Material” text, one of “brass”, “steel”; “Price EUR” number in EUR",
    );
    expect(JSON.stringify(fake.requests)).not.toContain("secret");
    expect(second?.messages.at(-2)).toMatchObject({
      role: "assistant",
      content: null,
      tool_calls: [{ id: "call_fake_0", type: "function", function: sum() }],
    });
    expect(toolResults()[0]).toMatch(
      /^<<<passages_\w+>>>\n\[2\] Computed from table · valves\.csv\nComputed from table “valves\.csv”: the sum of “Price EUR” over 30 rows where “Material” is “brass” is 915 EUR\./,
    );
    expect(text).toBe(said);
    expect(cited).toMatchObject([
      { index: 2, title: "valves.csv", quote: "| Valve 0 | brass | 1.50 | day 0 |" },
    ]);
    // Each of the three calls costs 11 and 5 tokens.
    expect(end).toMatchObject({ unanswered: false, usage: { promptTokens: 33, completionTokens: 15 } });
    expect(end?.support).toMatchObject({ state: "answered" });
    expect(passages.filter(({ index }) => index !== null).length).toBeGreaterThan(0);
  });

  it("finds rows, sorts and groups", async () => {
    callsOnce(
      {
        name: "query_table",
        arguments:
          '{"table":"t1","operation":"rows","column":"price eur","where":[{"column":"Name","is":"valve 17"}]}',
      },
      {
        name: "query_table",
        arguments: '{"table":"T1","operation":"largest","column":"Price EUR","limit":2}',
      },
      {
        name: "query_table",
        arguments: '{"table":"T1","operation":"average","column":"Price EUR","groupBy":"Material"}',
      },
      {
        name: "query_table",
        arguments:
          '{"table":"T1","operation":"count","where":[{"column":"Since","atLeast":"2024-10-05","below":"2024-10-08"}]}',
      },
    );
    await ask();
    const [row, order, groups, dated] = toolResults();
    expect(row).toContain("“Price EUR” where “Name” is “valve 17”, 1 row.");
    expect(row).toContain("| Valve 17 | steel | 18.50 | day 17 |");
    expect(order).toMatch(/the highest “Price EUR”, in order\.\n\n.*\n.*\n\| Valve 59 .*\n\| Valve 58 /);
    expect(groups).toContain("the average of “Price EUR” for each “Material”, over 60 rows.");
    expect(groups).toMatch(/\| steel \| 31\.5 EUR \| 30 \|\n\| brass \| 30\.5 EUR \| 30 \|/);
    expect(dated).toContain("3 rows where “Since” is at least 2024-10-05 and before 2024-10-08.");
    // Numbering continues from call to call.
    expect([row, order, groups, dated].map((one) => /\n\[(\d+)\]/.exec(one ?? "")?.[1])).toEqual([
      "2",
      "3",
      "4",
      "5",
    ]);
  });

  it("tells the earliest and the latest of a column of dates, with their rows", async () => {
    callsOnce(
      {
        name: "query_table",
        arguments:
          '{"table":"T1","operation":"smallest","column":"Since","where":[{"column":"Material","is":"steel"}]}',
      },
      { name: "query_table", arguments: '{"table":"T1","operation":"largest","column":"Since"}' },
    );
    await ask();
    const [first, last] = toolResults();
    expect(first).toContain("the earliest “Since” where “Material” is “steel” is 2024-10-05.");
    expect(first).toContain("| Valve 1 | steel |");
    expect(last).toContain("the latest “Since” is 2024-12-02.");
    expect(last).toContain("| Valve 59 | steel |");
    const offered = fake.requests.map(({ body }) => JSON.stringify(body)).join("\n");
    expect(offered).toContain("of a column of dates the earliest and the latest");
  });

  it("continues after its text so far", async () => {
    callsOnce(sum());
    fake.saysBeforeCalls = "Let me add that up.";
    fake.reply = "915 EUR [2].";
    expect((await ask()).text).toBe("Let me add that up.\n\n915 EUR [2].");
  });

  it("that calls endlessly is told to answer after three rounds, and then has no answer", async () => {
    fake.calls = () => [sum()];
    fake.reply = "";
    const { text, end } = await ask();
    expect(replies().map(({ tool_choice }) => tool_choice)).toEqual(["auto", "auto", "auto", "none"]);
    expect(text).toBe("I found nothing about this in my knowledge.");
    expect(end).toMatchObject({ unanswered: true });
  });

  it("with many calls at once has four of them run, and is told so", async () => {
    callsOnce(...Array.from({ length: 6 }, () => sum()));
    await ask();
    expect(toolResults().filter((one) => one.startsWith("<<<"))).toHaveLength(4);
    expect(toolResults().slice(4)).toEqual([
      "Not run: at most 4 calls at once.",
      "Not run: at most 4 calls at once.",
    ]);
  });
});

describe("hostile arguments", () => {
  it.each<[string, FakeCall, string]>([
    ["another tool", { name: "run_sql", arguments: "{}" }, "There is no such tool"],
    ["no JSON", { name: "query_table", arguments: '{"table":' }, "The arguments are not JSON."],
    ["no object", { name: "query_table", arguments: "[]" }, "Invalid arguments"],
    [
      "too long",
      { name: "query_table", arguments: JSON.stringify({ table: "x".repeat(20_000) }) },
      "too long",
    ],
    ["another table", sum({ table: "T2" }), "There is no table T2: use T1."],
    ["a table's id", sum({ table: "0193a5e0-7b1a-7cc0-8f3e-2f6d0c1a9b42" }), "Invalid table"],
    ["an operation that there is not", sum({ operation: "drop" }), "Invalid operation"],
    ["a statement for a column", sum({ column: "1; drop table chunks" }), "There is no column"],
    ["a column of texts", sum({ column: "Name" }), "“Name” holds no numbers."],
    ["a field that there is not", sum({ sql: "select 1" }), "Invalid arguments"],
    ["a zero character", sum({ where: [{ column: "Name", contains: ["a\0b"] }] }), "must be plain text"],
    ["half a character", sum({ where: [{ column: "Name", is: ["\ud800"] }] }), "must be plain text"],
    ["no number", sum({ where: [{ column: "Price EUR", above: "lots" }] }), "“lots” is no number."],
    ["too many rows", sum({ limit: 100_000 }), "Invalid limit"],
    ["a condition that says nothing", sum({ where: [{ column: "Name" }] }), "says nothing"],
  ])("%s is rejected with a reason, and the reply continues", async (_name, call, reason) => {
    callsOnce(call);
    fake.reply = "I cannot say.";
    const { text } = await ask();
    expect(toolResults()[0]).toContain(reason);
    expect(text).toBe("I cannot say.");
  });

  it("values are compared, never executed", async () => {
    callsOnce(
      sum({ where: [{ column: "Name", contains: ["'; drop table public.chunks; --", "%", "Valve 59"] }] }),
    );
    await ask();
    expect(toolResults()[0]).toContain("over 1 row");
    expect(await sql`select count(*)::int as n from public.chunks`).toEqual([{ n: 2 }]);
  });
});

describe("a model without tools", () => {
  it("answers without them, and is not offered them again for a while", async () => {
    fake.refusesTools = true;
    fake.reply = "It is in the list [1].";
    expect((await ask()).text).toBe("It is in the list [1].");
    expect(replies().map(({ tools }) => tools?.length ?? 0)).toEqual([1, 0]);
    fake.requests.length = 0;
    await ask();
    expect(replies().map(({ tools }) => tools?.length ?? 0)).toEqual([0]);
  });
});
