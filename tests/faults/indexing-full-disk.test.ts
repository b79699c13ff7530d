// A full disk under the database while the worker writes: the task reports it, nothing is half written, and work resumes when there is
// room.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { fromPostgres } from "../../edge-functions/_shared/requests/errors.ts";
import { startIndexingStand, words } from "../support/indexing-stand.ts";
import { copyTemplate } from "../support/postgres.ts";
import { PostgresProcess, reservePostgres } from "../support/postgres-process.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

it("a full disk under the database makes the task wait, name the reason, and resume when there is room", async () => {
  const { folder } = await copyTemplate();
  stops.push(() => rmSync(folder, { recursive: true, force: true }));
  const mark = join(folder, "full");
  const preload = fileURLToPath(new URL("../support/files/full-disk.cjs", import.meta.url));
  const { offset, port } = await reservePostgres();
  const database = await new PostgresProcess(folder, offset, {
    NODE_OPTIONS: `--require ${JSON.stringify(preload)}`,
    PARLEY_TEST_FULL_DISK: mark,
  }).ready();
  const stand = await startIndexingStand({
    url: (login) => `postgres://${login}:test-${login}@127.0.0.1:${port}/postgres`,
    connect: (login) => database.connect(login),
    stop: async () => void (await database.kill("SIGTERM")),
  });
  stops.push(() => stand.stop());
  const { knowledge, source } = await stand.knowledgeOf({ "a.txt": words(30), "b.txt": words(400) });
  const id = await stand.enqueue("index", { knowledge });
  // Planned while there is room, so that writing passages fails.
  await stand.ticker({ turnMs: 0, wallMs: 0 }).tick();
  writeFileSync(mark, "");
  const refused = await stand.sql`
    insert into public.teams (name, codename) select repeat('x', 50), 'x' || n from generate_series(1, 5000) n`.catch(
    (error: Error) => error,
  );
  expect(refused).toMatchObject({
    code: "53100",
    message: expect.stringContaining("No space left on device"),
  });
  // What a caller of the API reads.
  expect(fromPostgres(refused)).toMatchObject({
    code: "UNAVAILABLE",
    extra: { details: [{ code: "diskFull" }] },
  });
  // More often than a task may fail without progress.
  for (let attempt = 0; attempt < 6; attempt++) {
    await stand.settle();
    expect(await stand.task(id)).toMatchObject({ status: "waiting", message_code: "waitingForDisk" });
    await stand.passTime();
  }
  await stand.expectWhole();
  rmSync(mark);
  await stand.passTime();
  await stand.settle();
  expect(await stand.task(id)).toMatchObject({ status: "succeeded", error: null });
  expect((await stand.documents(source)).map(({ status }) => status)).toEqual(["ready", "ready"]);
  await stand.expectWhole();
});
