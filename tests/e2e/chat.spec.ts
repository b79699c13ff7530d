// A conversation in the browser: long chats, rephrased questions, explanations, errors; and the playground, where settings are tried before
// saving.
import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import postgres from "postgres";
import { findStack } from "../support/stack.ts";
import { say, sayAny } from "../support/words.ts";
import { demo, logIn } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expectKeptSize } from "./support/panel-sizes.ts";
import { screenshot } from "./support/screenshots.ts";
import { expect, test } from "./support/test.ts";

const leave = "How many days of paid leave do I have?";

async function handbook(page: Page): Promise<string> {
  const { data } = await (await page.request.get("/v1/agents?name=handbook")).json();
  return data[0].id;
}
const island = (page: Page) =>
  page.locator("[data-island][data-hydrated]").filter({ has: page.getByRole("log") });

test("a chat of 2,000 messages shows its newest page, and loads older ones on scrolling up", async ({
  page,
  expectedErrors,
}) => {
  await logIn(page, demo);
  const agent = await handbook(page);
  const { databaseUrl } = await findStack();
  const sql = postgres(databaseUrl("postgres"), { max: 1 });
  const startChat = async (count: number) => {
    const { id } = await (await page.request.post(`/v1/agents/${agent}/chats`, { data: {} })).json();
    await sql`
      insert into public.messages (id, chat_id, role, content)
      select (${randomUUID().slice(0, 24)} || lpad(n::text, 12, '0'))::uuid, ${id},
             case when n % 2 = 1 then 'user' else 'assistant' end, 'Message ' || n
        from generate_series(1, ${count}::int) n`;
    return id;
  };
  const [id, shorter] = [await startChat(2000), await startChat(120)];
  await sql.end();
  await page.goto(`/chats/${id}`);
  const rows = page.locator("[data-message]");
  await expect(rows).toHaveCount(50);
  await expect(island(page)).toBeAttached();
  await expect(rows.last()).toBeInViewport();
  const first = rows.first();
  await expect(first).toContainText("Message 1951");
  // A screen reader would read each page of older messages aloud.
  await page.getByRole("log").evaluate((log) => {
    new MutationObserver((changes) => {
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
      const hasRows = added.some((node) => node instanceof HTMLElement && node.dataset.message);
      if (hasRows && log.ariaLive !== "off") document.title = "Announced";
    }).observe(log, { childList: true, subtree: true });
  });
  // Loading older messages keeps the scroll position.
  await expect(async () => {
    // The page may still be moving to its end, where it opens.
    await page.getByRole("log").evaluate((log) => {
      if (log.querySelectorAll("[data-message]").length === 50) log.scrollTo({ top: 0 });
    });
    expect(await rows.count()).not.toBe(50);
  }).toPass();
  await expect(page.getByText("Message 1951", { exact: true })).toBeInViewport();
  expect(await rows.count()).toBeLessThanOrEqual(250);
  await expect(page).not.toHaveTitle("Announced");
  await expect(page.getByRole("log")).not.toHaveAttribute("aria-live");
  await page.getByRole("button", { name: say("chat:toEnd") }).click();
  await expect(page.getByText("Message 2000", { exact: true })).toBeInViewport();

  // It opens at its end before any script has arrived.
  expectedErrors.push(/ERR_FAILED/);
  await page.route(/\.js$/, (route) => route.abort());
  await page.goto(`/chats/${shorter}`);
  await expect(rows.last()).toBeInViewport();
  await page.unroute(/\.js$/);

  // On paper it is whole.
  await page.goto(`/chats/${shorter}`);
  await expect(island(page)).toBeAttached();
  await page.evaluate(() => {
    window.print = () => {
      document.title = `Printed ${document.querySelectorAll("[data-message]").length}`;
    };
  });
  await page.keyboard.press("Control+p");
  await expect(page).toHaveTitle("Printed 120");
});

