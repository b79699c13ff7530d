// A team's models: the effective connection, the fallback of the chat model, usage and the cap. On a real database, with providers that
// speak OpenAI's protocol and fail on demand.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { ChatEvent } from "../../edge-functions/_shared/models/model-client.ts";
import { makeSmallTeams, user } from "../native/teams.ts";
import { type OpenAiFake, startOpenAiFake } from "../support/fakes/openai.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { asCaller, refusal } from "./acting.ts";

const key = "a key of this test alone which is long enough";
let database: TestPostgres;
let sql: Sql;
let environments: OpenAiFake;
let main: OpenAiFake;
let spare: OpenAiFake;
let team: string;
let models: typeof import("../../edge-functions/_shared/models/team-models.ts");
let db: typeof import("../../edge-functions/_shared/database/db.ts");
let seal: typeof import("../../edge-functions/_shared/secrets/secrets.ts").seal;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  [environments, main, spare] = await Promise.all([startOpenAiFake(), startOpenAiFake(), startOpenAiFake()]);
  const places = [main, spare].map(({ baseUrl }) => new URL(baseUrl).host).join(",");
  const settings = {
    DATABASE_URL: database.url("authenticator"),
    SUPABASE_URL: "http://127.0.0.1:9",
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: "service",
    WEB_URL: "http://127.0.0.1:9",
    SECRETS_KEY: key,
    OPENAI_API_KEY: "sk-environment",
    OPENAI_BASE_URL: environments.baseUrl,
    OPENAI_MODEL: "environment-model",
    OPENAI_EMBEDDING_DIMENSIONS: "8",
    PARLEY_OUTBOUND_ALLOW: places,
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  models = await import("../../edge-functions/_shared/models/team-models.ts");
  db = await import("../../edge-functions/_shared/database/db.ts");
  ({ seal } = await import("../../edge-functions/_shared/secrets/secrets.ts"));
});
afterAll(async () => {
  await db?.closeDatabase();
  vi.unstubAllEnvs();
  await Promise.all([environments?.stop(), main?.stop(), spare?.stop()]);
  await database?.stop();
});
beforeEach(async () => {
  team = (await makeSmallTeams(sql, 1))[0]?.id ?? "";
  await sql`delete from private.models`;
  for (const fake of [environments, main, spare]) {
    fake.requests.length = 0;
    fake.latencyMs = 0;
  }
  main.reply = "Main says so.";
  spare.reply = "Spare says so.";
  environments.reply = "The environment says so.";
});

type Row = {
  role: string;
  fake: OpenAiFake;
  model: string;
  owner?: string | null;
  price?: number;
  dimensions?: number;
};
async function connect({ role, fake, model, owner = team, price, dimensions }: Row): Promise<string> {
  const id = randomUUID();
  await sql`insert into private.models
    (id, team_id, role, provider, base_url, model, api_key, dimensions, prompt_price, completion_price)
    values (${id}, ${owner}, ${role}, 'custom', ${fake.baseUrl}, ${model}, ${seal(`sk-${model}`, `model:${id}`)},
            ${dimensions ?? null}, ${price ?? null}, ${price ?? null})`;
  return id;
}
const cap = (dollars: number) =>
  sql`insert into private.model_budgets (team_id, team_cap, month)
      values (${team}, ${dollars}, date_trunc('month', now() at time zone 'UTC'))
      on conflict (team_id) do update set team_cap = excluded.team_cap`;

const client = () => models.readTeamModels({ teamId: team, agentId: null, channel: "web" });
async function ask(signal?: AbortSignal) {
  const events: ChatEvent[] = [];
  const messages = [{ role: "user" as const, content: "Who says so?" }];
  for await (const event of (await client()).chatStream({ messages, signal })) events.push(event);
  const text = events.map((event) => (event.type === "delta" ? event.text : "")).join("");
  return { text, usage: events.find((event) => event.type === "usage") };
}
const usage = () =>
  sql`select channel, kind, model, calls, prompt_tokens::int as prompt, completion_tokens::int as completion,
             estimated_tokens::int as estimated, unpriced_tokens::int as unpriced, cost::float8 as cost
        from public.model_usage where team_id = ${team} order by kind, model`;
const countReservations = async () =>
  (await sql`select count(*)::int as n from private.model_reservations where team_id = ${team}`)[0]?.n;

