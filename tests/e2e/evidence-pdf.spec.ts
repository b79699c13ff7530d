// A citation of a PDF shows its rendered page, with the quote marked.
import type { Locator } from "@playwright/test";
import postgres from "postgres";
import { makePdf, makeScans } from "../support/files/pdf.ts";
import { findStack } from "../support/stack.ts";
import { say, sayAny } from "../support/words.ts";
import { register, someone } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { screenshot } from "./support/screenshots.ts";
import { expect, test } from "./support/test.ts";

const left = [
  "The canteen opens at eleven",
  "and closes at three. It serves",
  "soup, bread and salad, and",
  "on Fridays there is fish.",
  "Guests are welcome when they",
  "are announced in the morning.",
  "Coffee is free all day, and",
  "cups go back to the kitchen.",
];
const right = [
  "Parents have sixteen weeks",
  "of parental leave, which they",
  "may take in two parts within",
  "the first year of the child.",
  "The manager is told two months",
  "before the first day of it.",
  "Who adopts a child has the",
  "same weeks, from the day on.",
];

test("a PDF's page is shown with the passage marked, and its text beside it", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/);
  await page.setViewportSize({ width: 1440, height: 900 });
  await register(page, someone());
  const { request } = page;
  const team = await (await request.post("/v1/teams", { data: { name: "Pages" } })).json();
  const path = `/v1/teams/${team.id}`;
  const lines = left.flatMap((text, at) => [
    { text, size: 12, down: 18 },
    { text: right[at] ?? "", size: 12, down: 0, at: 250 },
  ]);
  const last = [{ text: "Grandparents may take two weeks without pay.", size: 12 }];
  const pdf = makePdf([[{ text: "Rules of the house", size: 12 }], lines, last], { unused: 1_500_000 });
  const file = await request.post(`${path}/files/upload`, {
    multipart: { file: { name: "rules.pdf", mimeType: "application/pdf", buffer: Buffer.from(pdf) } },
  });
  const fileIds = [(await file.json()).id];
  const knowledge = await (
    await request.post(`${path}/knowledges`, { data: { name: "Rules", fileIds } })
  ).json();
  await request.post(`${path}/knowledges/${knowledge.id}/index`, { data: {} });
  await expect
    .poll(async () => (await (await request.get(`${path}/knowledges/${knowledge.id}`)).json()).status, {
      timeout: 90_000,
    })
    .toBe("ready");
  const agent = await (
    await request.post(`${path}/agents`, {
      data: { name: "Rules", visibility: "public", knowledgeIds: [knowledge.id] },
    })
  ).json();
  const chat = await (
    await request.post(`/v1/agents/${agent.id}/chats`, { data: { title: "Leave" } })
  ).json();
  const asked = { content: "How many weeks of parental leave do parents have?" };
  const { reply } = await (await request.post(`/v1/chats/${chat.id}/messages`, { data: asked })).json();
  expect(reply.citations[0]).toMatchObject({ title: "rules.pdf" });

  const scripts: string[] = [];
  page.on("request", (one) => scripts.push(one.url()));
  await openChat();
  expect(scripts.filter((url) => /pdf/i.test(new URL(url).pathname))).toEqual([]);
  await clickFirstSource();
  const pane = page.getByRole("complementary", { name: say("passages:evidence.title") });
  const canvas = pane.locator("canvas");
  const marks = pane.locator("[data-quoted]");
  await expect(marks).not.toHaveCount(0);
  await expect(pane).toContainText(say("passages:evidence.pageOf", { page: 2, total: 3 }));
  // The passage starts on page 1; the citation has the quote's page.
  await expect(pane.getByText(say("passages:page", { page: 2 }), { exact: true })).toBeVisible();
  // A worker parses the file.
  expect(page.workers()).toHaveLength(1);
  const box = await canvas.boundingBox();
  if (!box) throw new Error("The page has no place");
  for (const mark of await marks.all()) {
    const at = await mark.boundingBox();
    if (!at) throw new Error("A mark has no place");
    const [left, top] = [(at.x - box.x) / box.width, (at.y - box.y) / box.height];
    // Only in the right column, over its text.
    expect(left).toBeGreaterThan(0.45);
    await expect
      .poll(() => darkOf(canvas, left, top, at.width / box.width, at.height / box.height))
      .toBeGreaterThan(20);
  }
  await expectAccessible(page);
  const narrow = await canvas.evaluate(({ clientWidth }: HTMLCanvasElement) => clientWidth);
  await pane.getByRole("region", { name: sayAny("passages:evidence.drawnPage", { page: /\d+/ }) }).focus();
  await page.keyboard.press("+");
  await expect
    .poll(() => canvas.evaluate(({ clientWidth }: HTMLCanvasElement) => clientWidth))
    .toBeGreaterThan(narrow);
  await page.keyboard.press("PageUp");
  await expect(pane).toContainText(say("passages:evidence.pageOf", { page: 1, total: 3 }));
  await expect(marks).toHaveCount(0);
  await pane.getByRole("button", { name: say("passages:evidence.asText"), exact: true }).click();
  await expect(pane.locator("mark").first()).toContainText("sixteen weeks");

  // Only the page's byte ranges are requested, and no more is sent.
  let sent = 0;
  page.on("response", (answer) => {
    if (!answer.url().includes("/storage/v1/")) return;
    expect(answer.status()).toBe(206);
    sent += Number(answer.headers()["content-length"]);
  });
  await openChat();
  await clickFirstSource();
  await expect(marks).not.toHaveCount(0);
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(pdf.length / 2);
  page.removeAllListeners("response");

  // A quote that continues on the next page is marked on both. This older reply names its passage's page.
  const [cited] = reply.citations;
  const { content } = await (
    await request.get(`${path}/sources/${cited.sourceId}/documents/${cited.documentId}`)
  ).json();
  const quote = content.slice(content.indexOf("Who adopts"), content.indexOf(" without pay"));
  expect(quote).toMatch(/from the day on\.\s+Grandparents may take two weeks$/);
  const { databaseUrl } = await findStack();
  const sql = postgres(databaseUrl("postgres"), { max: 1 });
  await sql`update public.messages set citations = ${sql.json([{ ...cited, quote, page: 1 }])} where id = ${reply.id}`;
  await openChat();
  await clickFirstSource();
  await expect(pane).toContainText(
    `${say("passages:evidence.pageOf", { page: 2, total: 3 })} · ${say("passages:evidence.continues", { page: 3 })}`,
  );
  await expect(pane.getByText(say("passages:pages", { from: "2", to: "3" }), { exact: true })).toBeVisible();
  await expect(marks).toHaveCount(2);
  await screenshot(page, "quote-on-two-pages");
  await pane.getByRole("button", { name: say("passages:evidence.nextPage") }).click();
  await expect(pane).toContainText(say("passages:evidence.pageOf", { page: "3", total: "3" }));
  await expect(marks).toHaveCount(1);
  await screenshot(page, "quote-on-two-pages-second");
  await sql`update public.messages set citations = ${sql.json(reply.citations)} where id = ${reply.id}`;
  await sql.end();

  // A scanned page has no text to search: it is rendered, with a note.
  const scanned = Buffer.from(makeScans(["rgb", "rgb"]));
  await page.route(/\/storage\/v1\//, (route) =>
    route.fulfill({
      body: scanned,
      contentType: "application/pdf",
      headers: { "access-control-allow-origin": "*" },
    }),
  );
  await openChat();
  await clickFirstSource();
  await expect(pane.getByText(say("passages:evidence.unmarked"))).toBeVisible();
  await expect(pane).toContainText(say("passages:evidence.pageOf", { page: "2", total: "2" }));
  await expect(marks).toHaveCount(0);
  // Its picture is drawn a moment after its number is shown.
  await expect.poll(() => darkOf(canvas, 0, 0, 1, 1)).toBeGreaterThan(1_000);

  // Without the bytes, the text is shown, with a note.
  await page.unroute(/\/storage\/v1\//);
  await page.route(/\/storage\/v1\//, (route) => route.abort());
  await openChat();
  await clickFirstSource();
  await expect(pane.getByText(say("passages:evidence.noPage"))).toBeVisible();
  await expect(pane.locator("mark").first()).toContainText("sixteen weeks");

  async function openChat() {
    await page.goto(`/chats/${agent.id}?chatId=${chat.id}`);
    await expect(page.locator("[data-island=Chat][data-hydrated]")).toBeAttached();
  }
  async function clickFirstSource() {
    const sources = page
      .getByRole("article")
      .getByRole("button", { name: sayAny("chat:mark", { index: 1, title: /.+/ }) });
    await sources.first().click();
  }
});

/** The number of dark pixels in a part of the canvas, given as shares of its sides. */
function darkOf(canvas: Locator, x: number, y: number, width: number, height: number): Promise<number> {
  return canvas.evaluate(
    (element: HTMLCanvasElement, [left, top, across, down]) => {
      const { width: w, height: h } = element;
      const part = element.getContext("2d")?.getImageData(left * w, top * h, across * w, down * h);
      return (
        part?.data.filter((value, at, all) => at % 4 === 0 && value < 128 && all[at + 3] === 255).length ?? 0
      );
    },
    [x, y, width, height] as const,
  );
}
