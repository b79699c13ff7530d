// Shopify, HubSpot and past chats, read by the worker through the real queue.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConnectedSource, connectSource } from "../support/connected-source.ts";
import { type HubspotFake, startHubspotFake } from "../support/fakes/hubspot.ts";
import { productOf, type ShopifyFake, startShopifyFake } from "../support/fakes/shopify.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";

let shopify: ShopifyFake;
let hubspot: HubspotFake;
let stand: IndexingStand;

beforeAll(async () => {
  shopify = await startShopifyFake();
  hubspot = await startHubspotFake();
  process.env.PARLEY_OUTBOUND_ALLOW = [shopify, hubspot].map(({ url }) => new URL(url).host).join(",");
  stand = await startIndexingStand();
});
afterAll(async () => {
  await stand?.stop();
  await shopify?.close();
  await hubspot?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});

describe("a shop", () => {
  let source: ConnectedSource;

  it("is read page by page, kind by kind: what shoppers can see, and nothing else", async () => {
    shopify.products = [1, 2, 3].map((n) =>
      productOf(n, `Hammer ${n}`, `<h3>Use</h3><p>Hits ${n}.</p>`, `2026-02-0${n}T00:00:00Z`),
    );
    shopify.products.push({ ...productOf(4, "Draft", "", "2026-02-04T00:00:00Z"), status: "DRAFT" });
    shopify.pages = [
      {
        id: "gid://shopify/Page/1",
        title: "Delivery",
        handle: "delivery",
        body: "<p>Two days.</p>",
        updatedAt: "2026-02-01T00:00:00Z",
        isPublished: true,
      },
    ];
    shopify.policies = [
      {
        id: "gid://shopify/ShopPolicy/1",
        title: "Refunds",
        type: "REFUND_POLICY",
        body: "<p>Thirty days.</p>",
        url: "https://acme.example/policies/refund",
        updatedAt: "2026-02-01T00:00:00Z",
      },
    ];
    source = await connectSource(
      stand,
      "shopify",
      { shop: shopify.url },
      { accessToken: shopify.accessToken },
    );
    shopify.throttles = 1;
    expect(await source.sync()).toMatchObject({ status: "succeeded" });
    expect(await source.titles()).toEqual(["Delivery", "Hammer 1", "Hammer 2", "Hammer 3", "Refunds"]);
    const [, hammer] = await source.documents();
    expect(hammer?.content).toContain("### Use\n\nHits 1.");
    expect(hammer?.content).toContain("| S | 9.50 EUR | P1-S |");
    await stand.expectWhole();
  });

  it("is asked for changes, and unpublished items are removed at once", async () => {
    shopify.calls.length = 0;
    shopify.products[1] = { ...productOf(2, "Mallet", "<p>Soft.</p>", "2026-03-01T00:00:00Z") };
    shopify.products[2] = { ...productOf(3, "Hammer 3", "", "2026-03-02T00:00:00Z"), status: "ARCHIVED" };
    await source.sync();
    expect(await source.titles()).toEqual(["Delivery", "Hammer 1", "Mallet", "Refunds"]);
    const asked = shopify.calls.find(({ field }) => field === "products");
    expect(asked?.variables.query).toBe("updated_at:>='2026-02-03T23:50:00.000Z'");
    expect(await stand.sql`select 1 from public.chunks where content like '%Hits 3%'`).toEqual([]);
  });

  it("names a missing scope, and gives instructions for a lost token; damaged items fail alone", async () => {
    shopify.denied.add("articles");
    const denied = await source.sync({ whole: true });
    expect(denied).toMatchObject({ status: "failed", error: expect.stringContaining("read_content") });
    shopify.denied.clear();
    const token = shopify.accessToken;
    shopify.accessToken = "another";
    expect((await source.sync()).error).toContain("enter its access token");
    shopify.accessToken = token;
    shopify.products.push({ id: "gid://shopify/Product/9", title: "Broken" }, null);
    expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexedWithFailures" });
    const broken = (await source.documents()).find(({ title }) => title === "Broken");
    expect(broken?.error).toContain("form that cannot be read");
    shopify.products.splice(-2);
    expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexed" });
  });

  it("that refuses does not keep a knowledge base's other sources from being read", async () => {
    const files = await stand.addSource(
      await Promise.all(
        ["One", "Two", "Six"].map((name) => stand.addFile(`${name}.txt`, `${name} is a number.`)),
      ),
    );
    await stand.sql`update public.documents set content = null, content_hash = null where source_id = ${source.id}`;
    const token = shopify.accessToken;
    shopify.accessToken = "another";
    shopify.refusals = 0;
    const knowledge = await stand.addKnowledge([source.id, files]);
    const task = await stand.enqueue("index", { knowledge });
    await stand.settle();
    expect(await stand.task(task)).toMatchObject({ message_code: "indexedWithFailures" });
    const read = await stand.documents(files);
    expect(read.map(({ title, status }) => [title, status])).toEqual(
      ["One", "Six", "Two"].map((name) => [`${name}.txt`, "ready"]),
    );
    const unread = await source.documents();
    for (const { status, error } of unread) {
      expect(status).toBe("failed");
      expect(error).toContain("enter its access token");
    }
    // It is asked once in a turn, not for each document.
    expect(shopify.refusals).toBeLessThan(unread.length);
    shopify.accessToken = token;
    expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexed" });
    await stand.expectWhole();
  });

  it("continues when Shopify silently answers with a later version", async () => {
    shopify.version = "2027-04";
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
  });
});

