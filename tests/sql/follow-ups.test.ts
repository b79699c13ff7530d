// Follow-up questions on the real database: the search query with the built-in model, and with a provider that rewrites well, late, badly
// or not at all.
import type { Sql } from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnswerEvent } from "../../edge-functions/answering/answer.ts";
import type { Turn } from "../../edge-functions/answering/prompt.ts";
import { hashEmbedding } from "../../supabase/local/models/hash.ts";
import { type OpenAiFake, startOpenAiFake } from "../support/fakes/openai.ts";
import { type OfflineModels, startOfflineModels } from "../support/offline-models.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { makeKnowledge, makeSpace, makeTeam, type SearchableTeam } from "../support/searchable.ts";

let database: TestPostgres;
let offline: OfflineModels;
let fake: OpenAiFake;
let sql: Sql;
let team: SearchableTeam;

beforeAll(async () => {
  [database, offline, fake] = await Promise.all([
    startTestPostgres(),
    startOfflineModels(),
    startOpenAiFake(),
  ]);
  sql = database.connect("postgres", { max: 1 });
  team = await makeTeam(sql);
  const space = await makeSpace(sql, "offline-hash", 1024, (list) => list.map((text) => hashEmbedding(text)));
  await makeKnowledge(
    sql,
    team,
    [
      { title: "Leave", content: "New employees get 27 days of paid leave per calendar year." },
      {
        title: "Leave abroad",
        content: "In France, employees get 25 days of paid leave and nine days of rest.",
      },
      { title: "Offices", content: "Our office in France is in Lyon. The office in France opened in 2004." },
      { title: "Parking", content: "Cars are parked behind the building; the gate closes at eight." },
    ],
    { space },
  );
});
afterAll(async () => {
  await (await import("../../edge-functions/_shared/database/db.ts")).closeDatabase();
  await Promise.all([database?.stop(), offline?.stop(), fake?.stop()]);
});
beforeEach(() => {
  fake.requests.length = 0;
  fake.aborted = 0;
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.resetModules();
});

const leave = "How many days of paid leave do employees get?";
const before: Turn[] = [
  { role: "user", content: leave },
  { role: "assistant", content: "New employees get 27 days of paid leave [1]." },
];

/** A question's result with these models. Text search only: the provider is then only called for words. */
async function ask(settings: Record<string, string>, question: string, history: Turn[], mode = "hybrid") {
  const base = {
    DATABASE_URL: database.url("authenticator"),
    SUPABASE_URL: "http://127.0.0.1:9",
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: "service",
    WEB_URL: "http://127.0.0.1:9",
    SECRETS_KEY: "a key of this test alone that is long enough",
  };
  for (const [name, value] of Object.entries({ ...base, ...settings })) vi.stubEnv(name, value);
  const { answer } = await import("../../edge-functions/answering/answer.ts");
  const [row] = await sql`select private.answering_agent(${team.agentId}) as agent`;
  const agent = { ...row?.agent, retrievalMode: mode };
  const events: AnswerEvent[] = [];
  const { signal } = new AbortController();
  for await (const event of answer({ agent, channel: "web", history, question, signal })) events.push(event);
  await (await import("../../edge-functions/_shared/database/db.ts")).closeDatabase();
  const passages = events.find((event) => event.type === "passages");
  const titles = passages?.passages.map(({ title }) => title) ?? [];
  const text = events.map((event) => (event.type === "delta" ? event.text : "")).join("");
  return { searchedFor: passages?.searchedFor, titles, text, end: events.at(-1) };
}

