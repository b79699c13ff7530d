// Races between workers and people about one index: whoever comes first, nothing is left half and nothing is left behind.
import { afterAll, beforeAll, expect, it } from "vitest";
import { addOwner, leftBehind, type Owner } from "../support/clearing.ts";
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

/** Comes somewhere into the transactions of a slice: after so many turns of the event loop. */
async function dawdle(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
}

it("clearing an index while two workers build it leaves no passage without an index, and it can be built again", async () => {
  const random = seededRandom("The moment of clearing");
  const { knowledge, source } = await stand.knowledgeOf({ "a.txt": words(40), "b.txt": words(40, "others") });
  for (let round = 0; round < rounds; round++) {
    await stand.enqueue("index", { knowledge });
    let clearing: Promise<unknown> | undefined;
    // At the last vectors: what comes next is the switch.
    const ticker = stand.ticker({}, 2, async (texts) => {
      clearing ??= (async () => {
        await dawdle(Math.floor(random() * 400));
        // A task that is stopping already is not locked by the clearing.
        if (round % 2 === 0) await owner.stop(source);
        await owner.clear(source);
      })();
      return texts.map(() => new Float32Array(8).fill(1));
    });
    await Promise.all([ticker.tick(), ticker.tick()]);
    await clearing;
    await stand.passTime();
    expect([round, await leftBehind(stand.sql)]).toEqual([round, { chunks: 0, staged: 0, builds: 0 }]);
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