describe("a CRM", () => {
  let source: ConnectedSource;
  const contact = (id: string, name: string, modified: string) => ({
    id,
    properties: {
      firstname: name,
      lastname: "Doe",
      email: `${name}@example.com`,
      lastmodifieddate: modified,
    },
  });
  const ticket = (id: string, subject: string, modified: string) => ({
    id,
    properties: {
      subject,
      content: "<p>It is <b>loud</b>.</p>",
      hs_pipeline_stage: "2",
      hs_lastmodifieddate: modified,
    },
  });

  it("is listed first, each kind to its last page, articles with their text", async () => {
    hubspot.records = {
      contacts: ["1", "2", "3"].map((id) => contact(id, `Ada${id}`, `2026-02-0${id}T00:00:00Z`)),
      tickets: [ticket("1", "Noise", "2026-02-05T00:00:00Z")],
    };
    hubspot.articles = [1, 2, 3].map((id) => ({
      id,
      title: `Guide ${id}`,
      url: `https://help.example/${id}`,
      html: `<h2>Part</h2><p>Text ${id}</p>`,
    }));
    const config = { objects: ["contacts", "tickets", "articles"], apiUrl: hubspot.url };
    source = await connectSource(stand, "hubspot", config, { accessToken: hubspot.accessToken });
    expect(await source.sync()).toMatchObject({ status: "succeeded" });
    expect(await source.titles()).toEqual([
      "Ada1 Doe",
      "Ada2 Doe",
      "Ada3 Doe",
      "Guide 1",
      "Guide 2",
      "Guide 3",
      "Noise",
    ]);
    const rows =
      await stand.sql`select url, content from public.documents where source_id = ${source.id} and title in ('Noise', 'Guide 2') order by title`;
    expect(rows).toMatchObject([
      { url: "https://help.example/2", content: "# Guide 2\n\n## Part\n\nText 2" },
      {
        url: "https://app.hubspot.com/contacts/4711/record/0-5/1",
        content: "# Noise\n\nStage: 2\n\nIt is loud.",
      },
    ]);
    expect(hubspot.calls.filter((call) => call.startsWith("SEARCH"))).toEqual([]);
  });

  it("is then searched for changes, contacts by a property of their own", async () => {
    hubspot.calls.length = 0;
    hubspot.records.contacts?.splice(0, 1, contact("1", "Eva", "2026-03-01T00:00:00Z"));
    hubspot.records.tickets?.push(ticket("2", "Silence", "2026-03-02T00:00:00Z"));
    await source.sync();
    expect(await source.titles()).toEqual(expect.arrayContaining(["Eva Doe", "Silence"]));
    expect(hubspot.calls).toEqual(expect.arrayContaining(["SEARCH contacts", "SEARCH tickets"]));
    expect(hubspot.calls).not.toContain("GET contacts");
  });

  it("has the labels of its stages in place of their ids once the token may read pipelines", async () => {
    const stages = [{ id: "2", label: "Waiting on us" }];
    hubspot.pipelines = { tickets: [{ id: "0", label: "Support", stages }] };
    hubspot.records.tickets?.push(ticket("3", "Echo", "2026-03-02T12:00:00Z"));
    await source.sync();
    const rows = await stand.sql`
      select title from public.documents where source_id = ${source.id} and content like '%Stage: Waiting on us%' order by title`;
    expect(rows.map(({ title }) => title)).toContain("Echo");
  });

  it("is searched to the end when more changed than a search can return", async () => {
    hubspot.calls.length = 0;
    hubspot.ceiling = 2;
    for (const id of ["4", "5", "6"])
      hubspot.records.contacts?.push(contact(id, `Zoe${id}`, "2026-03-03T00:00:00Z"));
    await source.sync();
    hubspot.ceiling = 10_000;
    expect(await source.titles()).toEqual(expect.arrayContaining(["Zoe4 Doe", "Zoe5 Doe", "Zoe6 Doe"]));
    expect(hubspot.calls).not.toContain("GET contacts");
  });

  it("removes deleted records; waits for the daily limit; names a missing scope or token", async () => {
    hubspot.records.contacts?.splice(1, 1);
    await source.sync({ whole: true });
    expect(await source.titles()).not.toContain("Ada2 Doe");
    hubspot.refusals = [{ status: 429, body: { policyName: "DAILY" } }];
    const waiting = await source.sync({ whole: true });
    expect(waiting).toMatchObject({ status: "waiting" });
    const [row] = await stand.sql`select error from public.sources where id = ${source.id}`;
    expect(row?.error).toBe("The daily limit of HubSpot's API is used up.");
    await stand.passTime();
    await stand.settle();
    hubspot.denied.add("tickets");
    expect((await source.sync({ whole: true })).error).toContain("scope tickets");
    hubspot.denied.clear();
    hubspot.accessToken = "rotated";
    expect(await source.sync({ whole: true })).toMatchObject({
      status: "failed",
      error: expect.stringContaining("does not accept these credentials"),
    });
  });
});

