// kill -9 of the worker at random points, exact to its message to the database.
import { afterEach, describe, expect, it } from "vitest";
import { ChangingDocuments } from "../support/changing-documents.ts";
import { startFuse } from "../support/fuse.ts";
import { type RunningFunction, startIndexingStand } from "../support/indexing-stand.ts";
import { seededRandom } from "../support/seed.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Ticks until the process has ended or no work is left. */
async function workUntilKilled(worker: RunningFunction): Promise<void> {
  const gone = new Promise<false>((resolve) => worker.process.once("exit", () => resolve(false)));
  const tick = async () => (await (await worker.tick()).json()).more === true;
  while (await Promise.race([gone, tick().catch(() => gone)]));
  await worker.end("SIGKILL");
}

describe("kill -9", () => {
  it("of the worker at 30 points loses nothing, duplicates nothing and blocks nothing", async () => {
    const points = 30;
    const random = seededRandom("30 deaths of the worker");
    const stand = await startIndexingStand();
    stops.push(() => stand.stop());
    const fuse = await startFuse(Number(new URL(process.env.DATABASE_URL ?? "").port));
    stops.push(() => fuse.stop());
    const work = new ChangingDocuments(stand);
    await work.begin();
    let next = stand.spawnFunction("local", fuse.port);
    let killed = 0;
    for (let point = 1; point <= points; point++) {
      const worker = await next;
      // The next one starts while this one works.
      if (point < points) next = stand.spawnFunction("local", fuse.port);
      await work.ensure();
      fuse.burnAt(1 + Math.floor(random() * 60), random() < 0.5, () => {
        killed++;
        worker.process.kill("SIGKILL");
      });
      await workUntilKilled(worker);
      await stand.expectWhole("changed");
      await work.expectFound();
      await stand.passTime();
    }
    // The others were killed with no work left.
    expect(killed).toBeGreaterThan(25);
    await work.expectComplete();
  });
});
