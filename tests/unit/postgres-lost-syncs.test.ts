// The embedded Postgres while the disk is slow, and after it has failed: no client hears of a commit that the disk does not have.
import { rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { query } from "../../supabase/local/postgres/protocol.ts";
import { copyTemplate } from "../support/postgres.ts";
import { errorIn, RawClient, rows, types } from "../support/postgres-raw-client.ts";

/** Ends the syncs that are held, in their order. */
const held: ((error?: Error) => void)[] = [];
let isHolding = false;
vi.mock("node:fs/promises", async (actual) => {
  const real = await actual<typeof import("node:fs/promises")>();
  const datasync = () =>
    isHolding
      ? new Promise<void>((resolve, reject) => {
          held.push((error) => (error ? reject(error) : resolve()));
        })
      : Promise.resolve();
  return { ...real, open: async () => ({ datasync, close: async () => {} }) };
});
const { startPostgres } = await import("../../supabase/local/postgres/server.ts");

const passwords = { postgres: "test-postgres", authenticator: "test-authenticator" };
const diskError = new Error("EIO: i/o error, fdatasync");
let folder: string;
let running: Awaited<ReturnType<typeof startPostgres>>;
let clients: RawClient[];

beforeAll(async () => {
  const copy = await copyTemplate("bare");
  folder = copy.folder;
  const limits = { statementMs: 2000 };
  running = await startPostgres({ dataDir: copy.dataDir, port: 0, passwords, limits });
  await (await logIn()).query("create table kept (n int)");
});
afterAll(async () => {
  await running?.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  clients = [await logIn(), await logIn()];
  await clients[0]?.query("truncate kept");
  isHolding = true;
});
afterEach(() => {
  isHolding = false;
  for (const end of held.splice(0)) end();
  for (const client of clients) client.destroy();
});

const logIn = async () => (await RawClient.login(running.port, "postgres", passwords.postgres)).client;
const someClients = () => clients as [RawClient, RawClient];
const isHeld = (count = 1) => expect.poll(() => held).toHaveLength(count);

async function readKept(): Promise<string[]> {
  isHolding = false;
  const client = await logIn();
  clients.push(client);
  return rows(await client.query("select n from kept order by n")).map(([n]) => String(n));
}

/** Inside a transaction, whose answers wait for no sync. */
async function countRows(): Promise<number> {
  const client = await logIn();
  const answers = await client.query("begin; select count(*) from kept");
  client.destroy();
  return Number(rows(answers)[0]?.[0]);
}

it("answers no commit of a pipeline that goes on in the next transaction", async () => {
  const [client] = someClients();
  client.send(query("insert into kept values (1)"), query("begin"));
  await isHeld();
  held[0]?.(diskError);
  const answers = await client.until("Z");
  expect(types(answers)).toBe("E");
  expect(errorIn(answers)).toMatchObject({ S: "FATAL", C: "57P02" });
});

it("answers no commit that stands before begin in one text", async () => {
  const [client] = someClients();
  await client.query("begin");
  client.send(query("insert into kept values (1); commit; begin"));
  await isHeld();
  held[0]?.(diskError);
  expect(errorIn(await client.until("Z"))).toMatchObject({ C: "57P02" });
});

it("runs no rest of a transaction whose start was lost with the engine", async () => {
  const [first, second] = someClients();
  first.send(query("insert into kept values (1)"));
  await isHeld();
  await second.query("begin");
  await second.query("insert into kept values (2)");
  held[0]?.(diskError);
  expect(errorIn(await first.until("Z"))).toMatchObject({ S: "ERROR", C: "57P02" });
  isHolding = false;
  second.send(query("insert into kept values (3); commit"));
  expect(errorIn(await second.until("Z"))).toMatchObject({ S: "FATAL", C: "57P02" });
  const left = await readKept();
  expect(left).not.toContain("2");
  expect(left).not.toContain("3");
  expect(errorIn(await first.query("insert into kept values (4)"))).toBeNull();
});

it("answers those who wait for the sync after a failed one with the failure", async () => {
  const [first, second] = someClients();
  first.send(query("insert into kept values (1)"));
  await isHeld();
  second.send(query("insert into kept values (2)"));
  await expect.poll(countRows).toBe(2);
  isHolding = false;
  held[0]?.(diskError);
  for (const client of [first, second])
    expect(errorIn(await client.until("Z"))).toMatchObject({ C: "57P02" });
});

it("waits for the disk, too, when another's statement has ended the engine meanwhile", async () => {
  const [first, second] = someClients();
  first.send(query("insert into kept values (1)"));
  await isHeld();
  const endless = "do $$ begin loop null; end loop; end $$";
  expect(errorIn(await second.query(endless))).toMatchObject({ C: "57014" });
  held[0]?.(diskError);
  expect(errorIn(await first.until("Z"))).toMatchObject({ C: "57P02" });
});
