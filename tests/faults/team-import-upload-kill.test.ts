// kill -9 of the storage while it takes an archive: the bytes that it had written and not recorded are found and deleted.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { sweepUnrecorded } from "../../supabase/local/gateway/unrecorded-bytes.ts";
import { stubSettings } from "../support/function-settings.ts";
import { startFuse } from "../support/fuse.ts";
import { jwtSecret, signToken } from "../support/gateway.ts";
import { startTestPostgres } from "../support/postgres.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** A port that nothing listens at. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it("deletes an archive's part that a killed storage had written and not recorded", async () => {
  const database = await startTestPostgres();
  stops.push(() => database.stop());
  const sql = database.connect("postgres", { max: 1 });
  const fuse = await startFuse(database.port);
  stops.push(() => fuse.stop());
  const dir = mkdtempSync(join(tmpdir(), "parley-archive-"));
  stops.push(() => rmSync(dir, { recursive: true, force: true }));
  const port = await freePort();
  const databaseUrl = new URL(database.url("postgres"));
  databaseUrl.port = String(fuse.port);
  const [anon, service] = await Promise.all(
    ["anon", "service_role"].map((role) => signToken({ role, iss: "supabase-local" })),
  );
  const gateway = spawn(process.execPath, ["--import", "tsx", "supabase/local/gateway/main.ts"], {
    stdio: "ignore",
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: databaseUrl.href,
      JWT_SECRET: jwtSecret,
      SUPABASE_ANON_KEY: anon,
      SUPABASE_SERVICE_ROLE_KEY: service,
      SUPABASE_URL: `http://127.0.0.1:${port}`,
      WEB_URL: "http://127.0.0.1:3000",
      SMTP_URL: "smtp://127.0.0.1:9",
      STORAGE_DIR: dir,
    },
  });
  const gone = new Promise<void>((resolve) => gateway.once("exit", () => resolve()));
  stops.push(() => gateway.kill("SIGKILL"));
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${url}/health`)).ok).toBe(true), {
    timeout: 120_000,
    interval: 200,
  });

  stubSettings({
    DATABASE_URL: database.url("authenticator"),
    SUPABASE_URL: url,
    SUPABASE_SERVICE_ROLE_KEY: service ?? "",
  });
  stops.push(() => vi.unstubAllEnvs());
  const { startImport } = await import("../../edge-functions/v1/teams/importing.ts");
  const { closeDatabase } = await import("../../edge-functions/_shared/database/db.ts");
  stops.push(() => closeDatabase());
  // In the record, which follows the bytes.
  fuse.burnAt("httpStatusCode", false, () => gateway.kill("SIGKILL"));
  const request = new Request("http://parley.test", { method: "POST", body: "an archive" });
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const imported = startImport({ role: "authenticated", sub: randomUUID() }, request, {});
  await expect(imported).rejects.toThrow();
  log.mockRestore();
  await gone;

  const files = () =>
    readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files()).toHaveLength(1);
  expect(await sql`select 1 from storage.objects`).toHaveLength(0);
  const sweep = (days: number) => sweepUnrecorded(dir, sql, Date.now() + days * 86_400_000);
  expect(await sweep(1.1)).toEqual({ setAside: 1, putBack: 0, deleted: 0 });
  expect(await sweep(8.2)).toEqual({ setAside: 0, putBack: 0, deleted: 1 });
  expect(files()).toHaveLength(0);
});
