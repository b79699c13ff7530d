// Checks every listed page in light and dark, narrow and wide: no serious axe finding, one main heading, a title, and no horizontal overflow.
// Each page is loaded once, in one of the languages by turns, and shown in two opposite looks.
import type { APIRequestContext, Browser, Page } from "@playwright/test";
import { demo, logIn, register, someone } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { faintFields } from "./support/faint-fields.ts";
import { screenshot } from "./support/screenshots.ts";
import { expect, test } from "./support/test.ts";

const publicPages = [
  "/",
  "/login",
  "/register",
  "/confirm?email=a%40b.example",
  "/forgot-password",
  "/verify",
  "/support",
  "/beta",
  "/confirm-email?code=spent",
  "/shopify",
  "/guides",
  "/guides/first-agent",
  "/support/success",
  "/privacy-policy",
  "/terms-of-use",
  "/no/such/page",
];
const privatePages = [
  "/teams",
  "/teams/create",
  "/dashboard",
  "/onboarding",
  "/account",
  "/teams/demo/agents",
  "/teams/demo/agents?name=none-is-named-so",
  "/teams/demo/agents/create",
  "/teams/demo/knowledges",
  "/teams/demo/knowledges?name=none-is-named-so",
  "/teams/demo/knowledges/create",
  "/teams/demo/playground",
  "/teams/demo/playground/knowledge",
  "/teams/demo/playground/knowledge?query=work+from+home",
  "/teams/demo/chats",
  "/teams/demo/handovers",
  "/teams/demo/handovers/settings",
  "/teams/demo/sources",
  "/teams/demo/files",
  "/teams/demo/tasks",
  "/teams/demo/insights",
  "/teams/demo/gaps",
  "/teams/demo/apps",
  "/teams/demo/users",
  "/teams/demo/apiKeys",
];

const light = { colorScheme: "light", width: 1440 } as const;
const dark = { colorScheme: "dark", width: 360 } as const;

/** A page has the language of its turn: its place in its list, even or odd. The second look is shown without loading the page again. */
const groups = [
  { locale: "en-US", looks: [light, dark], turn: 0 },
  { locale: "fr-FR", looks: [dark, light], turn: 1 },
] as const;
type Group = (typeof groups)[number];

async function check(page: Page, path: string, { looks, locale }: Group): Promise<void> {
  for (const [at, { colorScheme, width }] of looks.entries()) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    if (at === 0) await page.goto(path);
    await page.waitForFunction((wide) => innerWidth === wide, width);
    await expectAccessible(page);
    expect(await page.evaluate(faintFields), `fields of ${path}`).toEqual([]);
    await expect(page.locator("h1")).toHaveCount(1);
    await expect(page).toHaveTitle(/\S/);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${path} is wider than the screen`).toBeLessThanOrEqual(0);
    const look = `${colorScheme}-${width}-${locale.slice(0, 2)}`;
    await screenshot(page, `${look}${path.replaceAll(/\W+/g, "-")}`);
  }
}

/** Logs in as a member of the demo team with the test's language: pages use the account's own. */
async function enter(page: Page, browser: Browser, locale: string): Promise<void> {
  const context = await browser.newContext({ locale: "en-US" });
  await logIn(await context.newPage(), demo);
  const cookies =
    locale === "en-US" ? await context.cookies() : await colleague(context.request, browser, locale);
  await context.close();
  await page.context().addCookies(cookies.filter(({ name }) => name.startsWith("sb-")));
}

/** The cookies of a second owner of the demo team, who registers in a language. */
async function colleague(owner: APIRequestContext, browser: Browser, locale: string) {
  const context = await browser.newContext({ locale });
  const page = await context.newPage();
  const person = someone();
  await register(page, person);
  const { data } = await (await owner.get("/v1/teams?search=demo")).json();
  const team = data.find(({ codename }: { codename: string }) => codename === "demo");
  const roles = (await (await owner.get(`/v1/roles?teamId=${team.id}`)).json()).data;
  const roleId = roles.find(({ codename }: { codename: string }) => codename === "owner").id;
  const path = `/v1/teamUsers/${team.id}/users`;
  const invited = await owner.post(path, { data: { email: person.email, roleId } });
  expect(invited.ok()).toBe(true);
  const { id } = await (await page.request.get("/v1/auth/me")).json();
  const accepted = await page.request.put(`${path}/${id}/invites`, {
    data: { status: "accepted", roleId: "" },
  });
  expect(accepted.ok()).toBe(true);
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}

/** The URL of the first link in a list; the seed fills every list. */
async function addressIn(page: Page, list: string): Promise<string> {
  return (await page.locator(`${list} a`).first().getAttribute("href")) ?? "";
}

/** Checks the page behind the first row of a list of the demo team. */
async function openFirst(page: Page, list: string, group: Group): Promise<void> {
  const path = `/teams/demo/${list}`;
  await page.goto(path);
  const row = page.locator(`main a[href^="${path}/"]:not([href$="/create"])`).first();
  await check(page, (await row.getAttribute("href")) ?? `${path}/none`, group);
}

/** The seed has neither; one of each is enough for all variants. */
async function haveKeyAndApp({ request }: Page): Promise<void> {
  const readList = async (path: string) => (await (await request.get(path)).json()).data as { id: string }[];
  const team = "/v1/teams/demo";
  if ((await readList(`${team}/apiKeys`)).length === 0)
    await request.post(`${team}/apiKeys`, { data: { name: "Looked at" } });
  const [agent] = await readList(`${team}/agents`);
  if ((await readList(`${team}/apps`)).length === 0)
    await request.post(`${team}/apps`, { data: { name: "Looked at", type: "slack", agentId: agent?.id } });
}

/** Lists of the demo team whose first row is opened. */
const firstRowsOf = ["agents", "knowledges", "files", "tasks", "users", "apiKeys", "apps"];

for (const group of groups) {
  const { locale, turn } = group;
  const ofTurn = (paths: string[]) => paths.filter((_path, at) => at % 2 === turn);
  test.describe(locale, () => {
    test.use({ locale });

    test("public pages are accessible", async ({ page, expectedErrors }) => {
      expectedErrors.push(/status of 404/);
      for (const path of ofTurn(publicPages)) await check(page, path, group);
      await expect(page.locator("html")).toHaveAttribute("lang", locale.slice(0, 2));
    });

    test("pages of a logged-in user are accessible", async ({ page, browser }) => {
      await enter(page, browser, locale);
      for (const path of ofTurn(privatePages)) await check(page, path, group);
      await haveKeyAndApp(page);
      for (const list of ofTurn(firstRowsOf)) {
        await openFirst(page, list, group);
        if (list === "knowledges") await check(page, await addressIn(page, "main ul[aria-live]"), group);
      }
      if (turn === 0) {
        await page.goto("/teams/demo/playground/knowledge?query=work+from+home");
        await check(page, await addressIn(page, "main ol:not(nav ol)"), group);
      } else {
        await page.goto("/teams/demo/agents?name=handbook");
        const agent = await addressIn(page, "main tbody");
        await check(page, `/chats/${agent.split("/").at(-1)}`, group);
      }
    });
  });
}
