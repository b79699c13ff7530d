// Rate limits of questions and searches: by person, visitor, key, address and paying team, the same in every protocol; and the client
// address that a call counts for.
import { randomInt } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type Answer,
  anyone,
  as,
  type Client,
  newMember,
  newPerson,
  newTeam,
  owner,
  type Person,
  type Team,
} from "../support/api.ts";
import { asVisitor, newAgent, newKnowledge } from "../support/content.ts";
import { findStack } from "../support/stack.ts";

let team: Team;
let agentId: string;
let knowledgeId: string;
beforeAll(async () => {
  team = await newTeam();
  knowledgeId = (await newKnowledge(team, { "leave.md": "Everyone has 27 days of paid leave." })).id;
  agentId = await newAgent(team, { knowledgeIds: [knowledgeId], visibility: "public" });
});

const content = "How many days of paid leave?";
const from = (address: string) => ({ headers: { "X-Forwarded-For": address } });
/** A public address that no other test calls from. */
const newAddress = () => `23.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
const stream = (who: Client, options = {}) =>
  who.post("/v1/streams", { agentId, messages: [{ role: "user", content }] }, options);
const complete = (who: Client) =>
  who.post("/v1/streams/openai/chat/completions", {
    model: agentId,
    messages: [{ role: "user", content }],
  });
const callTool = (who: Client, name: string, args: Record<string, unknown>) =>
  who.post(
    "/v1/mcp",
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
    { headers: { Accept: "application/json, text/event-stream" } },
  );

/** Fills a limit for this minute and for those that a test may run into. */
async function useUp(key: string, hits: number): Promise<void> {
  const sql = await owner();
  const counted = await sql`update private.rate_limits set hits = ${hits} where key = ${key} returning key`;
  // The key is the one that was counted.
  expect(counted.length, key).toBeGreaterThan(0);
  await sql`
    insert into private.rate_limits (key, window_start, hits)
    select ${key}, to_timestamp(floor(extract(epoch from now()) / 60) * 60) + make_interval(mins => n), ${hits}
      from generate_series(0, 3) n
    on conflict (key, window_start) do update set hits = excluded.hits`;
}

const restore = async (key: string) => {
  const sql = await owner();
  await sql`delete from private.rate_limits where key = ${key}`;
};

function expectRefusal(answer: Answer, code: string, max: number): void {
  expect(answer).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
  const seconds = Number(answer.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  const params = { max: String(max), seconds: String(seconds) };
  expect(answer.body.details).toMatchObject([{ code, params }]);
  expect(answer.body.message).toContain(`${seconds} s`);
}

async function newChat(who: Client): Promise<string> {
  const { body } = await who.post(`/v1/agents/${agentId}/chats`, {});
  return `/v1/chats/${body.id}/messages`;
}

describe("a person of another team", () => {
  let stranger: Person;
  beforeAll(async () => {
    stranger = await newPerson();
    expect((await stream(stranger)).status).toBe(200);
  });

  test("is limited as a visitor is, in every protocol alike", async () => {
    const chat = await newChat(stranger);
    expect((await stranger.post(chat, { content })).status).toBe(200);
    await useUp(`answer:user:${stranger.id}`, 20);
    expectRefusal(await stream(stranger), "limitAnswersPerson", 20);
    const completion = await complete(stranger);
    expectRefusal(completion, "limitAnswersPerson", 20);
    expect(completion.body.error).toMatchObject({
      type: "rate_limit_error",
      message: completion.body.message,
    });
    expectRefusal(await stranger.post(chat, { content }), "limitAnswersPerson", 20);
    const agentPath = `/v1/agents/${agentId}/chats/${chat.split("/")[3]}`;
    expectRefusal(await stranger.post(`${agentPath}/summary`), "limitAnswersPerson", 20);
    const told = await callTool(stranger, "ask_agent", { agentId, question: content });
    expect(told.body.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^RATE_LIMITED: /) }],
    });
    // Refused questions left nothing in the chat.
    expect((await stranger.get(chat)).body.data).toHaveLength(2);
    const inFrench = await stream(stranger, { headers: { "Accept-Language": "fr" } });
    expect(inFrench.body.message).toMatch(/^Vous pouvez poser 20 questions par minute\./);
  });

  test("and their limit affects nobody else", async () => {
    expect((await stream(await newPerson())).status).toBe(200);
    const member = await newMember(team, "viewer");
    expect((await stream(member)).status).toBe(200);
    expect((await complete(member)).status).toBe(200);
  });
});

test("a visitor is limited, and can still read", async () => {
  const { body } = await anyone.post(`/v1/agents/${agentId}/chats`);
  const visitor = asVisitor(body.visitorToken);
  const path = `/v1/chats/${body.id}/messages`;
  expect((await visitor.post(path, { content })).status).toBe(200);
  const { visitor_id } = JSON.parse(atob(body.visitorToken.split(".")[1]));
  await useUp(`answer:visitor:${visitor_id}`, 20);
  expectRefusal(await visitor.post(path, { content }), "limitAnswersPerson", 20);
  expectRefusal(await stream(visitor), "limitAnswersPerson", 20);
  expect((await visitor.get(path)).status).toBe(200);
});

test("a member has a far higher limit, and so has a key", async () => {
  const member = await newMember(team, "viewer");
  expect((await stream(member)).status).toBe(200);
  await useUp(`answer:member:${member.id}`, 299);
  expect((await stream(member)).status).toBe(200);
  const next = await stream(member);
  // A minute that begins between the two has room for one more.
  expectRefusal(next.status === 200 ? await stream(member) : next, "limitAnswersPerson", 300);
  const made = (await team.owner.post(`${team.path}/apiKeys`, { name: "limits" })).body;
  const key = as(made.key);
  expect((await stream(key)).status).toBe(200);
  await useUp(`answer:apiKey:${made.id}`, 1200);
  expectRefusal(await stream(key), "limitAnswersApiKey", 1200);
});

describe("the team that pays", () => {
  test("limits strangers apart from its members", async () => {
    const stranger = await newPerson();
    expect((await stream(stranger)).status).toBe(200);
    const key = `answer:public:${team.id}`;
    await useUp(key, 600);
    expectRefusal(await stream(stranger), "limitAnswersTeam", 600);
    expectRefusal(await stream(anyone), "limitAnswersTeam", 600);
    expect((await stream(team.owner)).status).toBe(200);
    await restore(key);
    expect((await stream(stranger)).status).toBe(200);
  });

  test("limits its members", async () => {
    expect((await stream(team.owner)).status).toBe(200);
    const key = `answer:team:${team.id}`;
    await useUp(key, 3000);
    expectRefusal(await stream(team.owner), "limitAnswersTeam", 3000);
    await restore(key);
  });
});

test("searches are limited by person, key and team, through the API and MCP", async () => {
  const path = `${team.path}/knowledges/${knowledgeId}/records`;
  const member = await newMember(team, "viewer");
  const search = () => member.get(`${path}?query=leave`);
  expect((await search()).status).toBe(200);
  await useUp(`search:user:${member.id}`, 1200);
  expectRefusal(await search(), "limitSearchesPerson", 1200);
  const told = await callTool(member, "search_knowledge", { query: "leave" });
  expect(told.body.result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^RATE_LIMITED: /) }],
  });
  // A list is no search.
  expect((await member.get(path)).status).toBe(200);
  const key = `search:team:${team.id}`;
  await useUp(key, 6000);
  expectRefusal(await team.owner.get(`${path}?query=leave`), "limitSearchesTeam", 6000);
  await restore(key);
});

describe("a client address", () => {
  test("is limited apart from its neighbour behind the same proxy", async () => {
    const [one, other] = [newAddress(), newAddress()];
    expect((await stream(anyone, from(one))).status).toBe(200);
    await useUp(`answer:from:${one}`, 60);
    expectRefusal(await stream(anyone, from(one)), "limitAnswersAddress", 60);
    expect((await stream(anyone, from(other))).status).toBe(200);
    // Earlier entries of the header are the client's own.
    for (const spoofed of [
      newAddress(),
      "127.0.0.1",
      "10.0.0.1",
      "nonsense",
      `${newAddress()}, ${newAddress()}`,
    ]) {
      expectRefusal(await stream(anyone, from(`${spoofed}, ${one}`)), "limitAnswersAddress", 60);
    }
  });

  test("is the real one behind the web server, whatever a client sends", async () => {
    const { webUrl } = await findStack();
    const ask = async (forwardedFor: string) => {
      const answer = await fetch(`${webUrl}/v1/streams`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Origin: webUrl, "X-Forwarded-For": forwardedFor },
        body: JSON.stringify({ agentId, messages: [{ role: "user", content }] }),
      });
      await answer.text();
      return answer.status;
    };
    const [one, other] = [newAddress(), newAddress()];
    expect(await ask(one)).toBe(200);
    await useUp(`answer:from:${one}`, 60);
    expect([await ask(one), await ask(`${newAddress()}, ${one}`), await ask(other)]).toEqual([429, 429, 200]);
  });

  test("counts with its whole IPv6 network", async () => {
    const network = `2a01:${randomInt(65536).toString(16)}:${randomInt(65536).toString(16)}:1`;
    expect((await stream(anyone, from(`${network}::1`))).status).toBe(200);
    const sql = await owner();
    const [row] = await sql`select key from private.rate_limits where key like ${`answer:from:${network}%`}`;
    await useUp(row?.key, 60);
    expectRefusal(await stream(anyone, from(`${network}:ffff::2`)), "limitAnswersAddress", 60);
  });
});

test("outsiders start a limited number of chats, members any number", async () => {
  const stranger = await newPerson();
  const start = (who: Client) => who.post(`/v1/agents/${agentId}/chats`, {});
  const statuses: number[] = [];
  // Thirty in ten minutes, which may span two windows while this runs.
  for (let i = 0; i < 62; i++) statuses.push((await start(stranger)).status);
  expect(statuses.slice(0, 30)).toEqual(Array(30).fill(201));
  expect(statuses).toContain(429);
  const member = await newMember(team, "viewer");
  for (let i = 0; i < 35; i++) expect((await start(member)).status).toBe(201);
  const sql = await owner();
  const direct = await sql`select key from private.rate_limits where key like ${`direct:%${member.id}%`}`;
  expect(direct, "what is written through the API is not counted as past it").toEqual([]);
});

test("nobody writes more through PostgREST than through the API; members start more chats than strangers", async () => {
  const { supabaseUrl, anonKey } = await findStack();
  const write = async (who: { token: string }, table: string, row: object, count: number) => {
    const response = await fetch(`${supabaseUrl}/rest/v1/${table}?select=id`, {
      method: "POST",
      headers: {
        apikey: anonKey,
        authorization: `Bearer ${who.token}`,
        "content-type": "application/json",
        prefer: "return=representation",
      },
      body: JSON.stringify(Array(count).fill(row)),
    });
    return { status: response.status, rows: await response.json() };
  };
  const chat = { agent_id: agentId };
  const stranger = await newPerson();
  expect(await write(stranger, "chats", chat, 61)).toMatchObject({ status: 429, rows: { code: "PT429" } });
  const started = await write(stranger, "chats", chat, 30);
  expect(started.status).toBe(201);
  const question = { chat_id: started.rows[0].id, content: "Again?" };
  expect((await write(stranger, "messages", question, 1201)).status).toBe(429);
  expect((await write(stranger, "messages", question, 600)).status).toBe(201);
  expect((await write(stranger, "messages", question, 601)).status).toBe(429);
  // The API counts its own questions, against limits that an operator may raise.
  expect((await stranger.post(`/v1/chats/${question.chat_id}/messages`, { content })).status).toBe(200);
  const { key } = (await team.owner.post(`${team.path}/apiKeys`, { name: "Writer" })).body;
  const { accessToken: token } = (await as(key).post("/v1/auth/token")).body;
  for (const inTeam of [await newMember(team, "viewer"), { token }]) {
    const own = await write(inTeam, "chats", chat, 61);
    expect(own.status).toBe(201);
    const inOwn = { chat_id: own.rows[0].id, content: "Again?" };
    expect((await write(inTeam, "messages", inOwn, 600)).status).toBe(201);
    expect((await write(inTeam, "messages", inOwn, 601)).status).toBe(429);
  }
});