describe("the effective model", () => {
  test("is the team's before the installation's, and that before the environment's", async () => {
    expect((await ask()).text).toBe("The environment says so.");
    await connect({ role: "chat", fake: spare, model: "theirs", owner: null });
    expect((await ask()).text).toBe("Spare says so.");
    await connect({ role: "chat", fake: main, model: "ours" });
    expect((await ask()).text).toBe("Main says so.");
    expect(main.requests[0]).toMatchObject({ authorization: "Bearer sk-ours", body: { model: "ours" } });
  });

  test("is never another team's", async () => {
    const [other] = await makeSmallTeams(sql, 1);
    await connect({ role: "chat", fake: main, model: "foreign", owner: other?.id });
    expect((await ask()).text).toBe("The environment says so.");
    expect(main.requests).toHaveLength(0);
  });

  test("at a team's own URL is called on the open internet only", async () => {
    const id = await connect({ role: "chat", fake: main, model: "ours" });
    for (const address of ["http://169.254.169.254/v1", "http://127.0.0.1:11434/v1", "https://10.0.0.1/v1"]) {
      await sql`update private.models set base_url = ${address} where id = ${id}`;
      await expect(ask()).rejects.toThrow(/cannot be reached/);
    }
  });

  test("has a key that opens, or none is sent", async () => {
    const id = await connect({ role: "chat", fake: main, model: "ours" });
    await sql`update private.models set api_key = ${seal("sk-moved", "model:another")} where id = ${id}`;
    const told = vi.spyOn(console, "error").mockImplementation(() => {});
    await ask();
    expect(main.requests[0]?.authorization).toBe("Bearer none");
    expect(told.mock.calls.join()).toContain("cannot be opened");
    told.mockRestore();
  });
});

describe("the fallback", () => {
  beforeEach(async () => {
    await connect({ role: "chat", fake: main, model: "ours", price: 1 });
    await connect({ role: "fallback", fake: spare, model: "spare", price: 2 });
  });

  test.each([
    { how: "status", status: 429, headers: { "retry-after": "30" } },
    { how: "status", status: 429, code: "insufficient_quota" },
    { how: "status", status: 402 },
    { how: "status", status: 503 },
  ] as const)("answers for a model that is %j", async (behaviour) => {
    main.next(behaviour);
    const { text, usage: told } = await ask();
    expect([text, told]).toEqual([
      "Spare says so.",
      { type: "usage", promptTokens: 11, completionTokens: 5, model: "spare", fallback: true },
    ]);
    expect(main.requests).toHaveLength(1);
    expect(await usage()).toMatchObject([{ model: "spare", prompt: 11, completion: 5, cost: 32e-6 }]);
  });

  test("answers for a model that hangs up, on a new connection too", async () => {
    main.next({ how: "hang up" }, { how: "hang up" });
    expect((await ask()).text).toBe("Spare says so.");
    main.forget();
    expect(await usage()).toMatchObject([{ model: "spare" }]);
  });

  test("answers for a model that is silent before its first word", async () => {
    main.next({ how: "silence" });
    const spender = { teamId: team, agentId: null, channel: "web" };
    const impatient = await models.readTeamModels(spender, { chatTimeoutMs: 200 });
    const said: ChatEvent[] = [];
    for await (const event of impatient.chatStream({ messages: [{ role: "user", content: "?" }] }))
      said.push(event);
    expect(said.at(-1)).toMatchObject({ type: "usage", model: "spare", fallback: true });
  });

  test("does not take over a started reply, nor one rejected because of its content", async () => {
    main.next({ how: "drop", after: 2 });
    await expect(ask()).rejects.toThrow(/lost/);
    main.next({ how: "status", status: 400 });
    await expect(ask()).rejects.toThrow(/refused/);
    expect(spare.requests).toHaveLength(0);
    // Text before the failure was paid for; a rejected call was not.
    expect(await usage()).toMatchObject([{ model: "ours", calls: 1, estimated: expect.any(Number) }]);
  });

  test("of the installation is not used for a team's own model", async () => {
    await sql`update private.models set team_id = null where role = 'fallback'`;
    main.next({ how: "status", status: 503 }, { how: "status", status: 503 }, { how: "status", status: 503 });
    await expect(ask()).rejects.toThrow(/reports an error/);
    expect(spare.requests).toHaveLength(0);
  });
});