test("a question is rephrased in place, and a reply explains itself", async ({ page }) => {
  await logIn(page, demo);
  await page.goto(`/chats/${await handbook(page)}`);
  await expect(island(page)).toBeAttached();
  const field = page.getByRole("textbox", { name: sayAny("chat:label", { agentName: /.+/ }) });
  await field.fill("What may a hotel cost in Paris?");
  await page.reload();
  await expect(field).toHaveValue("What may a hotel cost in Paris?");
  await expect(island(page)).toBeAttached();
  await field.press("Enter");
  const replies = page.getByRole("article");
  await expect(page.getByRole("button", { name: say("chat:retry"), exact: true })).toBeVisible();
  await page.reload();
  await expect(island(page)).toBeAttached();
  await page.getByRole("button", { name: say("chat:edit") }).press("Enter");
  const editor = page.getByRole("textbox", { name: say("chat:edit") });
  await editor.fill(leave);
  await editor.press("Enter");
  // What had the focus is gone.
  await expect(field).toBeFocused();
  await expect(replies).toContainText("27 days");
  await expect(replies).toHaveCount(1);
  // The question itself, and the chat's title, which was that of the question before.
  await expect(page.getByText(leave, { exact: true })).toHaveCount(2);
  await page.getByRole("button", { name: say("chat:why") }).click();
  const why = page.getByRole("region", { name: say("chat:why") });
  await expect(why).toContainText(sayAny("passages:kept", { count: /\d+/, kept: /\d+/ }));
  await expect(why.getByRole("listitem").first()).toContainText(say("passages:used"));
  await page.getByRole("button", { name: say("chat:rename") }).press("Enter");
  await page.getByRole("textbox", { name: say("chat:titleLabel") }).press("Escape");
  await expect(page.getByRole("button", { name: say("chat:rename") })).toBeFocused();
  await page.getByRole("button", { name: say("chat:summary") }).click();
  await page.getByRole("button", { name: say("chat:summarise"), exact: true }).press("Enter");
  await expect(page.getByRole("button", { name: say("chat:summariseAgain") })).toBeFocused();
  await page.getByRole("button", { name: say("chat:clearSummary") }).press("Enter");
  await expect(page.getByRole("button", { name: say("chat:writeSummary") })).toBeFocused();
  await page.getByRole("button", { name: say("chat:bad"), exact: true }).press("Enter");
  await page.getByRole("textbox", { name: say("chat:comment") }).press("Escape");
  await expect(page.getByRole("button", { name: say("chat:bad"), exact: true })).toBeFocused();
  await expectAccessible(page);
  await page.reload();
  await expect(replies).toHaveCount(1);
});

test("a refusal says what to do, and a missing chat gives 404", async ({ page, expectedErrors }) => {
  expectedErrors.push(/status of (429|404)/);
  const agent = await handbook(page);
  await page.goto(`/chats/${agent}`);
  await expect(island(page)).toBeAttached();
  // The limit itself is the API's; this checks its words.
  await page.route("**/v1/agents/*/chats", (route) =>
    route.fulfill({
      status: 429,
      headers: { "retry-after": "42" },
      json: {
        code: "RATE_LIMITED",
        message: "Try again in 42 s.",
        requestId: "r",
        details: [
          {
            path: "",
            code: "limitAttempts",
            message: "Try again in 42 s.",
            params: {},
          },
        ],
      },
    }),
  );
  const field = page.getByRole("textbox", { name: sayAny("chat:label", { agentName: /.+/ }) });
  const before = "May I work from abroad?";
  await field.fill(before);
  await field.press("Enter");
  await expect(page.getByRole("alert")).toContainText("Try again in 42 s.");
  await field.fill(leave);
  await field.press("Enter");
  await expect(page.getByRole("alert")).toContainText("Try again in 42 s.");
  await expect(page.getByText(before)).toContainText(say("chat:notSent"));
  await page.unroute("**/v1/agents/*/chats");
  await page.getByRole("alert").getByRole("button").click();
  await expect(page.getByRole("article")).toContainText("27 days");
  const gone = await page.goto("/chats/0190aaaa-0000-7000-8000-000000000000");
  expect(gone?.status()).toBe(404);
  await expect(page.getByText(say("chat:notThere")).last()).toBeVisible();
});