describe("with the built-in model", () => {
  const askOffline = (question: string, history: Turn[]) =>
    ask(
      {
        OPENAI_BASE_URL: offline.baseUrl,
        OPENAI_MODEL: "offline-extract",
        OPENAI_EMBEDDING_MODEL: "offline-hash",
      },
      question,
      history,
    );

  it("searches a follow-up with the question before it, and answers from the results", async () => {
    const alone = await askOffline("And in France?", []);
    expect(alone.searchedFor).toBeNull();
    expect(alone.titles[0]).toBe("Offices");
    const followed = await askOffline("And in France?", before);
    expect(followed.searchedFor).toBe(`${leave} And in France?`);
    expect(followed.titles[0]).toBe("Leave abroad");
    expect(followed.text).toContain("25 days");
  });

  it("still finds a change of subject, and searches a plain question unchanged", async () => {
    const other = await askOffline("When does the gate close?", before);
    expect(other.titles[0]).toBe("Parking");
    expect(other.text).toContain("eight");
    const plain = await askOffline(
      "At what time of day does the gate behind the building with parked cars close?",
      before,
    );
    expect(plain).toMatchObject({ searchedFor: null });
    expect(plain.titles[0]).toBe("Parking");
  });
});

describe("with a provider", () => {
  const rewritten = "How many days of paid leave do employees get in France?";
  const isRewriting = (body: Record<string, unknown>) =>
    JSON.stringify(body.messages).includes("rewrite the last message");
  const rewritings = () => fake.requests.filter(({ body }) => isRewriting(body)).length;
  const askProvider = (question: string, history: Turn[]) =>
    ask(
      { OPENAI_BASE_URL: fake.baseUrl, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "gpt-test" },
      question,
      history,
      "text",
    );
  const saying = (rewriting: string) => {
    fake.reply = (body) => (isRewriting(body) ? rewriting : "It is 25 days [1].");
  };

  /** A rewriting that is never late, however long the machine stands still. */
  const sayingInTime = (rewriting: string) => {
    vi.spyOn(AbortSignal, "timeout").mockImplementation(() => new AbortController().signal);
    saying(rewriting);
  };

  it("searches the rewritten question and the original, and counts the tokens of rewriting and checking", async () => {
    sayingInTime(`"${rewritten}"`);
    const followed = await askProvider("And in France?", before);
    expect(followed).toMatchObject({ searchedFor: rewritten, text: "It is 25 days [1]." });
    expect(followed.titles[0]).toBe("Leave abroad");
    expect(followed.titles).toContain("Offices");
    expect(followed.end).toMatchObject({ usage: { promptTokens: 33, completionTokens: 15 } });
  });

  it("sends the chat's own messages, and asks the original question", async () => {
    sayingInTime(rewritten);
    await askProvider("And in France?", before);
    const [rewriting, reply] = fake.requests.map(({ body }) => JSON.stringify(body.messages));
    expect(rewriting).toContain(leave);
    expect(rewriting).toContain("And in France?");
    expect(reply).toContain("Question: And in France?");
  });

  it("rewrites neither a first question nor one that clearly stands alone", async () => {
    sayingInTime(rewritten);
    expect(await askProvider("And in France?", [])).toMatchObject({ searchedFor: null });
    const plain = "At what time of day does the gate behind the building with parked cars close?";
    expect(await askProvider(plain, before)).toMatchObject({ searchedFor: null });
    expect(rewritings()).toBe(0);
  });

  it("searches the original question when the model repeats it", async () => {
    sayingInTime("when does the gate close");
    expect(await askProvider("When does the gate close?", before)).toMatchObject({
      searchedFor: null,
      titles: ["Parking"],
    });
    expect(rewritings()).toBe(1);
  });

  it.each<[string, () => void]>([
    ["never says anything", () => fake.next({ how: "silence" })],
    ["stops in the middle", () => fake.next({ how: "stall", after: 1 })],
    ["breaks off", () => fake.next({ how: "drop", after: 1 })],
    ["refuses", () => fake.next({ how: "status", status: 400 })],
    ["speaks of something else", () => saying("Bananas are a yellow fruit from the tropics")],
    ["answers at length", () => saying("Employees get leave in France. ".repeat(100))],
    ["says nothing", () => saying("  \n ")],
  ])("falls back to the question before it when the model %s", async (_how, prepare) => {
    saying(rewritten);
    prepare();
    const followed = await askProvider("And in France?", before);
    expect(followed).toMatchObject({ searchedFor: `${leave} And in France?`, text: "It is 25 days [1]." });
    expect(followed.titles[0]).toBe("Leave abroad");
    expect(rewritings()).toBeGreaterThan(0);
  });
});