describe("usage", () => {
  test("has tokens and cost as the provider reports them, or computed ones", async () => {
    await connect({ role: "chat", fake: main, model: "ours", price: 10 });
    await ask();
    await ask();
    main.reportsUsage = false;
    const { usage: told } = await ask();
    main.reportsUsage = true;
    expect(told).toMatchObject({ estimated: true, promptTokens: 4, completionTokens: 4 });
    expect(await usage()).toEqual([
      expect.objectContaining({
        channel: "web",
        kind: "chat",
        model: "ours",
        calls: 3,
        prompt: 26,
        completion: 14,
      }),
    ]);
    expect((await usage())[0]).toMatchObject({ estimated: 8, unpriced: 0, cost: 400e-6 });
  });

  test("is counted for a reply that is cut short, which fails unless its caller set the limit", async () => {
    await connect({ role: "chat", fake: main, model: "ours", price: 10 });
    const choices = [{ delta: { content: "Main" }, finish_reason: "length" }];
    main.next({ how: "events", events: [{ choices }] }, { how: "events", events: [{ choices }] });
    await expect(ask()).rejects.toMatchObject({ kind: "too_long" });
    const messages = [{ role: "user" as const, content: "?" }];
    for await (const event of (await client()).chatStream({ messages, maxTokens: 8 })) void event;
    expect(await usage()).toMatchObject([{ model: "ours", calls: 2 }]);
  });

  test("of a model without a price has no cost, and embeddings count beside it", async () => {
    await connect({ role: "embedding", fake: main, model: "vectors", dimensions: 8 });
    await (await client()).embed(["one", "two"]);
    expect(await usage()).toMatchObject([
      { kind: "embedding", model: "vectors", prompt: 7, unpriced: 7, cost: 0 },
    ]);
  });
});

describe("the cap", () => {
  beforeEach(async () => {
    await connect({ role: "chat", fake: main, model: "ours", price: 100 });
  });

  test("reserves the cost of the longest reply before the call, and releases the rest", async () => {
    await cap(0.5);
    expect((await ask()).text).toBe("Main says so.");
    expect(main.requests[0]?.body).toMatchObject({ max_tokens: 4096 });
    expect(await countReservations()).toBe(0);
    expect(await usage()).toMatchObject([{ cost: 16e-4 }]);
  });

  test("refuses before the model is called, with a sentence for the asker", async () => {
    await cap(0.4);
    await expect(ask()).rejects.toMatchObject({ code: "BUDGET_REACHED", status: 402 });
    expect(main.requests).toHaveLength(0);
    expect(await countReservations()).toBe(0);
  });

  test("counts tool descriptions and tool calls like any other tokens", async () => {
    await cap(0.5);
    const tools = [{ name: "f", description: "x".repeat(2_000), parameters: {} }];
    const call = async () => {
      for await (const _event of (await client()).chatStream({
        messages: [{ role: "user", content: "?" }],
        tools,
      }));
    };
    await expect(call()).rejects.toMatchObject({ code: "BUDGET_REACHED" });
    await cap(1);
    main.calls = () => [{ name: "f", arguments: "{}" }];
    main.reportsUsage = false;
    await call();
    main.calls = () => [];
    main.reportsUsage = true;
    const [row] = await usage();
    expect(row?.prompt).toBeGreaterThan(400);
    expect(row?.completion).toBeGreaterThan(0);
    expect(await countReservations()).toBe(0);
  });

  const capInstallations = (dollars: number) =>
    sql`insert into private.model_budgets (team_id, installation_cap, month)
        values (${team}, ${dollars}, date_trunc('month', now() at time zone 'UTC'))
        on conflict (team_id) do update set installation_cap = excluded.installation_cap`;

  test("of the installation limits what it pays, beside the team's own, and not the team's connections", async () => {
    await capInstallations(0.1);
    expect((await ask()).text, "the team pays").toBe("Main says so.");
    await cap(100);
    expect((await ask()).text, "the team pays, within its own cap").toBe("Main says so.");
    await sql`delete from private.models where team_id = ${team}`;
    await connect({ role: "chat", fake: spare, model: "theirs", owner: null, price: 100 });
    await expect(ask()).rejects.toMatchObject({ code: "BUDGET_REACHED" });
    await capInstallations(0.5);
    expect((await ask()).text).toBe("Spare says so.");
    await cap(0.4);
    await expect(ask(), "the lower one holds").rejects.toMatchObject({ code: "BUDGET_REACHED" });
    const [row] = await sql`
      select spent::float8 as spent, installation_spent::float8 as installations from private.model_budgets where team_id = ${team}`;
    expect(row?.spent).toBeCloseTo(48e-4, 6);
    expect(row?.installations).toBeCloseTo(16e-4, 6);
  });

  test("of the installation counts what is reserved for it, and starts anew every month", async () => {
    await sql`delete from private.models where team_id = ${team}`;
    await connect({ role: "chat", fake: spare, model: "theirs", owner: null, price: 100 });
    await capInstallations(0.5);
    const reserve = (isInstallations: boolean) => sql`
      insert into private.model_reservations (team_id, cost, expires_at, is_installations)
      values (${team}, 0.5, now() + interval '1 minute', ${isInstallations})`;
    await reserve(false);
    await ask();
    await reserve(true);
    await expect(ask()).rejects.toMatchObject({ code: "BUDGET_REACHED" });
    await sql`delete from private.model_reservations where team_id = ${team}`;
    await sql`update private.model_budgets set installation_spent = 0.5 where team_id = ${team}`;
    await expect(ask()).rejects.toMatchObject({ code: "BUDGET_REACHED" });
    await sql`update private.model_budgets set month = month - interval '1 month' where team_id = ${team}`;
    expect((await ask()).text).toBe("Spare says so.");
  });

  test("of a new team is the operator's, and no caller of the team changes it", async () => {
    await sql`update private.operator_limits set new_team_cap = 2.5`;
    const [made] = await makeSmallTeams(sql, 1);
    await sql`update private.operator_limits set new_team_cap = null`;
    const [free] = await makeSmallTeams(sql, 1);
    const capOf = async (id = "") =>
      await sql`select installation_cap::float8 as cap, team_cap from private.model_budgets where team_id = ${id}`;
    expect(await capOf(made?.id)).toEqual([{ cap: 2.5, team_cap: null }]);
    expect(await capOf(free?.id)).toEqual([]);
    for (const statement of [
      "update private.model_budgets set installation_cap = null",
      "update private.operator_limits set new_team_cap = null",
      "select private.reserve_model_cost(null, 1, 1)",
    ])
      expect(await refusal(asCaller(sql, user(made?.owners[0] ?? ""), (tx) => tx.unsafe(statement)))).toBe(
        "42501",
      );
  });

  test("releases a dead process's reservation, and resets every month", async () => {
    await cap(0.5);
    await sql`insert into private.model_reservations (team_id, cost, expires_at)
              values (${team}, 0.5, now() + interval '1 minute')`;
    await expect(ask()).rejects.toMatchObject({ code: "BUDGET_REACHED" });
    await sql`update private.model_reservations set expires_at = now() - interval '1 second' where team_id = ${team}`;
    await ask();
    await sql`update private.model_budgets set spent = 0.5 where team_id = ${team}`;
    await expect(ask()).rejects.toMatchObject({ code: "BUDGET_REACHED" });
    await sql`update private.model_budgets set month = month - interval '1 month' where team_id = ${team}`;
    await ask();
    const [row] = await sql`select spent::float8 as spent from private.model_budgets where team_id = ${team}`;
    expect(row?.spent).toBeCloseTo(16e-4, 9);
  });

  test("releases a failed reply's reservation", async () => {
    await cap(0.5);
    main.next({ how: "status", status: 400 });
    await expect(ask()).rejects.toThrow(/refused/);
    expect(await countReservations()).toBe(0);
  });

  test("warns once a month, when the share is reached", async () => {
    await cap(0.5);
    const settle = (price: number) => sql`
      select private.settle_model_cost(null, ${team}, null, 'web', 'chat', 'm', 1, 1, 0, 0, ${price}) as warn`;
    const warnings = [];
    for (const price of [0.3, 0.1, 0.05, 0.2]) warnings.push((await settle(price))[0]?.warn);
    expect(warnings).toEqual([false, true, false, false]);
  });
});