test("a question whose answer is lost is stored once, and Retry reads a reply that was cut off", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_CONNECTION_RESET|status of 400/);
  await logIn(page, demo);
  await page.goto(`/chats/${await handbook(page)}`);
  await expect(island(page)).toBeAttached();
  const field = page.getByRole("textbox", { name: sayAny("chat:label", { agentName: /.+/ }) });
  const replies = page.getByRole("article");
  const storedRoles = async () => {
    const chatId = new URL(page.url()).searchParams.get("chatId");
    const { data } = await (await page.request.get(`/v1/chats/${chatId}/messages`)).json();
    return data.map(({ role }: { role: string }) => role);
  };
  const messages = /\/messages(\?|$)/;
  await page.route(messages, async (route) => {
    if (route.request().method() !== "POST") return await route.continue();
    await route.fetch();
    await route.abort("connectionreset");
  });
  await field.fill(leave);
  await field.press("Enter");
  await expect(replies).toContainText("27 days");
  expect(await storedRoles()).toEqual(["user", "assistant"]);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.unroute(messages);

  // Ends the wait for the rest at once, as twenty failures do.
  await page.route(messages, async (route) => {
    const json = { code: "UNAVAILABLE", message: "Away", requestId: "r" };
    if (route.request().method() !== "POST") return await route.fulfill({ status: 400, json });
    const response = await route.fetch();
    const stream = await response.text();
    await route.fulfill({ response, body: stream.slice(0, stream.lastIndexOf("event: delta")) });
  });
  await field.fill("What may a hotel cost in Paris?");
  await field.press("Enter");
  await expect(page.getByRole("alert")).toContainText(say("errors:UNAVAILABLE.title"));
  const seen = (await replies.last().textContent()) ?? "";
  await page.unroute(messages);
  const posts: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
  await page
    .getByRole("alert")
    .getByRole("button", { name: say("chat:retry") })
    .click();
  await expect(page.getByRole("button", { name: say("chat:copy") })).toHaveCount(2);
  await expect(replies).toHaveCount(2);
  expect((await replies.last().textContent())?.length).toBeGreaterThan(seen.length);
  expect(await storedRoles()).toEqual(["user", "assistant", "user", "assistant"]);
  expect(posts.filter((url) => url.endsWith("/messages"))).toEqual([]);
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("the playground tries settings without saving them, compares two, and remembers its panels", async ({
  page,
}) => {
  await logIn(page, demo);
  const agent = await handbook(page);
  const at = `/teams/demo/playground?agentId=${agent}`;
  await page.goto(at);
  await expect(page.locator("[data-island=Playground][data-hydrated]")).toBeAttached();
  const passages = page.getByLabel(say("playground:topK"));
  const saved = await passages.inputValue();
  await passages.fill("1");
  const field = page.getByRole("textbox", { name: sayAny("chat:label", { agentName: /.+/ }) });
  await field.fill(leave);
  await field.press("Enter");
  await page.getByRole("button", { name: say("chat:why") }).click();
  await expect(page.getByRole("region", { name: say("chat:why") })).toContainText(
    sayAny("passages:kept", { count: /\d+/, kept: /1/ }),
  );
  await page.goto(at);
  await expect(page.locator("[data-island=Playground][data-hydrated]")).toBeAttached();
  await expect(passages).toHaveValue("1");
  const { data: teams } = await (await page.request.get("/v1/teams?search=demo")).json();
  const stored = await (await page.request.get(`/v1/teams/${teams[0].id}/agents/${agent}`)).json();
  expect(String(stored.retrieval.topK)).toBe(saved);

  await page.getByRole("button", { name: say("playground:compare") }).click();
  await page
    .getByRole("textbox", { name: sayAny("chat:label", { agentName: /.+/ }) })
    .and(page.locator(":visible"))
    .fill(leave);
  await page.keyboard.press("Enter");
  for (const name of [say("playground:variant.a"), say("playground:variant.b")]) {
    await expect(page.getByRole("region", { name, exact: true }).getByRole("article")).toContainText(
      "27 days",
    );
  }
  await expectAccessible(page);
  await page.getByRole("button", { name: say("playground:compare") }).click();
  await page.getByRole("button", { name: say("playground:discard") }).click();
  await expect(passages).toHaveValue(saved);

  const handle = page.getByRole("separator", { name: say("playground:resize") });
  const size = async () => Number(await handle.getAttribute("aria-valuenow"));
  const before = await size();
  await handle.press("ArrowRight");
  await expect.poll(size).toBeCloseTo(before + 10, 0);
  await expectKeptSize(page, "playground", before + 10);
  await page.reload();
  await expect(page.locator("[data-island=Playground][data-hydrated]")).toBeAttached();
  await expect.poll(size).toBeCloseTo(before + 10, 0);
  await handle.press("Shift+ArrowLeft");
  await expect.poll(size).toBe(0);
  await page.getByRole("button", { name: say("playground:settings"), exact: true }).click();
  await expect(passages).toBeInViewport();
});

