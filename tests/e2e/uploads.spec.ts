// Uploads in the browser: what each is doing in words, canceling one, retrying one after a lost connection, and where the focus goes.
import type { Locator, Page } from "@playwright/test";
import { say } from "../support/words.ts";
import { demo, logIn } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

const UPLOAD = "**/v1/teams/*/files/upload";
const file = (name: string) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(`The facts of ${name} ${Math.random()}.`),
});

async function openNewKnowledge(page: Page): Promise<void> {
  await logIn(page, demo);
  await page.goto("/teams/demo/knowledges/create");
  await expect(page.locator("[data-island=NewKnowledge]")).toHaveAttribute("data-hydrated", "");
}

const choose = (page: Page, ...names: string[]) =>
  page.locator("main input[type=file]").setInputFiles(names.map(file));
const uploads = (page: Page) => page.getByRole("list", { name: say("files:uploads") }).getByRole("listitem");
const dismissal = (page: Page, name: string) =>
  page.getByRole("button", { name: say("files:dismiss", { name }) });

test("an upload that is canceled goes away, and the next one that waits takes its place", async ({
  page,
}) => {
  await openNewKnowledge(page);
  const sent: string[] = [];
  // Held before anything is sent.
  await page.route(UPLOAD, (route) => {
    sent.push(/filename="([^"]+)"/.exec(route.request().postData() ?? "")?.[1] ?? "");
  });
  const names = ["one", "two", "three", "four"].map((name) => `${name}-${Math.random()}.txt`);
  const [first = "", second = "", third = "", fourth = ""] = names;
  const cancel = (name: string) => page.getByRole("button", { name: say("files:cancel", { name }) }).click();
  await choose(page, ...names);
  await expect.poll(() => sent.toSorted()).toEqual([first, second].toSorted());
  await expect(uploads(page).filter({ hasText: third })).toContainText(say("files:waiting"));
  await expect(uploads(page).filter({ hasText: first })).toContainText(say("files:sent", { percent: 0 }));
  await cancel(third);
  await cancel(first);
  await expect(uploads(page)).toHaveText([new RegExp(second), new RegExp(fourth)]);
  await expect.poll(() => sent.at(-1)).toBe(fourth);
  expect(sent).not.toContain(third);
});

test("an upload whose answer was lost is retried, and a failure stays until it is dismissed", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED|status of 4\d\d/);
  await openNewKnowledge(page);
  let tries = 0;
  await page.route(UPLOAD, async (route) => {
    tries += 1;
    if (tries === 1) return await route.abort();
    // The session ended in another tab, and started again there.
    if (tries === 3)
      return await route.fulfill({ status: 401, json: { code: "NOT_AUTHENTICATED", requestId: "r" } });
    await route.continue();
  });
  const name = `lost-${Math.random()}.txt`;
  await choose(page, name);
  await expect(dismissal(page, name)).toBeVisible();
  await page
    .locator("main input[type=file]")
    .setInputFiles({ ...file("empty.txt"), buffer: Buffer.alloc(0) });
  await expect(dismissal(page, "empty.txt")).toBeVisible();
  // What is refused for good has nothing to retry.
  await expect(page.getByRole("button", { name: say("files:retry") })).toHaveCount(1);
  const retry = page.getByRole("button", { name: say("files:retryNamed", { name }) });
  await retry.click();
  await expect(page.getByRole("link", { name: say("files:logIn") })).toHaveAttribute("target", "_blank");
  await retry.click();
  await expect(uploads(page)).toHaveCount(1);
  await expect(page.getByRole("button", { name: say("files:open") })).toBeVisible();
  await expect(page).toHaveURL(/\/knowledges\/create$/);
  await dismissal(page, "empty.txt").click();
  await page.waitForURL(/\/knowledges\/[0-9a-f-]{36}$/);
  const documents = page.getByRole("list", { name: say("knowledges:documents") });
  await expect(documents.getByText(name)).toBeVisible();
});

test("a link asks before it leaves files that are not sent yet", async ({ page }) => {
  await openNewKnowledge(page);
  // Held before anything is sent.
  await page.route(UPLOAD, () => undefined);
  const name = `left-${Math.random()}.txt`;
  await choose(page, name);
  await expect(uploads(page)).toHaveCount(1);
  const link = page
    .locator("#sidebar")
    .getByRole("link", { name: say("app:nav.sources") })
    .first();
  const dialog = page.getByRole("dialog", { name: say("app:leaving.title") });
  await link.click();
  await dialog.getByRole("button", { name: say("app:leaving.stay") }).click();
  await expect(uploads(page)).toContainText([name]);
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  await (await asked).dismiss();
  await link.click();
  await dialog.getByRole("button", { name: say("app:leaving.go") }).click();
  await page.waitForURL("**/teams/demo/sources");
});