describe("a space being left", () => {
  test("is searched through its own connection, until it is empty", async () => {
    const old = await connect({ role: "earlierEmbedding", fake: spare, model: "old", dimensions: 4 });
    await connect({ role: "embedding", fake: main, model: "new", dimensions: 8 });
    spare.dimensions = 4;
    const using = await client();
    expect((await using.embed(["one"]))[0]).toHaveLength(8);
    const [vector] = await using.embed(["one"], { model: `connection:${old}`, dimensions: 4 });
    expect(vector).toHaveLength(4);
    expect(spare.requests[0]?.body).toMatchObject({ model: "old" });
    await expect(
      using.embed(["one"], { model: `connection:${randomUUID()}`, dimensions: 4 }),
    ).rejects.toThrow(/no longer connected/);
    await sql`set session_replication_role = replica`;
    await sql`update private.models set updated_at = now() - interval '1 hour'`;
    await sql`set session_replication_role = origin`;
    const [space] = await sql`insert into public.vectors (name, model, dimensions)
                              values ('Old', ${`connection:${old}`}, 4) returning id`;
    const [knowledge] = await sql`insert into public.knowledges (team_id, name, vector_id)
                                  values (${team}, 'K', ${space?.id}) returning id`;
    await sql`select private.sweep_models(100)`;
    expect(await sql`select 1 from private.models where id = ${old}`).toHaveLength(1);
    await sql`delete from public.knowledges where id = ${knowledge?.id}`;
    await sql`select private.sweep_models(100)`;
    expect(await sql`select role from private.models`).toEqual([{ role: "embedding" }]);
  });
});