test("an unsupported statement is marked, and a reply reports conflicting sources", async ({ page }) => {
  await logIn(page, demo);
  const agent = await handbook(page);
  const { id } = await (await page.request.post(`/v1/agents/${agent}/chats`, { data: {} })).json();
  const said = "The gate closes at nine.";
  const support = {
    state: "disagree",
    claims: [{ text: said, citations: [1], supported: false, reason: "value", end: said.length }],
    disagreement: [
      { citation: 1, quote: "The gate closes at eight.", date: "2026-01-31" },
      { citation: 2, quote: "The gate closes at seven.", date: null },
    ],
  };
  const { databaseUrl } = await findStack();
  const sql = postgres(databaseUrl("postgres"), { max: 1 });
  await sql`
    insert into public.messages (chat_id, role, content, support)
    values (${id}, 'user', 'When?', null), (${id}, 'assistant', ${`${said} It is by the road.`}, ${sql.json(support)})`;
  await sql.end();
  await page.goto(`/chats/${id}`);
  await expect(island(page)).toBeAttached();
  const reply = page.getByRole("article");
  const mark = reply.getByRole("button", {
    name: say("chat:support.unsupported"),
  });
  await expect(mark).toHaveCount(1);
  await expect(reply).toContainText(say("chat:support.disagree"));
  await expect(reply.getByRole("listitem").first()).toContainText("The gate closes at eight.");
  await expect(reply.getByRole("listitem").first()).toContainText(
    say("chat:support.dated", { date: "Jan 31, 2026" }),
  );
  await mark.focus();
  await expect(page.getByText(say("chat:support.unsupported"))).toBeVisible();
  await expectAccessible(page);
});

test("suggested readings of a question are buttons below the newest reply", async ({ page }) => {
  await logIn(page, demo);
  const agent = await handbook(page);
  const { id } = await (await page.request.post(`/v1/agents/${agent}/chats`, { data: {} })).json();
  const suggestions = [leave, "What may a hotel cost in Paris?"];
  const { databaseUrl } = await findStack();
  const sql = postgres(databaseUrl("postgres"), { max: 1 });
  await sql`insert into public.messages (chat_id, role, content, suggestions)
            values (${id}, 'user', 'How much?', '{}'), (${id}, 'assistant', 'It depends.', ${suggestions})`;
  await sql.end();
  await page.goto(`/chats/${id}`);
  await expect(island(page)).toBeAttached();
  const meant = page.getByRole("region", { name: say("chat:suggestions") });
  await expect(meant.getByRole("button")).toHaveText(suggestions);
  await expectAccessible(page);
  await screenshot(page, "suggestions");
  await meant.getByRole("button", { name: leave }).click();
  await expect(page.getByRole("article")).toHaveCount(2);
  await expect(page.getByRole("article").last()).toContainText("days");
  await expect(meant).toHaveCount(0);
});
