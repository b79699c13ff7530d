// The statements of a request through /rest/v1, as they reach Postgres: one message opens its transaction, and nothing else is looked up.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createLite, type Lite } from "../../supabase/local/gateway/lite.ts";
import { createGateway } from "../../supabase/local/gateway/server.ts";
import { jwtSecret, signToken } from "../support/gateway.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { type StatementLog, startStatementLog } from "../support/statement-log.ts";

let database: TestPostgres;
let log: StatementLog;
let lite: Lite;
let gateway: ReturnType<typeof createGateway>;
let token: string;

beforeAll(async () => {
  database = await startTestPostgres();
  const url = new URL(database.url("postgres"));
  log = await startStatementLog(Number(url.port));
  url.port = String(log.port);
  const id = "11111111-1111-4111-8111-111111111111";
  token = await signToken({ role: "authenticated", sub: id, session_id: id });
  const settings = {
    port: 0,
    databaseUrl: url.href,
    jwtSecret,
    anonKey: token,
    serviceKey: token,
    supabaseUrl: "http://127.0.0.1",
    webUrl: "http://127.0.0.1:3000",
    smtpUrl: "smtp://127.0.0.1:1",
    storageDir: "/nowhere",
    mailFrom: "Parley <no-reply@parley.test>",
    functions: {},
  };
  lite = await createLite(settings);
  gateway = createGateway(settings, lite);
  // The first request reads the schema.
  await send("GET", "teams?select=id");
});
afterAll(async () => {
  await lite.close();
  await log.stop();
  await database.stop();
});
beforeEach(() => {
  log.statements.length = 0;
});

async function send(method: string, path: string, body?: object): Promise<number> {
  const response = await gateway.request(`/rest/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  await response.text();
  return response.status;
}

/** The first words of each message. */
const messages = () => log.statements.map((text) => text.split(" ").slice(0, 3).join(" "));

test("a read is its opening with its caller, its statement and its commit", async () => {
  expect(await send("GET", "teams?select=id&name=eq.Acme")).toBe(200);
  expect(messages()).toEqual(["begin; set local", 'select "id" from', "commit"]);
  expect(log.statements[0]).toMatch(/set local role = E'authenticated'$/);
});

test("a refused change is rolled back", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await send("PATCH", "chunks?id=eq.11111111-1111-4111-8111-111111111111", { content: "x" })).toBe(
    403,
  );
  expect(messages()).toEqual(["begin; set local", 'update "chunks" set', "rollback"]);
  logged.mockRestore();
});

test("a transaction that begins with values, or has no statement, is whole", async () => {
  const { kysely, driver } = lite.app.connection;
  await kysely.transaction().execute(async (tx) => {
    await tx.selectFrom("pg_catalog.pg_class").select("oid").where("relname", "=", "teams").execute();
  });
  expect(messages()).toEqual(["begin", 'select "oid" from', "commit"]);
  log.statements.length = 0;
  expect(await kysely.transaction().execute(async () => "nothing")).toBe("nothing");
  expect(messages()).toEqual([]);
  expect(await driver`select 1 as one`).toEqual([{ one: 1 }]);
});
