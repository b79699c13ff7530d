// Runs the command of docs/agent-tests.md, as a pipeline does, with the page's own file.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newTeam, type Team } from "../support/api.ts";
import { newAgent, newKnowledge } from "../support/content.ts";
import { type OpenAiFake, startOpenAiFake } from "../support/fakes/openai.ts";
import { findStack } from "../support/stack.ts";
import { say, sayIn } from "../support/words.ts";

/** A port that the stack may call: tests/support/runner/one-stack.mjs. */
const servicePort = 54345 + Number(process.env.PARLEY_PORT_OFFSET ?? 0);

const page = readFileSync("docs/agent-tests.md", "utf8");
const blockIn = (language: string) =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? "";
const run = promisify(execFile);

let team: Team;
let agentId: string;
let key: string;
beforeAll(async () => {
  team = await newTeam();
  const knowledge = await newKnowledge(team, {
    "leave.md": "Everyone has 27 days of paid leave per calendar year.",
  });
  agentId = await newAgent(team, { knowledgeIds: [knowledge.id] });
  key = (await team.owner.post(`${team.path}/apiKeys`, { name: "CI" })).body.key;
});

/** The page's command with an agent and this stack. */
async function command(more: string[] = [], apiKey = key, agent = agentId, url?: string) {
  const apiUrl = url ?? (await findStack()).apiUrl;
  const words = blockIn("sh").trim().split(/\s+/);
  const put: Record<string, string> = {
    AGENT_ID: agent,
    "http://127.0.0.1:54321/functions/v1": apiUrl,
  };
  const [program = "", ...args] = words.map((word) => put[word] ?? word);
  return await run(program, [...args, ...more], { env: { ...process.env, PARLEY_API_KEY: apiKey } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

test("the command runs the page's tests, prints them and exits with their result", async () => {
  expect(await command()).toMatchObject({ code: 2, stderr: "The agent has no tests.\n" });
  const imported = await team.owner.post(`${team.path}/agents/${agentId}/tests/import`, {
    csv: blockIn("csv"),
  });
  expect(imported.body).toEqual({ added: 2, unchanged: 0, refused: [] });
  const good = await command();
  expect(good).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("2 tests, 0 broken, 0 fixed, 0 undecided"),
  });
  expect(good.stdout).toMatch(/1 {2}passed .*How many days of paid leave/);

  await team.owner.post(`${team.path}/agents/${agentId}/tests`, {
    question: "How many days of leave?",
    facts: ["31 days"],
  });
  expect(await command()).toMatchObject({ code: 1, stdout: expect.stringContaining("3 tests, 1 broken") });

  // A draft that breaks one test passing live.
  const draft = await team.owner.post(`${team.path}/agents/${agentId}/versions`, { knowledgeIds: [] });
  const broken = await command(["--version", draft.body.id]);
  expect(broken).toMatchObject({ code: 1, stdout: expect.stringContaining("Version 2 against version 1") });
  expect(await command([], "prl_none")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("/v1/teams"),
  });
  expect(await command([], "")).toMatchObject({ code: 2, stderr: expect.stringContaining("PARLEY_API_KEY") });
});

test("the command waits for a server that restarts, and says which one does not answer", async () => {
  const { apiUrl } = await findStack();
  let restarts = 2;
  const proxy = createServer(async (request, response) => {
    if (request.method === "GET" && request.url?.includes("/runs/") && restarts-- > 0) {
      if (restarts > 0) return void request.socket.destroy();
      return void response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");
    }
    const answer = await fetch(apiUrl + request.url, {
      method: request.method,
      headers: { authorization: request.headers.authorization ?? "", "content-type": "application/json" },
      body: request.method === "POST" ? "{}" : undefined,
    });
    response.writeHead(answer.status).end(await answer.text());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  // A server that listens on TCP has such an address.
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const ran = await command([], key, agentId, url);
  expect([ran.stderr, ran.stdout, restarts < 0]).toEqual(["", expect.stringContaining("3 tests"), true]);
  await new Promise((resolve) => proxy.close(resolve));
  expect(await command([], key, agentId, url)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${url} cannot be reached`),
  });
});

describe("with a language model", () => {
  let asking: Team;
  let fake: OpenAiFake;
  let agent: string;
  let keyOfTeam: string;
  beforeAll(async () => {
    asking = await newTeam();
    fake = await startOpenAiFake(servicePort);
    const connection = {
      role: "chat",
      provider: "custom",
      baseUrl: fake.baseUrl,
      model: "a-model",
      apiKey: "sk-x",
      promptPrice: 10,
    };
    expect((await asking.owner.post(`${asking.path}/models`, connection)).status).toBe(201);
    agent = await newAgent(asking, {});
    for (const fact of ["the head of finance", "Ms Moreau"])
      await asking.owner.post(`${asking.path}/agents/${agent}/tests`, {
        question: "Whom do I ask?",
        facts: [fact],
      });
    keyOfTeam = (await asking.owner.post(`${asking.path}/apiKeys`, { name: "CI" })).body.key;
  });
  afterAll(async () => await fake?.stop());

  test("exits with 1 when nothing is broken and a test is undecided, because its judge is away", async () => {
    fake.reply = ({ messages }) =>
      JSON.stringify(messages).includes("You check an answer") ? null : "Ask Ms Moreau.";
    expect(await command([], keyOfTeam, agent)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("2 tests, 0 broken, 0 fixed, 1 undecided"),
      stderr: "",
    });
  });

  test("exits with 1 and the reason when the budget ends the run, which is told in the reader's language", async () => {
    fake.reply = "Ask Ms Moreau.";
    expect((await asking.owner.put(`${asking.path}/budget`, { cap: 0.000_001 })).status).toBe(200);
    expect(await command([], keyOfTeam, agent)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(say("problems:sentences.budgetReached")),
    });
    const runs = `${asking.path}/agents/${agent}/tests/runs`;
    const french = { headers: { "Accept-Language": "fr" } };
    const [listed] = (await asking.owner.get(runs, french)).body.data;
    const { body } = await asking.owner.get(`${runs}/${listed.id}`, french);
    const error = sayIn("fr")("problems:sentences.budgetReached");
    expect([listed, body]).toMatchObject([
      { status: "stopped", error },
      { status: "stopped", error },
    ]);
  });
});
