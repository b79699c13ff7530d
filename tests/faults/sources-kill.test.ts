// kill -9 of the worker while it imports from Shopify and from HubSpot, at its writes of a page and between them: the next one ends the
// import.
import { afterEach, expect, it } from "vitest";
import { connectSource } from "../support/connected-source.ts";
import { startHubspotFake } from "../support/fakes/hubspot.ts";
import { productOf, startShopifyFake } from "../support/fakes/shopify.ts";
import { startFuse } from "../support/fuse.ts";
import { type RunningFunction, startIndexingStand } from "../support/indexing-stand.ts";
import { startTestPostgres } from "../support/postgres.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});

/** Ticks until the process has ended or no work is left. */
async function workUntilKilled(worker: RunningFunction): Promise<void> {
  const gone = new Promise<false>((resolve) => worker.process.once("exit", () => resolve(false)));
  const tick = async () => (await (await worker.tick()).json()).more === true;
  while (await Promise.race([gone, tick().catch(() => gone)]));
  await worker.end("SIGKILL");
}

it("kill -9 during imports loses nothing, deletes nothing that is there, and keeps nothing that is gone", async () => {
  const [shopify, hubspot] = [await startShopifyFake(), await startHubspotFake()];
  stops.push(() => Promise.all([shopify.close(), hubspot.close()]));
  process.env.PARLEY_OUTBOUND_ALLOW = [shopify, hubspot].map(({ url }) => new URL(url).host).join(",");
  const database = await startTestPostgres();
  const stand = await startIndexingStand(database);
  stops.push(() => stand.stop());
  const fuse = await startFuse(database.port);
  stops.push(() => fuse.stop());
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
  const shop = await connectSource(
    stand,
    "shopify",
    { shop: shopify.url },
    { accessToken: shopify.accessToken },
  );
  const crm = await connectSource(
    stand,
    "hubspot",
    { objects: ["contacts", "articles"], apiUrl: hubspot.url },
    { accessToken: hubspot.accessToken },
  );
  let killed = 0;
  for (const day of [1, 2, 3]) {
    // Each day one of each kind is gone, and the others changed.
    const there = numbers.slice(day - 1);
    shopify.products = there.map((n) =>
      productOf(n, `Hammer ${n}`, `<p>Hits ${n} on day ${day}.</p>`, `2026-02-0${day}T00:00:00Z`),
    );
    hubspot.records = {
      contacts: there.map((n) => ({
        id: String(n),
        properties: {
          firstname: `Ada${n}`,
          jobtitle: `Day ${day}`,
          lastmodifieddate: `2026-02-0${day}T00:00:00Z`,
        },
      })),
    };
    hubspot.articles = there.map((id) => ({
      id,
      title: `Guide ${id}`,
      url: `https://help.example/${id}`,
      html: `<p>Text ${id} of day ${day}</p>`,
    }));
    const tasks = [await shop.queue(), await crm.queue()];
    for (const place of ["before a page", "with a page", "between pages"]) {
      const worker = await stand.spawnFunction("local", fuse.port);
      const kill = () => {
        killed++;
        worker.process.kill("SIGKILL");
      };
      let calls = 0;
      const count = () => {
        if (++calls === 3 + day) kill();
      };
      if (place === "between pages") shopify.meanwhile = hubspot.meanwhile = count;
      else fuse.burnAt("insert into public.documents", place === "with a page", kill);
      await workUntilKilled(worker);
      shopify.meanwhile = hubspot.meanwhile = undefined;
      await stand.expectWhole("changed");
      await stand.passTime();
    }
    await stand.settle();
    for (const task of tasks) expect(await stand.task(task)).toMatchObject({ status: "succeeded" });
    const documents = [...(await shop.documents()), ...(await crm.documents())];
    expect(documents.map(({ title }) => title).toSorted()).toEqual(
      ["Ada", "Guide ", "Hammer "].flatMap((name) => there.map((n) => `${name}${n}`)).toSorted(),
    );
    for (const { status, content } of documents) {
      expect(status).toBe("ready");
      expect(content).toMatch(new RegExp(`day ${day}`, "i"));
    }
    await stand.expectWhole();
    expect(await stand.sql`select 1 from private.listed_items`).toEqual([]);
  }
  expect(killed).toBe(9);
});
