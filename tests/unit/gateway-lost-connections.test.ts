// The gateway's connections to a database that goes away while they are used, and what they leave in memory.
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { longest, openBounded } from "../../supabase/local/gateway/bounded-socket.ts";
import { refuseAfterLoss } from "../../supabase/local/gateway/lost-connections.ts";
import { collectGarbage } from "../support/collect-garbage.ts";
import { signToken, startTestGateway } from "../support/gateway.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

let database: TestPostgres;
let driver: postgres.Sql;
const sockets = new Set<Socket>();
/** While true, what the driver sends is lost, and nothing says so. */
let isDropping = false;
/** Between the driver and the database, so that the connections can be cut. */
const between = createServer((client) => {
  const server = connect(Number(new URL(database.url("postgres")).port), "127.0.0.1");
  for (const socket of [client, server]) {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  }
  server.pipe(client);
  client.on("data", (bytes) => void (isDropping || server.write(bytes)));
  client.on("end", () => server.end());
});

beforeAll(async () => {
  database = await startTestPostgres({ bare: true, limits: {} });
  await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
  const url = new URL(database.url("postgres"));
  url.port = String((between.address() as AddressInfo).port);
  driver = postgres(url.href, { max: 1, backoff: false, onnotice: () => {} });
  refuseAfterLoss(driver);
});
afterAll(async () => {
  await driver?.end({ timeout: 1 });
  between.close();
  await database?.stop();
});

const cut = async () => {
  const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once("close", resolve)));
  for (const socket of sockets) socket.destroy();
  await Promise.all(closed);
};

test.each([
  ["between two statements", "select 1"],
  ["during a statement", "select pg_sleep(0.3)"],
  ["during a statement with values", "select pg_sleep($1)"],
])("a transaction whose connection is lost %s fails, and the next one runs", async (when, statement) => {
  const reserved = await driver.reserve();
  await reserved.unsafe("begin");
  const running = reserved.unsafe(statement, statement.includes("$1") ? [0.3] : []).execute();
  if (when === "between two statements") await running;
  const ended = running.then(
    () => "ran",
    () => "lost",
  );
  await cut();
  expect(await ended).toBe(when === "between two statements" ? "ran" : "lost");
  await expect(async () => await reserved.unsafe("rollback")).rejects.toThrow(/CONNECTION_|ECONN/);
  reserved.release();
  const next = await driver.reserve();
  expect(await next.unsafe("select 1 as n")).toEqual([{ n: 1 }]);
  next.release();
});

test("a statement that a broken network takes away fails, and the next one runs; an idle connection stays", async () => {
  const usual = longest.silentMs;
  longest.silentMs = 500;
  const url = new URL(database.url("postgres"));
  url.port = String((between.address() as AddressInfo).port);
  // The driver has this option and its types do not.
  const bounded = postgres(url.href, { max: 1, backoff: false, ...{ socket: openBounded } });
  refuseAfterLoss(bounded);
  const idle = await bounded.reserve();
  const [before] = await idle.unsafe("select pg_backend_pid() as pid");
  await sleep(1200);
  expect(await idle.unsafe("select pg_backend_pid() as pid")).toEqual([before]);
  idle.release();
  const reserved = await bounded.reserve();
  isDropping = true;
  await expect(async () => await reserved.unsafe("select 1")).rejects.toMatchObject({
    code: "CONNECTION_SILENT",
  });
  isDropping = false;
  reserved.release();
  const next = await bounded.reserve();
  expect(await next.unsafe("select 1 as n")).toEqual([{ n: 1 }]);
  next.release();
  await bounded.end({ timeout: 1 });
  longest.silentMs = usual;
});

test("a released connection leaves its rows to the garbage collector, though its statements are still there", async () => {
  const reserved = await driver.reserve();
  const statement = reserved.unsafe("select 1 as one");
  const rows = new WeakRef(await statement);
  reserved.release();
  await sleep(0);
  collectGarbage();
  expect(statement).toBeInstanceOf(Promise);
  expect(rows.deref()).toBeUndefined();
});

test("a request without a database gets 503, whoever sends it", async () => {
  const gateway = await startTestGateway();
  const token = await signToken({ role: "authenticated", sub: "019a0000-0000-7000-8000-000000000003" });
  const read = async () => {
    const headers = { apikey: gateway.anonKey, authorization: `Bearer ${token}` };
    const answers = [
      await fetch(`${gateway.url}/rest/v1/teams?select=id`, { headers }),
      await gateway.asService("/rest/v1/teams?select=id"),
      await gateway.asService("/storage/v1/bucket"),
    ];
    return answers.map(({ status }) => status);
  };
  expect(await read()).toEqual([200, 200, 200]);
  await gateway.stopDatabase();
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await read()).toEqual([503, 503, 503]);
  errors.mockRestore();
  await gateway.stop();
});