test("an upload that fails offline says so and keeps its name in a dialog", async ({
  page,
  context,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED/);
  await logIn(page, demo);
  await page.goto("/teams/demo/files");
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: say("files:add") }).click();
  const name = `offline-${Math.random()}.txt`;
  await (await chooser).setFiles([file(name)]);
  const submit = page.getByRole("dialog").getByRole("button", { name: say("files:place.add", { count: 1 }) });
  await expect(submit).toBeVisible();
  await context.setOffline(true);
  await submit.click();
  await expect(uploads(page).getByRole("alert")).toHaveText(say("files:offline"));
  const box = async (locator: Locator) => (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0 };
  const [text, retry, dismiss] = await Promise.all([
    box(uploads(page).getByText(name)),
    box(page.getByRole("button", { name: say("files:retryNamed", { name }) })),
    box(dismissal(page, name)),
  ]);
  // Both buttons stand on the name's line, which has room for it.
  expect(text.width).toBeGreaterThan(200);
  expect(Math.abs(retry.y - dismiss.y)).toBeLessThan(8);
  expect(dismiss.x).toBeGreaterThan(retry.x);
  await context.setOffline(false);
  await expect(uploads(page)).toHaveCount(0);
});

test("dismissing an upload moves the focus to the next one, then to where files are chosen", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 4\d\d/);
  await openNewKnowledge(page);
  const empty = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.alloc(0) });
  const [first, second] = [`first-${Math.random()}.txt`, `second-${Math.random()}.txt`];
  await page.locator("main input[type=file]").setInputFiles([empty(first), empty(second)]);
  await expect(dismissal(page, first)).toBeVisible();
  await expect(dismissal(page, second)).toBeVisible();
  await dismissal(page, first).press("Enter");
  await expect(dismissal(page, second)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("main input[type=file]")).toBeFocused();
});

test("a file whose name is known can be left out", async ({ page }) => {
  await openNewKnowledge(page);
  const name = `known-${Math.random()}.txt`;
  await page.request.post("/v1/teams/demo/files/upload", { multipart: { file: file(name) } });
  await choose(page, name);
  await expect(uploads(page)).toContainText(say("files:known.found"));
  // Beside the two choices its name has room.
  const { width } = (await uploads(page).getByText(name).boundingBox()) ?? { width: 0 };
  expect(width).toBeGreaterThan(200);
  await page.getByRole("button", { name: say("files:cancel", { name }) }).click();
  await expect(uploads(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/knowledges\/create$/);
});

test("many uploads have one progress and one stop, and those that failed come first", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 400/);
  await openNewKnowledge(page);
  const names = Array.from({ length: 40 }, (_, at) => `many-${at}-${Math.random()}.txt`);
  let arrived = 0;
  // The first ten arrive, the others wait.
  await page.route(UPLOAD, (route) => {
    arrived += 1;
    if (arrived <= 10) void route.continue();
  });
  const files = names.map(file);
  files.splice(8, 0, { name: "empty.txt", mimeType: "text/plain", buffer: Buffer.alloc(0) });
  await page.locator("main input[type=file]").setInputFiles(files);
  await expect(page.getByText(say("files:progress", { done: 9, total: 41 }))).toBeVisible();
  await expect(uploads(page).first()).toContainText("empty.txt");
  await page.getByRole("button", { name: say("files:cancelAll") }).click();
  await expect(uploads(page)).toHaveText([/empty/]);
  await page.getByRole("button", { name: say("files:open") }).click();
  await page.waitForURL(/knowledges\/[0-9a-f-]{36}/);
  await expect(page.getByRole("link", { name: names[8] })).toBeVisible();
});

test("uploads wait as long as the API asks, and all arrive", async ({ page, expectedErrors }) => {
  expectedErrors.push(/status of 429/);
  await openNewKnowledge(page);
  let tries = 0;
  await page.route(UPLOAD, async (route) => {
    tries += 1;
    // As a folder of more files than the API takes in ten minutes is answered.
    const isRefused = tries === 3 || tries === 4;
    if (!isRefused) return await route.continue();
    const refusal = { code: "RATE_LIMITED", message: "", requestId: "r" };
    await route.fulfill({ status: 429, headers: { "retry-after": "3" }, json: refusal });
  });
  const names = Array.from({ length: 7 }, (_, at) => `waits-${at}-${Math.random()}.txt`);
  await choose(page, ...names);
  await expect(page.getByRole("status").filter({ hasText: /Too many files/ })).toBeVisible();
  await expect(uploads(page)).toHaveText(names.slice(2).map((name) => new RegExp(`${name}.*Waiting`)));
  // The two that were under way, and none of the others.
  expect(tries).toBeLessThanOrEqual(4);
  await page.waitForURL(/\/knowledges\/[0-9a-f-]{36}$/);
  const documents = page.getByRole("list", { name: say("knowledges:documents") });
  await expect(documents.getByRole("listitem")).toHaveCount(7);
});

test("a folder of hundreds shows a part of its uploads, and those that failed are retried at once", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 503/);
  await openNewKnowledge(page);
  let isDown = true;
  await page.route(UPLOAD, async (route) => {
    if (isDown) return await route.fulfill({ status: 503, json: { code: "UNAVAILABLE", requestId: "r" } });
    // Held: nothing arrives.
  });
  await choose(page, ...Array.from({ length: 60 }, (_, at) => `folder-${at}-${Math.random()}.txt`));
  const retry = page.getByRole("button", { name: say("files:retryAll", { count: 60 }) });
  await expect(retry).toBeVisible();
  await expect(uploads(page)).toHaveCount(50);
  await expect(page.getByText(say("files:more", { count: 10 }))).toBeVisible();
  isDown = false;
  await retry.click();
  await expect(retry).toBeHidden();
  await expect(uploads(page).first()).toContainText(say("files:sent", { percent: 0 }));
  await expect(uploads(page).nth(2)).toContainText(say("files:waiting"));
});
