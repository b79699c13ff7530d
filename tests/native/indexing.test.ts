// Races between workers and people about one index: in any order, nothing is left half done or behind.
import { afterAll, beforeAll, expect, it } from "vitest";
import { SourceRefused } from "#edge-functions/indexing/connectors/connector.ts";
import { addOwner, findLeftovers, type Owner } from "../support/clearing.ts";
import { type IndexingStand, startIndexingStand, words } from "../support/indexing-stand.ts";
import { seededRandom } from "../support/seed.ts";

const rounds = 12;

let stand: IndexingStand;
let owner: Owner;
beforeAll(async () => {
  stand = await startIndexingStand();
  owner = await addOwner(stand.sql);
  stand.team = owner.team;
});
afterAll(() => stand.stop());

/** Delays by this many turns of the event loop, to hit different points of a slice's transactions. */
async function dawdle(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
}

it("clearing an index while two workers build it leaves no passage without an index, and allows a rebuild", async () => {
  const random = seededRandom("The moment of clearing");
  const { knowledge, source } = await stand.knowledgeOf({ "a.txt": words(40), "b.txt": words(40, "others") });
  for (let round = 0; round < rounds; round++) {
    await stand.enqueue("index", { knowledge });
    let clearing: Promise<unknown> | undefined;
    // At the last vectors: the switch comes next.
    const ticker = stand.ticker({}, 2, async (texts) => {
      clearing ??= (async () => {
        await dawdle(Math.floor(random() * 400));
        // The clearing does not lock a task that is already stopping.
        if (round % 2 === 0) await owner.stop(source);
        await owner.clear(source);
      })();
      // Awaited below; a refusal meanwhile would end the whole run as unhandled.
      clearing.catch(() => undefined);
      return texts.map(() => new Float32Array(8).fill(1));
    });
    await Promise.all([ticker.tick(), ticker.tick()]);
    await clearing;
    await stand.passTime();
    expect([round, await findLeftovers(stand.sql)]).toEqual([round, { chunks: 0, staged: 0, builds: 0 }]);
    await stand.enqueue("index", { knowledge });
    await stand.settle();
    const documents = await stand.documents(source);
    expect(documents.map(({ status, error }) => [status, error])).toEqual(
      documents.map(() => ["ready", null]),
    );
    await stand.expectWhole();
    await owner.clear(source);
  }
});

it("a worker that gives up locks its task's documents in the same order as a clearing", async () => {
  const { knowledge } = await stand.knowledgeOf({ "a.txt": words(40), "b.txt": words(40, "others") });
  await stand.enqueue("index", { knowledge });
  await stand.settle();
  const [first, second] = await stand.sql<{ id: string }[]>`
    select document_id as id from public.document_indexes where knowledge_id = ${knowledge} order by document_id`;
  if (!first || !second) throw new Error("There are not two documents");
  await stand.sql`delete from public.chunks where document_id = ${second.id}`;
  await stand.sql`update public.document_indexes set signature = null where document_id = ${second.id}`;
  await stand.enqueue("index", { knowledge });

  let ended: Promise<unknown> = Promise.resolve();
  await stand.sql.begin(async (clearing) => {
    const lock = (id: string) => clearing`select 1 from public.documents where id = ${id} for no key update`;
    // In a deadlock, this side would fail first; the worker would retry unseen.
    await clearing`set local deadlock_timeout = '10ms'`;
    ended = stand
      .ticker({}, 1, async () => {
        await lock(first.id);
        throw new SourceRefused("The source says no");
      })
      .tick();
    // The worker holds the second document, and waits for the first to end its task; its heartbeat may wait for that.
    await expect.poll(() => waitingForRows()).toBeGreaterThan(0);
    await lock(second.id);
  });
  await ended;
  const [task] = await stand.sql<{ status: string; error: string }[]>`
    select status, error from public.tasks where knowledge_id = ${knowledge} order by id desc limit 1`;
  expect(task).toEqual({ status: "failed", error: "The source says no" });
});

/** What people delete while a worker is busy. */
const deletions: Record<string, (source: string, file: string) => Promise<unknown>> = {
  "the passages of a source": (source) => owner.clear(source),
  "a document": async (source) => stand.sql`delete from public.documents where source_id = ${source}`,
  "a file": async (_, file) => stand.sql`delete from public.files where id = ${file}`,
};
const order = ["documents", "sources", "knowledges"] as const;

for (const [what, remove] of Object.entries(deletions))
  it.each([
    [order[0], order[1]],
    [order[1], order[2]],
  ])(`deleting ${what} waits for a worker that holds its %s before it locks its %s`, async (held, next) => {
    const { knowledge, source } = await stand.knowledgeOf({ "a.txt": words(40) });
    await stand.enqueue("index", { knowledge });
    await stand.settle();
    const [document] = await stand.sql<{ id: string; file: string }[]>`
      select id, external_id as file from public.documents where source_id = ${source}`;
    if (!document) throw new Error("There is no document");
    const ids = { documents: document.id, sources: source, knowledges: knowledge };
    let removal: Promise<unknown> = Promise.resolve();
    await stand.sql.begin(async (worker) => {
      await worker`select 1 from ${worker(`public.${held}`)} where id = ${ids[held]} for no key update`;
      removal = remove(source, document.file);
      await expect.poll(() => waitingForRows()).toBe(1);
      // Refused if the deletion already holds the row: each would wait for the other.
      await worker`select 1 from ${worker(`public.${next}`)} where id = ${ids[next]} for no key update nowait`;
    });
    await removal;
    const [left] =
      await stand.sql`select count(*)::int as n from public.document_indexes where document_id = ${document.id}`;
    expect(left?.n).toBe(0);
  });

async function waitingForRows(): Promise<number> {
  const [row] = await stand.sql<{ waiting: number }[]>`
    select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return row?.waiting ?? 0;
}
