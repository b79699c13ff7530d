// kill -9 of the database at random points, exact to the worker's message.
import { rmSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { ChangingDocuments } from "../support/changing-documents.ts";
import { startFuse } from "../support/fuse.ts";
import { startIndexingStand } from "../support/indexing-stand.ts";
import { copyTemplate } from "../support/postgres.ts";
import { PostgresProcess, reservePostgres } from "../support/postgres-process.ts";
import { seededRandom } from "../support/seed.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

describe("kill -9", () => {
  it("of the database at 5 points loses nothing that the worker had written", async () => {
    const random = seededRandom("5 deaths of the database");
    const { folder } = await copyTemplate();
    stops.push(() => rmSync(folder, { recursive: true, force: true }));
    const { offset, port } = await reservePostgres();
    let database = await new PostgresProcess(folder, offset).ready();
    const stand = await startIndexingStand({
      url: (login) => `postgres://${login}:test-${login}@127.0.0.1:${port}/postgres`,
      connect: (login) => database.connect(login),
      stop: async () => void (await database.kill("SIGTERM")),
    });
    stops.push(() => stand.stop());
    const fuse = await startFuse(port);
    stops.push(() => fuse.stop());
    const work = new ChangingDocuments(stand);
    await work.begin();
    const worker = await stand.spawnFunction("local", fuse.port);
    for (let point = 0; point < 5; point++) {
      await work.ensure();
      let died: Promise<unknown> | undefined;
      fuse.burnAt(4 + Math.floor(random() * 50), random() < 0.5, () => {
        database.child.kill("SIGKILL");
        died = database.ended;
      });
      while (!died) {
        expect(worker.process.exitCode).toBeNull();
        await worker.tick().then(
          (answer) => answer.body?.cancel(),
          () => new Promise((resolve) => setTimeout(resolve, 50)),
        );
        // A worker that outlives its database delays the task; this test need not wait.
        await stand.sql`update public.tasks set run_after = now() where status = 'waiting'`.catch(() => {});
      }
      await died;
      database = await new PostgresProcess(folder, offset).ready();
      await stand.expectWhole("changed");
      await work.expectFound();
      await stand.passTime();
    }
    await work.expectComplete();
    // The worker outlived all of them, and still works.
    expect((await worker.tick()).status).toBe(200);
    await worker.end("SIGKILL");
  });
});