describe("past chats", () => {
  it("become documents without their visitors or the playground; a deleted chat is removed", async () => {
    const { sql, team } = stand;
    const [agent] =
      await sql`insert into public.agents (team_id, name) values (${team}, 'Concierge') returning id`;
    const visitor = "0193a5e0-7b1a-7cc0-8f3e-2f6d0c1a9b42";
    const chat = async (channel: string, question: string) => {
      const [row] = await sql`insert into public.chats (team_id, agent_id, channel, visitor_id, title)
        values (${team}, ${agent?.id}, ${channel}, ${visitor}, '') returning id`;
      for (const { role, content } of [
        { role: "user", content: question },
        { role: "assistant", content: "Ask the porter." },
      ])
        await sql`insert into public.messages (team_id, chat_id, role, content) values (${team}, ${row?.id}, ${role}, ${content})`;
      return row?.id;
    };
    const first = await chat("web", "Where is the key?");
    await chat("playground", "Only a try?");
    await sql`insert into public.messages (team_id, chat_id, role, content, superseded)
              values (${team}, ${first}, 'user', 'Is Anna ill again?', true)`;
    const source = await connectSource(stand, "agentChat", { agentId: agent?.id });
    expect(await source.sync()).toMatchObject({ status: "succeeded" });
    expect(await source.titles()).toEqual(["Where is the key?"]);
    const [document] = await source.documents();
    expect(document?.content).toContain("## Answer by Concierge\n\nAsk the porter.");
    expect(document?.content).not.toContain(visitor);
    // Its person asked something else instead.
    expect(document?.content).not.toContain("Anna");
    await sql`delete from public.chats where id = ${first}`;
    await source.sync();
    expect(await source.titles()).toEqual([]);
  });

  it("that somebody filled are read from the beginning, as far as one statement can hold", async () => {
    const { sql, team } = stand;
    const [agent] =
      await sql`insert into public.agents (team_id, name) values (${team}, 'Filled') returning id`;
    const fill = (title: string, content: string, messages: number) =>
      sql.begin(async (tx) => {
        await tx`set local session_replication_role = replica`;
        const [chat] = await tx`insert into public.chats (team_id, agent_id, title)
                                values (${team}, ${agent?.id}, ${title}) returning id`;
        await tx`insert into public.messages (team_id, chat_id, role, content)
          select ${team}, ${chat?.id}, case n % 2 when 0 then 'user' else 'assistant' end, replace(${content}, '#', n::text)
            from generate_series(1, ${messages}) n`;
      });
    await fill("Long", `#${"é".repeat(20_000)}`, 60);
    await fill("Many", "The #.", 5_100);
    const source = await connectSource(stand, "agentChat", { agentId: agent?.id });
    expect(await source.sync()).toMatchObject({ status: "succeeded" });
    const read = await sql<{ content: string; note: string | null }[]>`
      select content, note from public.documents where source_id = ${source.id} order by title`;
    expect(read.map(({ note }) => note)).toEqual([expect.any(String), expect.any(String)]);
    const [long, many] = read.map(({ content }) => content);
    expect(long?.length).toBeGreaterThan(500_000);
    expect(long?.length).toBeLessThan(600_000);
    expect(many).toContain("The 5000.");
    expect(many).not.toContain("The 5100.");
  });

  it("are read behind any number of chats that nobody answered", async () => {
    const { sql, team } = stand;
    const [agent] =
      await sql`insert into public.agents (team_id, name) values (${team}, 'Asked in vain') returning id`;
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      const chats = await tx<{ id: string }[]>`
        insert into public.chats (team_id, agent_id, title)
        select ${team}, ${agent?.id}, 'Chat ' || n from generate_series(1, 1300) n returning id`;
      const ids = chats.map(({ id }) => id).sort();
      await tx`insert into public.messages (team_id, chat_id, role, content)
               select ${team}, id::uuid, 'user', 'Is anybody there?' from unnest(${ids}::text[]) id`;
      await tx`insert into public.messages (team_id, chat_id, role, content)
               values (${team}, ${ids.at(-1) ?? ""}, 'assistant', 'Now I am.')`;
    });
    const source = await connectSource(stand, "agentChat", { agentId: agent?.id });
    expect(await source.sync()).toMatchObject({ status: "succeeded", error: null });
    expect((await source.documents()).map(({ content }) => content)).toEqual([
      expect.stringContaining("Now I am."),
    ]);
  });

  it("are those of the source's own team", async () => {
    const other = await stand.addTeam();
    const [agent] =
      await stand.sql`insert into public.agents (team_id, name) values (${other}, 'Theirs') returning id`;
    await expect(connectSource(stand, "agentChat", { agentId: agent?.id })).rejects.toThrow(
      "not one of this team",
    );
  });
});
